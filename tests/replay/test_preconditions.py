from __future__ import annotations

from typing import Any

import pytest

from tracetwin.replay.preconditions import Broken, Preconditions


class Cart:
    limit = 5

    def add(self, price, quantity=1): ...


class Big(Cart):
    pass


HERE = Cart.__module__


def check(rules, receiver, *args, name="add", **kwargs):
    Preconditions(rules).check(HERE, name, receiver.add, receiver, args, kwargs)


@pytest.mark.parametrize("receiver", [Cart(), Big()])
def test_what_breaks_a_precondition_is_not_called(receiver):
    rules = [(f"{HERE}:Cart.add", "price < self.limit and quantity == 1", ["price"], "", "_tt")]
    check(rules, receiver, 4)
    with pytest.raises(Broken, match=r"'price < self\.limit and quantity == 1' of add does not hold"):
        check(rules, receiver, 5)
    with pytest.raises(Broken):
        check(rules, receiver, 4, quantity=2)
    with pytest.raises(Broken):
        check(rules, receiver, "text")


def test_others_are_none_of_its_business():
    rules: list[Any] = [
        (f"{HERE}:Big.add", "price < 3", [], "", "_tt"),
        ("elsewhere:Cart.add", "price < 3", [], "", "_tt"),
    ]
    check(rules, Cart(), 4)
    with pytest.raises(Broken):
        check(rules, Big(), 4)
    check([], Cart(), 4)


def test_names_within_a_comprehension_are_found():
    rules: list[Any] = [(f"{HERE}:Cart.add", "all(item < quantity for item in price)", [], "", "_tt")]
    check(rules, Cart(), [1, 2], 3)
    with pytest.raises(Broken):
        check(rules, Cart(), [1, 3], 3)
