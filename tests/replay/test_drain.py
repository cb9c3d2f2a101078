"""What an object gives out until it is empty."""

from __future__ import annotations

import sys
from typing import Any

from tracetwin.model.recipe import Scalar, list_of
from tracetwin.model.snapshot import Snapshot
from tracetwin.replay.observe.observers import MOST, emptied

HOME = sys.modules[__name__]


class Stack:
    def __init__(self, *items: Any) -> None:
        self.items = list(items)

    def pop(self) -> Any:
        return self.items.pop()

    def __len__(self) -> int:
        return len(self.items)


class Lossy(Stack):
    def pop(self) -> Any:
        taken = self.items.pop()
        self.items.clear()
        return taken


class Choosy(Stack):
    def pop(self, index: int) -> Any:  # type: ignore[override]
        return self.items.pop(index)


class Sized(Stack):
    def size(self) -> int:
        return len(self.items)


def told(value: Stack, name: str = "len()") -> list[tuple[str, Snapshot]]:
    return emptied(value, HOME, {name: Scalar(len(value))})


def test_things_come_in_their_order() -> None:
    stack = Stack(1, 2, 3)
    assert told(stack) == [(".pop()*len()", list_of(Scalar(3), Scalar(2), Scalar(1)))]
    assert stack.items == []


def test_a_method_may_tell_the_number() -> None:
    assert told(Sized("a", "b"), ".size()") == [(".pop()*.size()", list_of(Scalar("b"), Scalar("a")))]


def test_one_thing_is_not_taken_out() -> None:
    stack = Stack(1)
    assert told(stack) == []
    assert stack.items == [1]


def test_many_things_are_not_taken_out() -> None:
    stack = Stack(*range(MOST + 1))
    assert told(stack) == []
    assert len(stack) == MOST + 1


def test_a_number_that_does_not_go_down_by_one_tells_nothing() -> None:
    assert told(Lossy(1, 2, 3)) == []


def test_a_method_with_an_argument_is_none_that_takes_out() -> None:
    assert told(Choosy(1, 2)) == []


def test_objects_are_not_compared() -> None:
    assert told(Stack(object(), object())) == []


def test_who_tells_no_number_is_not_asked() -> None:
    assert emptied(Stack(1, 2), HOME, {}) == []
