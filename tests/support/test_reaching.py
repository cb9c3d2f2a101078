"""What can be reached: near things first, each once, also around in a circle."""

from __future__ import annotations

from tracetwin.support.reaching import reached

LEADING = {"a": "bc", "b": "d", "c": "da", "d": ""}


def test_near_things_come_first_and_each_comes_once():
    assert reached("a", LEADING.__getitem__) == ["a", "b", "c", "d"]


def test_several_starts_stand_before_what_they_lead_to():
    assert reached(["d", "b", "d"], LEADING.__getitem__) == ["d", "b"]
