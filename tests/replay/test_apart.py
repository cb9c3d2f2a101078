"""Copies are told from what they are copies of, without running anything of the target."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tracetwin.model.observation import AGAIN, Root, ValuePath
from tracetwin.replay.observe.apart import apart, apart_from_receiver

PLACE = ValuePath(Root.ARG, 0)


class Raising:
    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = object.__hash__


def found(result: Any, given: Any) -> list[tuple[str, ValuePath]]:
    return list(apart(result, [(PLACE, given)]))


def test_a_copy_is_apart_and_the_same_is_not() -> None:
    given = [Raising(), 2]
    assert found(list(given), given) == [("", PLACE)]
    assert not found(given, given)
    assert not found([*given, 3], given), "something else came of it"
    assert not found(tuple(given), given)


def test_attributes_are_looked_at_but_for_private_ones() -> None:
    given = SimpleNamespace(names={"a": 1}, _own=[1], number=1)
    made = SimpleNamespace(titles={"a": 1}, _kept={"a": 1})
    assert found(made, given) == [("titles", PLACE.of("names"))]


def test_a_result_is_none_of_what_its_receiver_keeps() -> None:
    box = SimpleNamespace(_items=[1])
    again = ("", ValuePath(Root.VAR, "box", AGAIN))
    assert list(apart_from_receiver(list(box._items), "box", box)) == [again]
    assert not list(apart_from_receiver(box._items, "box", box))
    assert not list(apart_from_receiver(1, "box", box))


def test_another_set_is_no_copy() -> None:
    assert found({1, 2}, {1, 2}) == [("", PLACE)]
    assert not found({1, 2}, {3, 4})
