"""Plain things that a module holds are pictured once while they stay as they are."""

from __future__ import annotations

from typing import Any

import pytest

from tracetwin.model.recipe import Scalar
from tracetwin.model.snapshot import Snapshot
from tracetwin.replay.observe.plain_state import PlainPictures


class Counted:
    """Takes pictures that differ in their number only."""

    def __init__(self) -> None:
        self.taken = 0

    def take(self, _value: Any) -> Snapshot:
        self.taken += 1
        return Scalar(self.taken)


@pytest.mark.parametrize(
    ("value", "change"),
    [
        ([1, 2], lambda held: held.append(3)),
        ([1, 2], lambda held: held.reverse()),
        ({"a": 1}, lambda held: held.update(a=2)),
        ({"a": 1}, lambda held: held.update(b=held.pop("a"))),
        ({"a"}, lambda held: held.add("b")),
        ([True], lambda held: held.__setitem__(0, 1)),
    ],
)
def test_a_new_picture_is_taken_where_something_has_changed(value: Any, change: Any) -> None:
    pictures, counted = PlainPictures(), Counted()
    first = pictures.of("place", value, counted.take)
    assert pictures.of("place", value, counted.take) is first
    change(value)
    assert pictures.of("place", value, counted.take) is not first
    assert counted.taken == 2


def test_another_thing_in_a_place_has_another_picture() -> None:
    pictures, counted = PlainPictures(), Counted()
    first = pictures.of("place", [1], counted.take)
    assert pictures.of("place", [1], counted.take) is not first
    assert pictures.of("size", 1000, counted.take) is not pictures.of("size", 1001, counted.take)


@pytest.mark.parametrize("value", [[[]], {"a": []}, (1,), bytearray(b"a"), object()])
def test_what_may_change_within_is_not_plain(value: Any) -> None:
    assert PlainPictures().of("place", value, Counted().take) is None
