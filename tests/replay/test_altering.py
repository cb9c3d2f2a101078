"""Properties that change their object when they are read are not read to look at it."""

from __future__ import annotations

import types
from typing import Any

import pytest

from tracetwin.replay.observe.altering import alters
from tracetwin.replay.observe.snap import Camera


class _Comparing(type):
    """Its classes can't be keys of a dictionary."""

    __hash__ = None  # type: ignore[assignment]


class Job(metaclass=_Comparing):
    unit = ""

    def __init__(self) -> None:
        self.interval = 1
        self._shown: str | None = None

    @property
    def weeks(self) -> Job:
        self.unit = "weeks"
        return self

    @property
    def week(self) -> Job:
        return self.weeks

    @property
    def begun(self) -> Job:
        return self._begin()

    def _begin(self) -> Job:
        del self.interval
        return self

    @property
    def shown(self) -> str:
        if self._shown is None:
            self._shown = self.unit + str(self.interval)
        return self._shown


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("weeks", True), ("week", True), ("begun", True),
        ("shown", False), ("interval", False), ("none", False),
    ],
)
def test_what_sets_a_public_attribute_itself_or_by_its_members_alters(name: str, expected: bool) -> None:
    assert alters(Job, name) is expected
    assert alters(Job, name) is expected


def test_a_look_leaves_the_object_as_it_is() -> None:
    job = Job()
    picture: Any = Camera(types.ModuleType("home")).take(job)
    assert (job.unit, job.interval) == ("", 1)
    assert [name for name, _ in picture.attributes] == ["interval", "shown"]
