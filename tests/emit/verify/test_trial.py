"""How long written tests are waited for."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tracetwin.emit.verify.trial import (
    NOT_VERIFIED,
    TOOK_TOO_LONG,
    Page,
    SuiteBroken,
    TrialFailure,
    TrialOutcome,
    TrialPlan,
    _listen,
    _Run,
    attempt,
)
from tracetwin.process.channel import TooSlow
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.conditions.conditions import HERE
from tracetwin.target.module import TargetModule

TARGET = TargetModule("shop", "/nowhere/shop.py", "/nowhere")


def test_after_tests_that_took_too_long_the_others_are_waited_for_less() -> None:
    page = Page("", TARGET, seconds=5.0)
    assert [5.0, 2.0, 2.0, 1.0, 1.0] == [page.patience(late) for late in (0, 1, 2, 3, 40)]


def test_those_of_earlier_pages_count_as_well() -> None:
    page = Page("", TARGET, seconds=5.0, late=2)
    assert [2.0, 1.0] == [page.patience(late) for late in (0, 1)]


def test_only_what_took_too_long_is_late() -> None:
    late, other = TrialFailure(TOOK_TOO_LONG), TrialFailure("another reason")
    seen = TrialOutcome({("Case", "test_one"): late, ("Case", "test_two"): other})
    assert 1 == seen.late


class Told:
    """A connection over which a process tells what it was given; it notes how long it was waited for."""

    def __init__(self, *messages: tuple[object, ...]) -> None:
        self.messages = list(messages)
        self.waited: list[float] = []

    def send(self, message: object, deadline: float) -> None:
        pass

    def receive(self, deadline: float) -> tuple[object, ...]:
        self.waited.append(round(deadline - time.monotonic()))
        return self.messages.pop(0)


def test_neither_the_start_nor_the_import_nor_the_end_is_charged_to_a_test() -> None:
    test = ("Case", "test_one")
    told: Any = Told(("up",), ("start", "together", *test), ("done", "", 0, 0.1), ("end", False))
    run = _Run(TrialPlan(HERE, together=(test,)), TrialOutcome())
    _listen(told, run, {}, 1.0)
    importing = Limits().import_seconds
    assert told.waited[0] >= 60
    assert [importing + 3, 1, importing + 3] == told.waited[1:]
    assert {test} == run.seen.passed


def test_a_test_before_others_is_waited_for_as_one() -> None:
    tests = (("Case", "test_one"), ("Case", "test_two"))
    told: Any = Told(("up",), ("start", "together", *tests[0]), ("done", "", 0, 0.1), ("broken", "ends here"))
    with pytest.raises(SuiteBroken):
        _listen(told, _Run(TrialPlan(HERE, together=tests), TrialOutcome()), {}, 1.0)
    assert [1, 1] == told.waited[2:]


def test_where_the_time_is_up_nothing_is_started_and_no_test_is_verified() -> None:
    test = ("Case", "test_one")
    seen = attempt(Page("", TARGET, until=time.monotonic()), TrialPlan(HERE, together=(test,)))
    assert {test: TrialFailure(NOT_VERIFIED)} == seen.failures


def test_a_process_is_not_listened_to_beyond_the_time_that_all_may_take() -> None:
    class Silent(Told):
        def receive(self, deadline: float) -> tuple[object, ...]:
            if not self.messages:
                raise TooSlow("no answer in time")
            return super().receive(deadline)

    test = ("Case", "test_one")
    told: Any = Silent(("up",), ("start", "alone", *test), ("done", "", 0, 0.1))
    run = _Run(TrialPlan(HERE, alone=(test,), together=(test,)), TrialOutcome())
    _listen(told, run, {}, 5.0, time.monotonic())
    assert [0, 0, 0] == told.waited
    assert ({test}, {}, False) == (run.seen.passed, run.seen.failures, run.cut_off)
