"""Questions for which a turn was too short are asked again in a longer one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from runtime.expr import Sort, var
from runtime.trace import Kind
from tracetwin.explore.loop.budget import ExplorationStatistics
from tracetwin.explore.loop.goals import GoalLedger
from tracetwin.explore.loop.postponed import Postponed
from tracetwin.explore.loop.questions import Questions
from tracetwin.solving import HURRIED, Problem, Unknown

QUESTION: Any = type("Question", (), {"goal": (1, 1)})()


def pop(postponed: Postponed) -> Any:
    return postponed.pop(10**6, lambda _flip, _level: True, idle=True)


def test_it_waits_until_a_turn_is_twice_as_long():
    postponed = Postponed()
    postponed.put_off(QUESTION, 0, "too short", left=1.0)
    assert pop(postponed) is None
    postponed.revive(lambda wanted: wanted < 1.5, now=0)
    assert pop(postponed) is None
    postponed.revive(lambda wanted: wanted < 3.0, now=0)
    assert (QUESTION, 1, "too short") == pop(postponed)
    assert pop(postponed) is None


def test_it_is_asked_with_the_effort_that_it_was_to_have():
    postponed = Postponed()
    postponed.put_off(QUESTION, 2, "too short", left=1.0)
    postponed.revive(lambda _wanted: True, now=0)
    assert 2 == pop(postponed)[1]


@pytest.mark.parametrize(("reason", "vain"), [("no solution found", {(7, 1): 1}), (HURRIED, {})])
def test_only_what_was_asked_with_time_enough_counts_as_without_an_answer(reason, vain):
    class Clueless:
        def solve(self, _problem: Problem) -> Unknown:
            return Unknown(reason)

    node = var("x", Sort.BOOL)
    step = SimpleNamespace(node=node, kind=Kind.BRANCH)
    run = SimpleNamespace(values={}, sorts={}, first_pin=9, path=[step], structural=frozenset())
    flip: Any = SimpleNamespace(step=step, run=run, index=0, goal=(7, 1))
    ledger = GoalLedger({})
    asked = Questions(Clueless(), ledger, ExplorationStatistics())
    answer = asked.side(flip, 1.0)
    assert isinstance(answer, Unknown)
    asked.take_back(flip, answer.reason)
    assert vain == ledger.unanswered()
