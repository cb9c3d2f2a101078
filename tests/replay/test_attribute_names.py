"""The attributes of an object that a picture shows, and how far computed ones are followed."""

from __future__ import annotations

from typing import Any

from tracetwin.model.snapshot import Attributes, Snapshot
from tracetwin.replay.observe.attribute_names import attribute_names
from tracetwin.replay.observe.snap import MOST_COMPUTED, Camera


class Interval:
    made = 0

    def __init__(self, low: int) -> None:
        Interval.made += 1
        self.low = low
        self._left = 0

    @property
    def width(self) -> int:
        return 1

    @property
    def around(self) -> Interval:
        return Interval(self.low - 1)


def test_data_comes_before_what_properties_compute() -> None:
    named = attribute_names(Interval(1), properties=True, private=False)
    assert named == {"low": False, "width": True, "around": True}
    assert list(attribute_names(Interval(1), properties=False, private=True)) == ["low", "_left"]
    assert attribute_names(ValueError(1), properties=True, private=False) == {"args": False}


def test_computed_objects_are_followed_so_far_only() -> None:
    def depth(snap: Snapshot) -> int:
        inner: dict[str, Any] = dict(snap.attributes) if isinstance(snap, Attributes) else {}
        return 1 + depth(inner["around"]) if "around" in inner else 0

    Interval.made = 0
    assert depth(Camera().take(Interval(1))) == MOST_COMPUTED
    assert Interval.made == 1 + MOST_COMPUTED
