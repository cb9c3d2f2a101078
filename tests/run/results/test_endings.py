"""What ends runs at a statement, by the exceptions that were seen and by the text."""

from __future__ import annotations

import ast

import pytest

from tracetwin.analysis.entries import ways_in
from tracetwin.explore.criteria.base import Raising
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.case import Case
from tracetwin.run.results.endings import RunEnds, broken_off, ended
from tracetwin.run.results.places import Places

SOURCE = """\
import argparse
import sys

def main():
    parser = argparse.ArgumentParser()
    args = parser.parse_args()
    return args

def outer(x):
    y = inner(x)
    return y

def inner(x):
    z = deeper(x)
    return z

def deeper(x):
    return x[0]

def items(x):
    yield x
    x += 1

def caught(x):
    try:
        y = deeper(x)
        y += 1
    except KeyError:
        y = 0
    return y

def parsed(x, argv=None):
    opts = argparse.ArgumentParser().parse_args(argv)
    return opts

def zones(x):
    import zones_of.world
    return zones_of.world
"""
RAISED = [
    Raising("main", "SystemExit", 6), Raising("deeper", "KeyError", 18), Raising("deeper", "TypeError", 18),
    Raising("parsed", "SystemExit", 33), Raising("zones", "ModuleNotFoundError", 37),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "covered", "raised", "told"),
    [
        (38, {37}, RAISED, "line 37 imports zones_of, which is not installed"),
        (7, {5, 6}, RAISED, (
            "every run that comes to line 6 ends there: SystemExit; the command line (sys.argv) decides it"
        )),
        (34, {33}, RAISED, "every run that comes to line 33 ends there: SystemExit"),
        (11, {10, 14}, RAISED, "every run that comes to line 10 ends there in deeper: KeyError or TypeError"),
        (22, {21}, RAISED, "no run asks for what comes after the yield in line 21"),
        (27, {25, 26, 28, 29}, (), (
            "every run that comes to line 26 goes on in the handler of line 28: KeyError"
        )),
        (11, {10}, (), ""),
    ],
)  # fmt: skip
def test_what_ends_runs_at_a_statement_is_told(line, covered, raised, told) -> None:
    places = Places(ast.parse(SOURCE))
    found = places.around(line)
    assert found is not None
    (way,) = ways_in(found[1], line, covered)
    assert told == RunEnds(places, raised).at(way, covered)


def test_runs_that_were_given_up_before_a_condition_say_nothing_of_it() -> None:
    text = "def f(x):\n    while x:\n        x()\n    for y in x:\n        if y:\n            y()\n"
    places = Places(ast.parse(text))
    outcome = ExplorationOutcome("f", endings={"timeout no end after 2 s in line 2": 1})
    told = "runs that may lead here were given up: no end after 2 s in line 2"
    assert [broken_off(outcome, places.before(line)) for line in (2, 3, 4, 5)] == [told, told, "", ""]
    assert broken_off(ExplorationOutcome("f", endings={"died": 1}), places.before(5)), "nobody knows where"


def test_how_first_runs_ended_is_no_reason_where_other_runs_came_on() -> None:
    """A second object may have been made where the first could not."""
    failed = {"setup ValueError: closed": 1, "setup OSError: gone": 3}
    assert ended(ExplorationOutcome("f", endings=failed)) == (
        "argument could not be built: ValueError: closed (in 1 of 4 runs, no run got further)"
    )
    case = Case("m", "f", "function", ())
    assert ended(ExplorationOutcome("f", [case], endings=failed)) == ""
    assert ended(ExplorationOutcome("f", covered=frozenset({4}), endings=failed)) == ""
