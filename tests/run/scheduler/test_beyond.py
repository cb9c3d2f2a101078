"""What lies behind the calls of a function, and what that makes of its turns."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any

from instrumenter.twin import Site, SiteKind
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.case import Case
from tracetwin.model.invokable import Invokable
from tracetwin.run.scheduler.beyond import sites_beyond
from tracetwin.run.scheduler.progress import UNENTERED, ModuleState
from tracetwin.run.scheduler.turns import unfinished
from tracetwin.target.selection import TargetModule

SOURCE = """
class Parser:
    def parse(self, text):
        self.rest = text
        return self.sign() + _digits(self.rest)
    def sign(self):
        if self.rest[:1] == "-":
            return "-"
        return ""
    read = parse

def _digits(text):
    if text.isdigit():
        return text
    return _digits(text[1:]) if text else ""
"""
SIGN, DIGITS, END = 1, 2, 3


def invokable(name: str, first: int, last: int) -> Invokable:
    return Invokable(name, "method", "Parser", first, last, typed=True, problem="")


INVOKABLES = {
    "Parser.parse": invokable("Parser.parse", 3, 5),
    "Parser.sign": invokable("Parser.sign", 6, 9),
    "Parser.read": invokable("Parser.read", 3, 5),
}
SITES = (
    Site(SIGN, SiteKind.IF, 7, 11, "Parser.sign"),
    Site(DIGITS, SiteKind.IF, 13, 7, "_digits"),
    Site(END, SiteKind.TERNARY, 15, 38, "_digits"),
)


def module(**outcomes: ExplorationOutcome) -> Any:
    """The state of the module: before its first round where there are no outcomes."""
    state = ModuleState(0, TargetModule("m", "m.py", ""))
    state.invokables, state.sites = INVOKABLES, SITES
    state.helpers = frozenset((DIGITS, END))
    state.sides = {"Parser.parse": 0, "Parser.sign": 2, "Parser.read": 0}
    state.note_beyond(sites_beyond(ast.parse(SOURCE), SITES, INVOKABLES))
    for name, outcome in outcomes.items():
        state.outcomes[f"Parser.{name}"] = outcome
        state.explored[f"Parser.{name}"] = 1
    if outcomes:
        state.note_missing()
    return state


def outcome(name: str, covered: set[int], entered: set[int], *, complete: bool = True) -> ExplorationOutcome:
    return ExplorationOutcome(
        f"Parser.{name}", covered=frozenset(covered), entered=frozenset(entered), complete=complete
    )


def test_it_is_followed_through_methods_other_names_and_recursion():
    assert sites_beyond(ast.parse(SOURCE), SITES, INVOKABLES) == {
        "Parser.parse": {SIGN, DIGITS, END},
        "Parser.read": {SIGN, DIGITS, END},
        "Parser.sign": frozenset(),
    }


def test_a_caller_gets_more_of_the_first_round_most_for_what_only_callers_reach():
    state = module()
    plain, sign = 1 + 2 * 2, 0.15 * 2
    assert state.weight("Parser.parse") == plain + sign
    assert state.weight("Parser.sign") == 3


def test_a_caller_that_is_done_goes_on_for_what_its_callee_misses():
    done = {"parse": outcome("parse", {2 * DIGITS, 2 * DIGITS + 1}, {SIGN, DIGITS})}
    state = module(**done, sign=outcome("sign", {2 * SIGN}, set(), complete=False))
    assert state.missing == (2 * SIGN + 1,)
    assert unfinished(state) == ["Parser.parse", "Parser.sign"]
    state = module(**done, sign=outcome("sign", {2 * SIGN, 2 * SIGN + 1}, set()))
    assert unfinished(state) == []


def test_it_does_not_where_it_never_came_to_that_condition():
    state = module(
        parse=outcome("parse", set(), {DIGITS}), sign=outcome("sign", {2 * SIGN}, set(), complete=False)
    )
    assert unfinished(state) == ["Parser.sign"]


def test_what_no_call_came_to_is_worth_more_than_what_was_only_entered():
    state = module(sign=outcome("sign", set(), set()), digits=outcome("digits", set(), set()))
    state.outcomes["Parser.digits"].cases.append(Case("m", "Parser.digits", "method", ()))
    state.sides.update({"Parser.sign": 2, "Parser.digits": 2})
    assert state.weight("Parser.sign") == state.weight("Parser.digits") + UNENTERED


def test_turns_without_a_gain_halve_the_time_and_a_large_gain_doubles_it():
    state = module(sign=outcome("sign", {2 * SIGN}, set()))
    state.outcomes["Parser.sign"].cases.append(Case("m", "Parser.sign", "method", ()))
    at_first = state.weight("Parser.sign")
    turns = ((1, {2 * SIGN}), (2, {2 * SIGN}), (0, {2 * SIGN, 9}), (-1, {2 * SIGN, 9, 11, 13, 15}))
    for number, covered in turns:
        state.note_gain("Parser.sign", outcome("sign", covered, set()))
        assert state.gainless["Parser.sign"] == number
        assert state.weight("Parser.sign") == at_first * 2.0**-number
        state.outcomes["Parser.sign"] = SimpleNamespace(covered=covered, fates={}, cases=[None])
        state.sides["Parser.sign"] = len(covered) + 1
