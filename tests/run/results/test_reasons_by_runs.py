"""Reasons of helpers and of what importing decides, and those that follow from what the runs showed."""

from __future__ import annotations

import ast

import pytest

from instrumenter.twin import SiteKind
from tests.run.results.reasons_sample import SITES, TREE, F, Site, hangs, line_of, outcome, reason, stopped
from tracetwin.explore.criteria.base import Raising
from tracetwin.explore.loop.budget import ExplorationStatistics
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.invokable import Invokable
from tracetwin.model.recipe import Scalar
from tracetwin.run.results.reasons import Reasons

CALLERS = """
def f(x):
    if x:
        _inner(x)

def _inner(x):
    return 1

def _other(x):
    return 2

def g(x):
    _other(x)
"""


def test_a_helper_that_nothing_calls_is_told_with_the_line_that_would():
    f = Invokable("f", "function", "", 2, 4, True, "")
    tried = ExplorationOutcome("f", fates={(3, 1): (Obstacle.GAVE_UP, "")})
    reasons = Reasons(ast.parse(CALLERS), [Site(3, 3)], [(f, tried)], covered={3, 13})
    told = [reasons.explain(line, None, None).reason for line in (7, 10)]
    uncalled = "not reached by any public function or method that was explored"
    assert told == ["called in line 4, which no test runs", uncalled]


RECURSIVE = """
def f(x):
    if x:
        _inner(x)
        return _inner(x)

def _inner(x):
    _alone(x)
    return _inner(x - 1)

def _alone(x):
    return _alone(x)
"""


def test_all_lines_that_would_call_a_helper_are_told_but_for_its_own():
    f = Invokable("f", "function", "", 2, 5, True, "")
    tried = ExplorationOutcome("f", fates={(3, 1): (Obstacle.GAVE_UP, "")})
    reasons = Reasons(ast.parse(RECURSIVE), [Site(3, 3)], [(f, tried)], covered={3})
    told = [reasons.explain(line, None, None).reason for line in (8, 12)]
    assert told == ["called in lines 4 and 5, which no test runs", "called in line 8, which no test runs"]


NESTED = """
PY3 = True

def f(x):
    class Tee:
        def __init__(self, out):
            self.out = out
    def alone(y):
        return y
    if x > 5:
        return Tee(x)
    return alone

def _text(y):
    if not PY3:
        y = 2
    return y
"""


def test_a_nested_function_is_told_with_the_line_that_would_call_it():
    f = Invokable("f", "function", "", 4, 12, True, "")
    tried = ExplorationOutcome("f", fates={(10, 1): (Obstacle.GAVE_UP, "")}, endings={"returned": 1})
    reasons = Reasons(ast.parse(NESTED), [Site(10, 10)], [(f, tried)], covered={5, 6, 8, 10, 12})
    assert reasons.explain(7, f, tried).reason == "called in line 11, which no test runs"
    assert reasons.explain(9, f, tried).reason == "budget spent", "nothing calls it by its name"


def test_what_the_module_alone_decides_is_told_for_helpers_too():
    f = Invokable("f", "function", "", 4, 12, True, "")
    tried = ExplorationOutcome("f", complete=True)
    reasons = Reasons(ast.parse(NESTED), [Site(15, 15)], [(f, tried)], covered={15, 17})
    assert reasons.explain(16, None, None).reason == (
        "condition did not depend on the arguments in any run (line 15)"
    )


def test_runs_that_all_raised_for_guessed_types_are_the_reason():
    tried = ExplorationOutcome("f", complete=True, statistics=stopped("TypeError"))
    told = Reasons(TREE, SITES, [(F, tried)]).explain(line_of("if x > 1"), F, tried).reason
    assert told == "no run goes there but by misuse: a value of a guessed type is refused (TypeError)"


RELATIVE = """
from . import parser, locales
from .words import told

def f(x):
    if parser.parse(x) is None:
        return 1
    if told(x):
        return 2
"""


@pytest.mark.parametrize(("line", "lost"), [(6, "time.localtime (line 45 of ago.parser)"), (8, "")])
def test_losses_in_other_modules_of_a_package_count_where_these_are_asked(line, lost):
    losses = {("format", 25, "ago.locales"), ("time.localtime", 45, "ago.parser")}
    f = Invokable("f", "function", "", 5, 9, True, "")
    fates = {(line, 1): (Obstacle.CONCRETE, "")}
    tried = ExplorationOutcome("f", fates=fates, statistics=ExplorationStatistics(losses=losses))
    reasons = Reasons(ast.parse(RELATIVE), [Site(line, line)], [(f, tried)], module="ago")
    told = reasons.explain(line + 1, f, tried).reason
    assert told == (f"value lost at a call into C code: {lost}" if lost else hangs("`x`", line))


def test_a_refusal_is_no_reason_for_a_condition_where_runs_return():
    statistics = ExplorationStatistics()
    statistics.refused.note([("open.read", "/x", "")])
    fates = ("x > 3", 1, Obstacle.CONCRETE, "")
    tried = outcome(fates, endings={"raised Refused": 1, "returned": 3}, statistics=statistics)
    assert reason("return 4", outcome=tried) == hangs("`x`", line_of("x > 3"))


SCRIPT = """
try:
    import nowhere
    def wide(c):
        return nowhere.wide(c)
except ImportError:
    def wide(c):
        return 1

if __name__ == "__main__":
    print("a")
    class D:
        def keys(self):
            return []
    def helper(x):
        return x
    helper(1)
else:
    def other(x):
        return x
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (5, "runs only while the module is imported otherwise"),
        (8, "not reached by any public function or method that was explored"),
        (11, 'runs only as a program, below `if __name__ == "__main__":` (line 10)'),
        (14, 'runs only as a program, below `if __name__ == "__main__":` (line 10)'),
        (16, 'runs only as a program, below `if __name__ == "__main__":` (line 10)'),
        (20, "not reached by any public function or method that was explored"),
    ],
)
def test_what_importing_does_not_define_is_no_function_that_could_be_tested(line: int, told: str) -> None:
    reasons = Reasons(ast.parse(SCRIPT), [], covered={2, 3, 6, 7, 10, 19})
    found = reasons.explain(line, None, None)
    assert (told, "" if told.startswith("runs") else found.function) == (found.reason, found.function)


OLD = """
from collections import OrderedDict

class Map:
    def __init__(self):
        self.held = OrderedDict()
    def walk(self, other):
        return self.held.iteritems()
    def asked(self, other):
        if other:
            self.held.next()
            return 1
        return unicode(other)
    def given(self, other):
        return other.iteritems()
    def named(self, other):
        text = unicode(other)
        return text
"""


NOTHING = "no input leads past what the code asks for: "


@pytest.mark.parametrize(
    ("name", "lines", "line", "told"),
    [
        ("walk", (7, 8), 8, f"{NOTHING}`OrderedDict` has no `iteritems` on this Python (line 8)"),
        ("given", (14, 15), 15, "no run goes there but by misuse: a value of a guessed type is refused"),
        ("asked", (9, 13), 12, f"{NOTHING}`OrderedDict` has no `next` on this Python (line 11)"),
        ("named", (16, 18), 18, f"{NOTHING}there is no `unicode` on this Python (line 17)"),
    ],
)
def test_what_no_input_can_run_is_not_told_as_misuse(name, lines, line, told) -> None:
    method = Invokable(f"Map.{name}", "method", "Map", lines[0], lines[1], typed=True, problem="")
    known = stopped("NameError in line 17" if name == "named" else f"AttributeError in line {lines[1]}")
    tried = ExplorationOutcome(f"Map.{name}", statistics=known, misused={21: "AttributeError in line 11"})
    raised = [Raising("Map.named", "NameError", 17)]
    covered = {10} if name == "asked" else {17} if name == "named" else ()
    reasons = Reasons(ast.parse(OLD), [Site(10, 10)], [(method, tried)], covered=covered, raised=raised)
    assert reasons.explain(line, method, tried).reason.startswith(told)


KINDS = """
from inspect import isgenerator
import codecs

def f(x, *args):
    found = args[0]
    text = codecs.encode(x)
    if not isinstance(found, dict) and callable(x):
        return 1
    if isgenerator(text) or type(x) is tuple:
        return 2
    if isinstance(found, dict) and found:
        return 3
    if isinstance(codecs, dict):
        return 4
"""


@pytest.mark.parametrize(("line", "kind"), [(8, True), (10, True), (12, False), (14, False)])
def test_where_a_condition_asks_for_kinds_only_another_kind_is_missing(line, kind) -> None:
    f = Invokable("f", "function", "", 5, 15, typed=True, problem="")
    losses = {("codecs.encode", 7, "m")}
    fates = {(line, 1): (Obstacle.CONCRETE, "")}
    tried = ExplorationOutcome("f", fates=fates, statistics=ExplorationStatistics(losses=losses))
    reasons = Reasons(ast.parse(KINDS), [Site(line, line)], [(f, tried)], covered={line}, module="m")
    told = f"no value of another kind came to the condition in line {line} in any run"
    assert (reasons.explain(line + 1, f, tried).reason == told) is kind


LOOKING = """
def f(x, y):
    if y > 2:
        z = 1
    found = _found(x)
    if found is None:
        return 1
    return z

def _found(x):
    if x > 3:
        if x > 4:
            if x > 5:
                return None
    return x
"""


def test_a_spent_budget_names_the_conditions_that_the_solver_had_no_answer_to() -> None:
    f = Invokable("f", "function", "", 2, 8, typed=True, problem="")
    sites = [Site(at, at) for at in (3, 6, 11, 12, 13)]

    def told(*unanswered: int) -> str:
        known = {(site, 1): times for times, site in enumerate(unanswered, 1)}
        tried = ExplorationOutcome("f", fates={(6, 1): (Obstacle.SPENT, "")}, unanswered=known)
        return Reasons(ast.parse(LOOKING), sites, [(f, tried)], covered={6}).explain(7, f, tried).reason

    answer = "budget spent (the solver had no answer to the condition{} in line{})"
    assert told() == "budget spent"
    assert told(3) == "budget spent", "it does not hang on that"
    assert told(6, 11) == answer.format("", " 6")
    assert told(11, 13, 12) == answer.format("s", "s 12 and 13")


STACK = """
class Stack:
    def __init__(self):
        self.top = None

    def start(self):
        self.depth = 0

    def push(self, item):
        kept = [item]
        self.note(item)
        return kept

    def note(self, item):
        if item is not None:
            self.depth += 1

    def pop(self):
        self.top = self.top.get(1)

    def last(self, item):
        if item.text and item.text[-1] == 1:
            return 1
        return item.size
"""


MISSING = "AttributeError in line 16: 'Stack' object has no attribute 'depth'"


NONE = "AttributeError in line 19: 'NoneType' object has no attribute 'get'"


SUBSCRIPT = "TypeError in line 22: 'NoneType' object is not subscriptable"


OF_GUESS = "no run goes there but by misuse: a value of a guessed type is refused ({})"


OF_STATE = "runs end by what the object holds, whatever is passed: "


@pytest.mark.parametrize(
    ("name", "line", "stop", "told"),
    [
        ("push", 11, MISSING, OF_STATE + MISSING),
        ("pop", 19, NONE, OF_STATE + NONE),
        ("push", 10, "TypeError in line 10: no", OF_GUESS.format("TypeError in line 10: no")),
    ],
)  # fmt: skip
def test_what_the_object_holds_is_not_blamed_on_what_is_passed(name, line, stop, told) -> None:
    tree = ast.parse(STACK)
    functions = (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))
    node = next(one for one in functions if one.name == name)
    method = Invokable(f"Stack.{name}", "method", "Stack", node.lineno, node.end_lineno or 0, False, "")
    tried = ExplorationOutcome(method.qualname, statistics=stopped(stop))
    assert told == Reasons(tree, [], [(method, tried)]).explain(line, method, tried).reason


def test_an_error_in_a_condition_is_not_said_to_lead_past_it() -> None:
    method = Invokable("Stack.last", "method", "Stack", 21, 24, False, "")
    tried = ExplorationOutcome("Stack.last", misused={221: SUBSCRIPT})
    reasons = Reasons(ast.parse(STACK), [Site(110, 22)], [(method, tried)], covered={22, 24})
    told = reasons.explain(23, method, tried).reason
    assert told == f"runs that come to line 22 are ended in it: {SUBSCRIPT}"


def test_why_runs_that_came_have_no_test_is_told_with_the_line() -> None:
    """What ended them, or what kept those of another function from being written."""
    note = Invokable("Stack.note", "method", "Stack", 14, 16, False, "")
    tried = ExplorationOutcome("Stack.note", covered=frozenset({230, 231}), statistics=stopped(MISSING))
    explored = [(note, tried)]
    told = Reasons(ast.parse(STACK), [Site(115, 15)], explored).explain(15, note, tried).reason
    assert told == OF_STATE + MISSING
    dropped = {"Stack.push": {15: "it differs each time"}}
    told = Reasons(ast.parse(STACK), [Site(115, 15)], explored, dropped).explain(15, note, tried).reason
    assert told == "reached, but no test could be written: it differs each time"


ADDED = """
def add(record: Mapping, other=None):
    if not isinstance(record, Mapping):
        raise ValueError
    return other
"""


@pytest.mark.parametrize(
    ("kinds", "told"),
    [({"dict"}, ": `record` (its hint is `Mapping`) was always a dict"), ({"dict", ""}, ""), (set(), "")],
)
def test_the_type_that_was_always_passed_is_told(kinds, told) -> None:
    add = Invokable("add", "function", "", 2, 5, True, "")
    known = ExplorationStatistics(passed={"0": kinds, "1": {"int"}})
    tried = ExplorationOutcome("add", fates={(30, 1): (Obstacle.CONCRETE, "")}, statistics=known)
    reasons = Reasons(ast.parse(ADDED), [Site(30, 3)], [(add, tried)], covered={3, 5})
    always = "no value of another kind came to the condition in line 3 in any run"
    assert reasons.explain(4, add, tried).reason == always + told


def test_the_type_of_an_argument_is_not_told_where_the_condition_asks_for_another_value() -> None:
    text = "\ndef each(sender):\n    for one in found(sender):\n        if not isinstance(one, int):\n"
    text += "            return 1\n"
    each = Invokable("each", "function", "", 2, 5, True, "")
    known = ExplorationStatistics(passed={"0": {"int"}})
    tried = ExplorationOutcome("each", fates={(4, 1): (Obstacle.CONCRETE, "")}, statistics=known)
    reasons = Reasons(ast.parse(text), [Site(4, 4)], [(each, tried)], covered={3, 4})
    told = "no value of another kind came to the condition in line 4 in any run"
    assert reasons.explain(5, each, tried).reason == told


@pytest.mark.parametrize(("runs", "complete", "told"), [
    (3, False, "budget spent"),
    (3, True, hangs("`x`", 2, runs="3 runs")),
    (300, False, hangs("`x`", 2, runs="300 runs")),
])  # fmt: skip
def test_nothing_follows_from_a_few_runs(runs: int, complete: bool, told: str) -> None:
    found = outcome(
        ("x > 1", 1, Obstacle.CONCRETE, ""), complete=complete, statistics=ExplorationStatistics(runs=runs)
    )
    assert told == reason("a = 1", outcome=found)


def test_what_follows_a_line_of_which_no_test_could_be_written_shares_its_reason() -> None:
    push = Invokable("Stack.push", "method", "Stack", 9, 12, False, "")
    tried = ExplorationOutcome("Stack.push", complete=True)
    dropped = {"Stack.push": {10: "the time was up before it was replayed"}}
    reasons = Reasons(ast.parse(STACK), [], [(push, tried)], dropped)
    told = "no test could be written: the time was up before it was replayed"
    found = [reasons.explain(line, push, tried).reason for line in (10, 11, 12)]
    assert found == [f"reached, but {told}", *[f"comes after line 10, of which {told}"] * 2]


def test_the_values_that_were_tried_are_told_of_a_condition_that_nobody_could_turn() -> None:
    steps = [Step(Act.CALL, "m", "f", args=(Scalar(value), Scalar("ab"))) for value in (0, 1, 1, 5)]
    cases = [Case("m", "f", "function", (step,), shows=(2 * (10 + line_of("x > 3")),)) for step in steps[:3]]
    cases.append(Case("m", "f", "function", (steps[3],), shows=(2,)))
    fate = ("x > 3", 1, Obstacle.CONCRETE, "")
    tried = outcome(fate, cases=cases, statistics=ExplorationStatistics(runs=30))
    told = hangs("`x`", line_of("x > 3"), runs="30 runs", tried="`x = 0` or `1`")
    assert told == reason("return 4", outcome=tried)


def test_a_loop_that_had_no_item_is_not_said_to_be_false() -> None:
    sites = [Site(50, line_of("for y"), SiteKind.FOR)]
    tried = ExplorationOutcome("f", fates={(50, 1): (Obstacle.CONCRETE, "")})
    covered = {line_of("for y")}
    told = Reasons(TREE, sites, [(F, tried)], covered=covered).explain(line_of("b = y"), F, tried).reason
    assert told == hangs("`xs`", line_of("for y"), way="went on this way")


def test_a_function_whose_own_arguments_failed_is_judged_by_the_runs_of_others() -> None:
    """Tests of callers run it: that nothing could be passed by us keeps no line of it from being run."""
    f = Invokable("f", "function", "", 2, 4, True, "")
    g = Invokable("g", "function", "", 6, 8, True, "")
    tree = ast.parse("\ndef f(x):\n    if x:\n        return 1\n\ndef g(x):\n    f(x)\n    return 2\n")
    own = ExplorationOutcome("f", endings={"setup TypeError: abstract": 4})
    other = ExplorationOutcome("g", fates={(3, 1): (Obstacle.GAVE_UP, "")})
    explored = [(f, own), (g, other)]
    reasons = Reasons(tree, [Site(3, 3)], explored, covered={2, 3, 6, 7, 8})
    assert reasons.explain(4, f, own).reason == "solver gave up (line 3)"
    assert reasons.explain_side(3, 1, f, own) == "solver gave up (line 3)"
    alone = Reasons(tree, [Site(3, 3)], explored, covered={2, 6})
    unbuilt = "argument could not be built: TypeError: abstract (in all 4 runs, no run got further)"
    assert alone.explain(4, f, own).reason == unbuilt
