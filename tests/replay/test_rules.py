from __future__ import annotations

import sys
from collections.abc import Iterator
from decimal import Decimal

import pytest

from tracetwin.replay.observe import rules
from tracetwin.replay.observe.observers import answers


class Box:
    def __init__(self) -> None:
        self._items = [1]

    def __len__(self) -> int:
        return len(self._items)

    def size(self) -> int:
        return len(self._items)

    def is_empty(self) -> bool:
        return not self._items


class Heir(Box):
    pass


HERE = Box.__module__


@pytest.fixture(autouse=True)
def _none_afterwards() -> Iterator[None]:
    yield
    rules.install({})


def asked(box: Box) -> set[str]:
    return {name for name, _ in answers(box, sys.modules[HERE])}


def test_an_object_is_asked_for_all_it_may_tell():
    assert {"len()", ".size()", ".is_empty()"} <= asked(Box())


@pytest.mark.parametrize(
    ("pattern", "name"), [("Box.size", ".size()"), ("Heir.is_*", ".is_empty()"), ("Box.__len__", "len()")]
)
def test_what_is_forbidden_is_not_asked(pattern, name):
    everything = asked(Heir())
    rules.install({"forbid": [f"{HERE}:{pattern}"]})
    assert {name} == everything - asked(Heir())


def test_what_is_not_allowed_is_not_asked():
    rules.install({"allow": [f"{HERE}:Box.size"]})
    assert {".size()"} == asked(Box())


def test_what_would_break_a_precondition_is_not_asked():
    rules.install({"assume": [(f"{HERE}:Box.size", "len(self._items) > 1", [], "", "_tt")]})
    box = Box()
    assert ".size()" not in asked(box)
    box._items.append(2)
    assert ".size()" in asked(box)


class Purse:
    def __init__(self, coins: int) -> None:
        self._coins = coins

    def worth(self) -> Decimal:
        return Decimal(self._coins) / 100

    def spend(self) -> int:
        self._coins -= 1
        return self._coins

    def note(self) -> None: ...

    def rich(self) -> bool:
        return self._coins > 100


def test_methods_that_return_something_are_asked_whatever_they_are_called():
    told = answers(Purse(150), sys.modules[HERE])
    assert [".worth()"] == [name for name, _ in told], "behind the one that changes it nothing is told"
    assert [] == answers(Purse(150), sys.modules[HERE], alone=False)
