"""Lists of a module's page: what stands in for something else, goals by criterion, mutants, operands.

Each entry has the tests that have to do with it, or what a test would have to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tracetwin.model.goal import Goal
from tracetwin.model.written_test import StandIn
from tracetwin.report.advice import advice
from tracetwin.report.mutant_counsel import mutant_advice, told_apart
from tracetwin.report.result import Module, Operand, ReportedMutant
from tracetwin.report.sides import NOBODY, Nearest, SourceLines
from tracetwin.report.syntax import syntax_of
from tracetwin.support.data import dataclass

_ELSEWHERE: Final = frozenset({"branch", "mutation", "mcdc", "mcdc-unique", "def-use"})
"""Criteria whose goals stand in other lists."""


@dataclass(frozen=True)
class StandInUse:
    """Something that stands in for something else, with the numbers of the tests in which it does."""

    what: StandIn
    tests: tuple[int, ...]


def mocked(module: Module) -> list[StandInUse]:
    """Return what stands in for something else in the tests of a module, by kind and name."""
    tests: dict[StandIn, list[int]] = {}
    for number, case in enumerate(module.cases):
        for what in case.stand_ins:
            tests.setdefault(what, []).append(number)
    order = sorted(tests, key=lambda one: (one.kind, one.name, one.asked, one.answer))
    return [StandInUse(what, tuple(tests[what])) for what in order]


@dataclass(frozen=True)
class GoalRow:
    """A goal with the numbers of tests that meet it, or what would help."""

    goal: Goal
    tests: tuple[int, ...]
    help: str = ""
    nearest: Nearest | None = None


def goals_listed(module: Module, lines: SourceLines) -> dict[str, list[GoalRow]]:
    """Return the goals of criteria that no other list has, by criterion; open ones come first."""
    found: dict[str, list[GoalRow]] = {}
    for goal in sorted(module.goals, key=lambda goal: goal.fate == "covered"):
        if goal.criterion not in _ELSEWHERE:
            found.setdefault(goal.criterion, []).append(_row(goal, module, lines))
    return found


def _row(goal: Goal, module: Module, lines: SourceLines) -> GoalRow:
    cases = enumerate(module.cases)
    if goal.fate == "covered":
        raising = tuple(number for number, case in cases if case.raises == goal.name)
        by_line = goal.criterion == "statement" or goal.name.startswith("raise ")
        return GoalRow(goal, lines.at(goal.line).tests if by_line and not raising else raising)
    line = lines.at(goal.line)
    helps = line.help if line.reason else advice(goal.reason)
    return GoalRow(goal, (), helps, line.nearest if line.reason else lines.coming(goal.line))


@dataclass(frozen=True)
class SurvivorRow:
    """A mutant that no test notices.

    Attributes:
        nearest: the test that comes closest, `NOBODY` where it is none of those that are listed.
        help: what a test has to do that notices it.
    """

    mutant: ReportedMutant
    nearest: int
    help: str


def survivors_listed(module: Module) -> Iterator[SurvivorRow]:
    """Give the mutants that no test notices."""
    titles = {case.title: number for number, case in enumerate(module.cases)}
    ways = syntax_of(module.source).ways
    for mutant, change in zip(module.mutants, told_apart(module.mutants), strict=True):
        if mutant.fate == "survived":
            helps = mutant_advice(mutant, decides=mutant.line in ways)
            yield SurvivorRow(replace(mutant, change=change), titles.get(mutant.closest or "", NOBODY), helps)


@dataclass(frozen=True)
class OperandRow:
    """An operand of a condition.

    Attributes:
        seen: of one that is not shown: outcomes that were seen, with the numbers of tests that have them.
        wanted: there, too: outcomes that would show it beside one that was seen, "" where none was.
        reason: why it is not shown.
        help: what would help.
        nearest: a test that runs its condition, where outcomes were not recorded.
    """

    operand: Operand
    seen: tuple[tuple[str, tuple[int, ...]], ...]
    wanted: str
    reason: str = ""
    help: str = ""
    nearest: Nearest | None = None


def operands_listed(module: Module, lines: SourceLines) -> list[OperandRow]:
    """Return the operands of conditions, each that is not shown with how near tests come."""
    tests: dict[str, dict[str, list[int]]] = {}
    for number, case in enumerate(module.cases):
        for vector in case.vectors:
            place, _, outcomes = vector.partition(":")
            tests.setdefault(place, {}).setdefault(outcomes, []).append(number)
    reasons = {(goal.line, goal.criterion): goal.reason for goal in module.goals if goal.reason}
    return [
        _operand(one, tests.get(str(one.condition), {}), reasons.get((one.line, one.criterion), ""), lines)
        for one in module.operands
    ]


def _operand(
    one: Operand, tests: dict[str, list[int]], reason: str, lines: SourceLines
) -> OperandRow:
    if one.shown:
        return OperandRow(one, (), "")
    seen = tuple((outcomes, tuple(numbers)) for outcomes, numbers in sorted(tests.items()))
    at = one.number - 1
    asked = (outcomes for outcomes, _ in seen if at < len(outcomes) and outcomes[at] in "01")
    near = next(asked, "")
    flipped = f"{near[:at]}{1 - int(near[at])}{near[at + 1 :]}" if near else ""
    helps = lines.counsel.for_side(one.line, reason)
    return OperandRow(one, seen, flipped, reason, helps, None if seen else lines.coming(one.line))
