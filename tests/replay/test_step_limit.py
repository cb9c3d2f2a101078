"""Looking at an object is limited by the lines that it runs, the same number each time."""

from __future__ import annotations

import sys
import types

import pytest

from tracetwin.replay.observe.observers import answers
from tracetwin.replay.observe.snap import Camera
from tracetwin.replay.observe.step_limit import TooManyLines, line_limit

ENDLESS = """
class Rule:
    def __init__(self):
        self.start = 3

    def count(self):
        total = 0
        while True:
            total += 1

    def size(self):
        return 2

    @property
    def last(self):
        while True:
            pass
"""


@pytest.fixture
def home() -> types.ModuleType:
    made = types.ModuleType("endless")
    exec(compile(ENDLESS, "endless.py", "exec"), vars(made))
    return made


def test_a_question_without_an_end_is_left_unanswered(home: types.ModuleType) -> None:
    assert [name for name, _ in answers(home.Rule(), home)] == [".size()"]


def test_a_property_without_an_end_is_no_attribute(home: types.ModuleType) -> None:
    snap = Camera(home).take(home.Rule())
    assert "start" in repr(snap)
    assert "last" not in repr(snap)


def test_the_limit_counts_lines() -> None:
    def steps(number: int) -> None:
        for _ in range(number):
            pass

    with line_limit(1_000):
        steps(400)
    with pytest.raises(TooManyLines), line_limit(1_000):
        steps(600)


def test_whoever_traced_before_traces_again() -> None:
    before = sys.gettrace()
    with line_limit():
        assert sys.gettrace() is not before
    assert sys.gettrace() is before
