"""Runs that came to a condition without a test of it: what became of them is told."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.run.results.reasons_sample import Site
from tracetwin.explore.loop.budget import ExplorationStatistics
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.case import Case
from tracetwin.model.invokable import Invokable
from tracetwin.model.status import Status
from tracetwin.run.results.reasons import Reasons

WAITING = """
def wait(now, step):
    if step is None:
        return now
    while now < 5:
        now += step
    if step > 2:
        return 1
    return now
"""

WAIT = Invokable("wait", "function", "", 2, 9, True, "")
SITES = [Site(at, at) for at in (3, 5, 7)]


def told(line, *, struck=(), shows=(), unbuilt=(), dropped=None, gone=None, covered=(3, 4), replayed=()):
    statistics = ExplorationStatistics(unbuilt=Counter(unbuilt))
    for status, at in struck:
        statistics.strikes.note(status, at)
    cases = [Case("m", "wait", "function", (), shows=tuple(shows))] if shows else []
    fates = {(5, 0): (Obstacle.SPENT, "")}
    tried = ExplorationOutcome(
        "wait", cases, fates, frozenset({6, 11}), statistics=statistics
    )
    known = {"covered": covered, "dropped_sides": gone, "replayed": replayed}
    reasons = Reasons(ast.parse(WAITING), SITES, [(WAIT, tried)], dropped, **known)
    return reasons.explain(line, WAIT, tried).reason


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (Status.TIMEOUT, "still running in line 6 when their time was up"),
        (Status.ENDLESS, "they decided more often than a run may in line 6"),
        (Status.EXHAUSTED, "memory or recursion was used up in line 6"),
    ],
)
def test_a_loop_without_an_end_is_told_for_the_line_before_it_and_for_those_behind(status, words):
    given_up = f"runs that came here were given up: {words} (2 runs)"
    assert told(5, struck=[(status, 6), (status, 6)]) == given_up
    assert told(7, struck=[(status, 6), (status, 6)]) == given_up, "nothing came past the loop"


def test_a_limit_before_a_line_does_not_say_what_became_of_runs_that_came_to_it():
    assert told(5, struck=[(Status.TIMEOUT, 4)]) == "a run came here, and no test of it was written"


def test_runs_that_came_to_an_end_are_not_said_to_have_been_given_up():
    struck = [(Status.TIMEOUT, 6)]
    assert told(7, struck=struck, shows=(11,), gone={11: "it differs"}) == "budget spent"


def test_an_input_that_goes_another_way_on_the_code_itself_says_so():
    assert told(5, shows=(11,)) == (
        "reached, but no test could be written: the same input goes another way when the code itself is run"
        " on it"
    )
    kept = "the code itself was run on such an input, and no test that was kept shows it"
    assert told(5, shows=(11,), replayed={5}).endswith(kept), "the code itself came there"


def test_a_side_says_why_its_own_input_makes_no_test():
    statistics = ExplorationStatistics(stops=Counter())
    case = Case("m", "wait", "function", (), shows=(11,))
    tried = ExplorationOutcome("wait", [case], {}, frozenset({10, 11}), statistics=statistics)
    reasons = Reasons(
        ast.parse(WAITING), SITES, [(WAIT, tried)], {"wait": {5: "another"}}, dropped_sides={11: "its own"}
    )
    assert reasons.explain_side(5, 1, WAIT, tried) == "reached, but no test could be written: its own"


def test_runs_that_failed_before_their_call_are_told_as_such():
    assert told(5, unbuilt=["open raised OSError: no such file"] * 3) == (
        "runs came here only while they prepared an object, and failed before the call: open raised OSError:"
        " no such file"
    )
