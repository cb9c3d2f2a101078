from __future__ import annotations

from typing import Any

import pytest

from tracetwin.model.recipe import Answer, Call, MockMember, MockRecipe, RecordedCall, Scalar, list_of
from tracetwin.replay.observe.preconditions import Broken, Preconditions


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


class Order:
    def __init__(self, placed: Cart, note: str | None = None, count: int = None): ...  # type: ignore[assignment]  # noqa: RUF013


def order(*args):
    return Call(HERE, "Order", tuple(Scalar(arg) for arg in args))


def test_none_takes_the_place_only_of_what_may_be_none():
    derived = Preconditions(annotated=True)
    assert derived.hold(HERE, "Order", Order, None, (Cart(), None, None), {})
    assert not derived.hold(HERE, "Order", Order, None, (None,), {})
    assert derived.hold(HERE, "add", Cart().add, Cart(), (None,), {})


def test_the_same_holds_for_calls_within_arguments_and_answers():
    derived = Preconditions(annotated=True)
    calls = (RecordedCall((), (), Answer(list_of(order(None)))),)
    mock = MockRecipe(0, "class", "Shop", "shop", members={"latest": MockMember("method", calls)})
    derived.check_inside([order(1, None)])
    with pytest.raises(Broken):
        derived.check_inside([mock])
    Preconditions().check_inside([order(None)])
