"""Which condition guards a line, and whose fate its reason is."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import pytest

from instrumenter.twin import SiteKind
from tests.run.results.reasons_sample import ASKED, SITES, TREE, F, Site, hangs, line_of, outcome, reason
from tracetwin.analysis.guards import EXCEPTION, Guard, guards_of
from tracetwin.explore.criteria.base import Raising
from tracetwin.explore.loop.budget import ExplorationStatistics
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.loop.run import PREPARING
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.goal import Uncovered
from tracetwin.model.invokable import Invokable
from tracetwin.run.results.earlier import told_moved
from tracetwin.run.results.outside_reasons import OutsideReasons
from tracetwin.run.results.reasons import Reasons


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("a = 1", Guard(line_of("x > 1"), 1)),
        ("a = 2", Guard(line_of("x > 2"), 1)),
        ("a = 3", Guard(line_of("x > 2"), 0)),
        ("return 4", Guard(line_of("x > 3"), 1)),
        ("x -= 1", Guard(line_of("x > 5"), 1)),
        ("b = y", Guard(line_of("for y in xs"), 1)),
        ("c = 0", Guard(line_of("try:"), EXCEPTION)),
        ("d = 1", Guard(line_of("x > 7"), 1)),
    ],
)
def test_the_innermost_guard_of_a_line(text: str, last: Guard) -> None:
    assert last == guards_of(TREE, line_of(text))[-1]


def test_earlier_conditions_that_leave_are_guards_too() -> None:
    guards = guards_of(TREE, line_of("return a"))
    assert Guard(line_of("x > 3"), 0) in guards
    assert Guard(line_of("x > 5"), 0) in guards
    assert Guard(line_of("x > 6"), 1) in guards
    assert Guard(line_of("x > 1"), 0) not in guards


def test_each_fate_has_its_words() -> None:
    def told(fate: Obstacle, detail: str = "") -> str:
        return reason("a = 1", outcome=outcome(("x > 1", 1, fate, detail)))

    assert "infeasible (proved)" == told(Obstacle.INFEASIBLE)
    assert "no input within the limits of generated inputs" == told(Obstacle.BOUNDED)
    assert "solver gave up (line 2)" == told(Obstacle.GAVE_UP, "timeout")
    assert "budget spent" == told(Obstacle.SPENT)
    assert hangs("`x`", 2) == told(Obstacle.CONCRETE)


def test_the_other_side_of_a_guard_is_not_blamed() -> None:
    assert "infeasible (proved)" != reason("a = 1", outcome=outcome(("x > 1", 0, Obstacle.INFEASIBLE, "")))


def test_the_condition_is_blamed_from_which_no_run_goes_on() -> None:
    """The nearest one above says nothing where runs do not come to it."""
    told = reason("d = 1", outcome=outcome(("x > 3", 0, Obstacle.GAVE_UP, "why")))
    assert "solver gave up (line 8)" == told


def test_without_types_nothing_is_proved() -> None:
    untyped = Invokable("f", "function", "", 1, line_of("return a"), typed=False, problem="")
    told = reason("a = 1", invokable=untyped, outcome=outcome(("x > 1", 1, Obstacle.INFEASIBLE, "")))
    assert "infeasible for the argument types tried" == told


def test_a_lost_value_explains_a_condition_that_depended_on_nothing() -> None:
    lost = ExplorationStatistics(losses={("hashlib.md5", 2, "")})
    told = reason("a = 1", outcome=outcome(("x > 1", 1, Obstacle.CONCRETE, ""), statistics=lost))
    assert "value lost at a call into C code: hashlib.md5 (line 2)" == told


def test_what_could_not_be_called_says_why() -> None:
    problem = Invokable(
        "f", "function", "", 1, line_of("return a"), typed=True, problem="argument x: a socket"
    )
    assert "argument x: a socket" == reason("a = 1", invokable=problem)


def test_what_was_not_explored_had_no_budget() -> None:
    assert "budget spent" == reason("a = 1", outcome=None)


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        ("setup ValueError: closed", "argument could not be built: ValueError: closed"),
        ("timeout no end after 2 s", "every run was given up: no end after 2 s"),
        ("died killed by signal 9", "every run was given up: killed by signal 9"),
        ("endless more than 9 decisions", "every run was given up: more than 9 decisions"),
    ],
)
def test_runs_that_all_end_early_are_the_reason(ending: str, words: str) -> None:
    told = reason("return a", outcome=outcome(endings={ending: 3}))
    assert told == f"{words} (in all 3 runs, no run got further)"


def test_runs_that_died_may_have_come_to_a_line_that_no_other_did() -> None:
    endings = {"died was killed by SIGABRT": 2, "returned": 9}
    told = reason("a = 1", outcome=outcome(("x > 1", 1, Obstacle.NOT_FOUND, ""), endings=endings))
    assert "runs that may lead here were given up: killed by SIGABRT" == told


def test_runs_that_died_are_no_reason_where_the_budget_ended_the_search() -> None:
    endings = {"died was killed by SIGABRT": 2, "returned": 9}
    told = reason("a = 1", outcome=outcome(("x > 1", 1, Obstacle.SPENT, ""), endings=endings))
    assert "budget spent" == told


def test_a_proof_is_not_put_into_doubt_by_runs_that_died() -> None:
    endings = {"died was killed by SIGABRT": 2, "returned": 9}
    told = reason("a = 1", outcome=outcome(("x > 1", 1, Obstacle.INFEASIBLE, ""), endings=endings))
    assert "infeasible (proved)" == told


def test_what_was_refused_before_a_line_explains_it() -> None:
    statistics = ExplorationStatistics()
    statistics.refused.note([("os.remove", "/x", ""), ("socket.connect", "", PREPARING)])
    told = reason("return a", outcome=outcome(endings={"raised Refused": 3}, statistics=statistics))
    assert "refused before it is reached: to delete files" == told


def test_one_run_that_got_further_is_not_that_reason() -> None:
    assert "budget spent" == reason(
        "return a", outcome=outcome(endings={"setup ValueError": 3, "returned": 1})
    )


def test_a_handler_that_nothing_reached() -> None:
    tried = outcome(endings={"returned": 1})
    ran = {line_of("try:"), line_of("c = int(x)")}
    told = Reasons(TREE, SITES, [(F, tried)], covered=ran).explain(line_of("c = 0"), F, tried).reason
    at = line_of("c = int(x)")
    assert f"no input was found that raises the exception handled here: ValueError in line {at}" == told


def test_a_line_of_a_helper_that_nobody_reached() -> None:
    assert "not reached by any public function or method that was explored" == reason(
        "return x", invokable=None
    )


def test_a_line_of_a_helper_into_which_tests_get() -> None:
    inside, missed = line_of("x > 1"), line_of("c = int(x)")
    assert [
        Reasons(TREE, SITES, [(F, tried)], covered={inside}).explain(missed, None, None).reason
        for tried in (ExplorationOutcome("f", complete=True), ExplorationOutcome("f"))
    ] == [Obstacle.NOT_FOUND.value, Obstacle.SPENT.value]


def test_a_proof_for_one_caller_is_none_for_a_helper_with_several() -> None:
    proved = (F, outcome(("x > 1", 1, Obstacle.INFEASIBLE, "")))
    tried = (F, outcome(("x > 1", 1, Obstacle.GAVE_UP, "why")))
    reasons = Reasons(TREE, SITES, [proved, tried], covered={line_of("x > 1")})
    assert "solver gave up (line 2)" == reasons.explain(line_of("a = 1"), None, None).reason


@dataclass(frozen=True)
class Function:
    qualname: str
    lines: frozenset[int]


def test_reasons_of_a_module_without_conditions() -> None:
    reasons = OutsideReasons([Function("f", frozenset(range(2, 23))), Function("g", frozenset({24}))])
    tried = ExplorationOutcome("f", complete=True, endings={"returned": 3})
    assert "explored from outside: no input that was tried leads here" == reasons.explain(3, F, tried).reason
    unfinished = ExplorationOutcome("f", endings={"returned": 3})
    assert Obstacle.SPENT.value == reasons.explain(3, F, unfinished).reason
    refused = ExplorationOutcome("f", complete=True, endings={"setup no such thing": 3})
    unbuilt = "argument could not be built: no such thing (in all 3 runs, no run got further)"
    assert unbuilt == reasons.explain(3, F, refused).reason
    uncalled = "not reached by any public function or method that was explored"
    assert uncalled == reasons.explain(24, None, None).reason
    assert "runs only while the module is imported otherwise" == reasons.explain(30, None, None).reason


GATE = """
class Gate:
    def __init__(self, limit: int) -> None:
        self.limit, self.open = limit, False

    def enter(self, n: int) -> int:
        if self.open:
            return n
        if self.open and n > 5:
            return 2
        return self._count(n)

    def _count(self, n: int) -> int:
        return n
"""


@pytest.mark.parametrize("complete", [True, False])
def test_a_condition_on_the_object_alone_is_a_matter_of_sequences(complete):
    said = "no sequence of calls that was tried brings the object into the state that line 7 asks for"
    invokable = Invokable("Gate.enter", "method", "Gate", 6, 11, True, "")
    outcome = ExplorationOutcome("Gate.enter", fates={(70, 1): (Obstacle.CONCRETE, "")}, complete=complete)
    assert said == Reasons(ast.parse(GATE), [Site(70, 7)]).explain(8, invokable, outcome).reason


@pytest.mark.parametrize(
    ("complete", "said"),
    [(True, Obstacle.NOT_FOUND.value), (False, hangs("`n` and what the object holds", 9, runs="70 runs"))],
)
def test_what_another_method_lost_is_no_reason_for_a_condition_on_the_object(complete, said):
    invokable = Invokable("Gate.enter", "method", "Gate", 6, 11, True, "")
    elsewhere = ExplorationStatistics(runs=70, losses={("set.__iter__", 1878, "library")})
    fates = {(90, 1): (Obstacle.CONCRETE, "")}
    outcome = ExplorationOutcome("Gate.enter", fates=fates, complete=complete, statistics=elsewhere)
    reasons = Reasons(ast.parse(GATE), [Site(90, 9)])
    assert said == reasons.explain(10, invokable, outcome).reason
    outcome.statistics.losses.add(("int", 9, ""))
    reasons = Reasons(ast.parse(GATE), [Site(90, 9)])
    assert "value lost at a call into C code: int (line 9)" == reasons.explain(10, invokable, outcome).reason


def test_what_the_user_forbids_is_said_so():
    reasons = Reasons(ast.parse(GATE), [], forbidden=lambda name: name == "Gate._count")
    assert "the configuration does not let it be called" == reasons.explain(14, None, None).reason
    assert ("Gate._count", "") == (reasons.function(14), reasons.function(1))


def test_without_an_input_that_keeps_the_preconditions_nothing_is_called():
    invokable = Invokable("Gate.enter", "method", "Gate", 6, 11, True, "")
    outcome = ExplorationOutcome("Gate.enter", endings={"unfit": 7}, complete=True)
    assert "no input was found that keeps the preconditions" == Reasons(ast.parse(GATE), []).explain(
        11, invokable, outcome
    ).reason


CLERK = """
import library

def lookup(table, key):
    found = library.find(table)
    if len(key) > 3:
        if found == 1:
            return 1
        if key == "a":
            return 2
    try:
        value = table[key]
        for one in value:
            print(int(one))
    except (KeyError, ValueError):
        print("none")
        return None
    return value
"""


LOOKUP = Invokable("lookup", "function", "", 4, 18, True, "")


def why(line, *fates, covered, losses=(), **fields):
    known = {(100 + at, way): (fate, "") for at, way, fate in fates}
    statistics = ExplorationStatistics(losses=set(losses))
    sides = frozenset(fields.pop("covered_sides", ()))
    outcome = ExplorationOutcome("lookup", fates=known, statistics=statistics, covered=sides, **fields)
    sites = [Site(100 + at, at) for at in (6, 7, 9, 13)]
    reasons = Reasons(ast.parse(CLERK), sites, [(LOOKUP, outcome)], covered=covered, module="clerk")
    return reasons.explain(line, LOOKUP, outcome).reason


def test_the_reason_is_that_of_the_way_in():
    """Whatever else guards a line: the first condition that no test passes keeps it from being run."""
    assert why(8, (6, 1, Obstacle.GAVE_UP), covered={5, 6}) == "solver gave up (line 6)"
    concrete = hangs("`table`", 7)
    assert why(8, (7, 1, Obstacle.CONCRETE), covered={5, 6, 7}) == concrete


def test_only_what_a_condition_hangs_on_is_said_to_have_lost_it():
    lost = ("library.c", 44, "library.inner"), ("print", 14, "clerk"), ("late.c", 9, "late")
    concrete = (7, 1, Obstacle.CONCRETE), (9, 1, Obstacle.CONCRETE)
    assert why(8, *concrete, covered={5, 6, 7}, losses=lost) == (
        "value lost at a call into C code: library.c (line 44 of library.inner)"
    )
    assert why(10, *concrete, covered={5, 6, 7, 9}, losses=lost) == (
        hangs("`key`", 9)
    ), "nothing that lost a value comes into this condition"


def test_what_a_run_reached_is_not_said_to_be_out_of_reach():
    told = why(7, covered={5, 6}, exhausted=True, covered_sides={213})
    assert told == "a run came here, and no test of it was written"
    assert told == why(6, covered=(), covered_sides={212}), "what the search alone came to counts, too"
    assert why(8, (7, 1, Obstacle.GAVE_UP), covered=(), covered_sides={213, 214}) == "solver gave up (line 7)"


def test_a_handler_says_what_it_waits_for_and_where():
    kinds = "(KeyError, ValueError)"
    waits = f"no input was found that raises the exception handled here: {kinds} in lines 12 to 14"
    ran = {5, 6, 11, 12, 13, 14, 18}
    assert [why(line, covered=ran, complete=True) for line in (15, 16, 17)] == [waits] * 3


def test_without_a_condition_to_blame_a_spent_budget_is_not_called_a_search_without_result():
    assert why(18, covered={5, 6, 11, 12}) == "budget spent"
    assert why(18, covered={5, 6, 11, 12}, complete=True) == Obstacle.NOT_FOUND.value


FIXED = """
import os
KNOWN = True
STATE = False

def f(x):
    if hasattr(os, "fork"):
        return 1
    if KNOWN and x:
        return 2
    if STATE:
        return 3
    if os.getpid():
        return 4

def g():
    global STATE
    STATE = True
"""


@pytest.mark.parametrize(("line", "fixed"), [(7, True), (9, False), (11, False), (13, False)])
def test_no_budget_is_missing_where_no_call_can_change_a_condition(line, fixed):
    invokable = Invokable("f", "function", "", 6, 14, True, "")
    outcome = ExplorationOutcome("f", fates={(line, 1): (Obstacle.SPENT, "")})
    reasons = Reasons(ast.parse(FIXED), [Site(line, line)], covered={line})
    told = reasons.explain(line + 1, invokable, outcome).reason
    assert told == (f"{Obstacle.CONCRETE.value} (line {line})" if fixed else Obstacle.SPENT.value)


def test_a_condition_in_brackets_below_its_statement_is_found():
    source = "def f(x):\n    if (\n        x > 1\n    ):\n        return 1\n"
    invokable = Invokable("f", "function", "", 1, 5, True, "")
    outcome = ExplorationOutcome("f", fates={(7, 1): (Obstacle.GAVE_UP, "")})
    told = Reasons(ast.parse(source), [Site(7, 2)], covered={2}).explain(5, invokable, outcome).reason
    assert told == "solver gave up (line 3)"


WRITER = """
def write(text: bytes | bytearray, size: int, mode=None):
    if size > 3:
        return 1
    if text.startswith(b"x"):
        return 2
    if mode is open:
        return 3
    return 4
"""


@pytest.mark.parametrize(("line", "lost"), [(4, False), (6, True), (8, False)])
def test_what_an_argument_loses_when_it_is_made_explains_only_conditions_on_such_arguments(line, lost):
    known = Invokable("write", "function", "", 2, 9, True, "")
    fates = {(100 + at, 1): (Obstacle.CONCRETE, "") for at in (3, 5, 7)}
    statistics = ExplorationStatistics(losses={("bytearray", 0, "")})
    outcome = ExplorationOutcome("write", fates=fates, statistics=statistics)
    sites = [Site(100 + at, at) for at in (3, 5, 7)]
    source = WRITER.replace(", mode=None", ", mode: int = 0") if lost else WRITER
    reasons = Reasons(ast.parse(source), sites, [(known, outcome)], covered={3, 5, 7}, module="clerk")
    assert ("bytearray of an argument" in reasons.explain(line, known, outcome).reason) is lost


OUTSIDE = """
import argparse
import logging
import os
import sys

log = logging.getLogger()
known = {}

def main(x, argv=None):
    args = argparse.ArgumentParser().parse_args()
    if args.deep:
        return 1
    if log.isEnabledFor(10):
        return 2
    if known.get(1):
        return 3
    if os.getpid():
        return 4
    if argparse.ArgumentParser().parse_args(argv).deep:
        return 5

def learn(x):
    known[1] = x
    log.debug("it")
"""


@pytest.mark.parametrize(("line", "fate", "told"), [
    (12, Obstacle.CONCRETE, "the command line (sys.argv) decides it, and no argument (line 12)"),
    (14, Obstacle.CONCRETE, ASKED.format(14)),
    (16, Obstacle.CONCRETE, ASKED.format(16)),
    (20, Obstacle.CONCRETE, hangs("`argv`", 20)),
])  # fmt: skip
def test_what_no_call_can_change_needs_no_budget(line, fate, told):
    invokable = Invokable("main", "function", "", 10, 21, True, "")
    outcome = ExplorationOutcome("main", fates={(line, 1): (fate, "")})
    reasons = Reasons(ast.parse(OUTSIDE), [Site(line, line)], [(invokable, outcome)])
    found = reasons.explain(line + 1, invokable, outcome)
    assert (told, line, 1) == (found.reason, found.at, found.way)


def test_it_is_said_what_used_the_budget_up():
    spent = ExplorationOutcome("f", seconds=0.1, statistics=ExplorationStatistics(runs=900))
    greedy = ExplorationOutcome("g", seconds=9.0, statistics=ExplorationStatistics(runs=3))
    g = Invokable("g", "function", "", line_of("def g"), line_of("return x"), typed=True, problem="")
    found = [
        Reasons(TREE, SITES, [(F, spent), (g, greedy)], by_runs=by_runs).explain(
            line_of("return a"), F, spent
        ).reason
        for by_runs in (False, True)
    ]
    assert found == ["budget spent: most of it went into g", "budget spent"]


def test_a_comprehension_on_the_line_of_a_condition_is_no_reason():
    fates = {(70, 1): (Obstacle.INFEASIBLE, ""), (71, 1): (Obstacle.GAVE_UP, "")}
    invokable = Invokable("Gate.enter", "method", "Gate", 6, 11, True, "")
    sites = [Site(70, 7, SiteKind.COMPREHENSION), Site(71, 7)]
    reasons = Reasons(ast.parse(GATE), sites)
    told = reasons.explain(8, invokable, ExplorationOutcome("Gate.enter", fates=fates)).reason
    assert told == "solver gave up (line 7)"


def test_lines_of_helpers_are_told_of_like_others():
    tried = (F, ExplorationOutcome("f"))
    reasons = Reasons(TREE, SITES, [tried], {"f": {line_of("return 4"): "it differs each time"}})
    told = reasons.explain(line_of("return 4"), None, None)
    assert told == Uncovered(
        line_of("return 4"), "reached, but no test could be written: it differs each time", "f"
    )


def test_lines_in_reasons_move_with_their_function():
    moved = "value lost at a call into C code: int (line 12), lib.c (line 44 of library)"
    waits = "no input was found that raises the exception handled here: X in lines 8 to 12"
    assert told_moved(moved, 5) == moved.replace("12", "17")
    assert told_moved(waits, -2) == waits.replace("8 to 12", "6 to 10")
    called = "called in lines 4, 9, 30 and others, which no test runs"
    assert told_moved(called, 1) == "called in lines 5, 10, 31 and others, which no test runs"
    assert told_moved("runs through lines 4 and 9", 1) == "runs through lines 5 and 10"


def test_inputs_of_a_wrong_type_that_led_there_are_told():
    misused = outcome(("x > 3", 1, Obstacle.NOT_FOUND, ""))
    misused.misused[(10 + line_of("x > 3")) * 2 + 1] = "TypeError in line 9"
    told = reason("return 4", outcome=misused)
    guessed = "a value of a guessed type is refused (TypeError in line 9)"
    assert told == f"no run goes there but by misuse: {guessed}"


def test_a_condition_that_is_passed_is_no_reason_where_its_line_raises():
    line = line_of("for y in xs")
    passed = ExplorationOutcome("f", covered=frozenset({(10 + line) * 2 + 1}))
    raised = [Raising("f", "ValueError", line)]
    reasons = Reasons(TREE, SITES, [(F, passed)], covered={line}, raised=raised)
    told = reasons.explain(line_of("b = y"), F, passed).reason
    assert told == f"every run that comes to line {line} ends there: ValueError"
