"""The lines of a module and the sides of its branches: tests that take them, or why none, with advice."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tracetwin.model.written_test import met_alone
from tracetwin.report.result import Module, ReportedGoal, ReportedNode, ReportedTest
from tracetwin.support.data import dataclass

_SHOW: Final = (
    "A type hint, a factory in the configuration or your own tests (--learn-from) show what leads here."
)
_STATE: Final = (
    "It hangs on something other than the arguments: patch that (--patch NAME), or name a factory in the"
    " configuration that makes objects in the state that is missing."
)
_OPAQUE: Final = (
    "Nothing can be solved behind such a call: your own tests (--learn-from) or a doctest can show inputs, or"
    " --patch NAME takes its place."
)
_LONGER: Final = "It takes a longer input than is tried; your own tests (--learn-from) can show one."
_FACTORY: Final = "A factory in [tool.tracetwin.factories] can say how such an object is made."
_UNSTABLE: Final = "What it does differs from run to run, or can't be written down; the reason says which."

_ADVICE: Final[Mapping[str, str]] = {
    "infeasible": "No input can lead here. If that is meant, a comment (# pragma: no cover) says so.",
    "budget spent": "More time may help: --time-limit.",
    "solver gave up": "More time, or an example to begin with: your own tests (--learn-from), a doctest.",
    "could not be built": _FACTORY,
    "did not depend": _STATE,
    "lost at a call into C": _OPAQUE,
    "preconditions": "The preconditions in [tool.tracetwin] may exclude it.",
    "limits of generated inputs": _LONGER,
    "configuration does not let": "The configuration forbids to call it: see `forbid` in [tool.tracetwin].",
    "refused": "The walls refuse what the code wants to do: --allow lets it.",
    "no test could be written": _UNSTABLE,
    "not reached by any public": "No call came here: more time, or --private for private ones at first.",
    "while the module is imported": "No test can change how a module was imported.",
    "no path that was found": _SHOW,
    "no input or sequence": _SHOW,
    "none notices it": "A value for which the change matters is missing; a test by hand may be shortest.",
}
"""Sentences by what the reason says."""


def advice(reason: str) -> str:
    """Return a sentence on what would help, "" where nothing is known."""
    return next((sentence for words, sentence in _ADVICE.items() if words in reason), "")


_NEAR: Final = "Tests come near, but do not go on to here"
_CALL: Final = re.compile(r"(?<!def )\b([^\W\d]\w*)\(")
_CALLED: Final = "Its function is called here"
_BEYOND: Final = "Its function is called where no test comes, either"

MOST_NAMED: Final = 8
"""Tests that are named for one line or side, those first that run little else."""



@dataclass(frozen=True)
class BranchSide:
    """One way on from a line.

    Attributes:
        target: the line that it leads to; `OUT`: it leaves the function.
        state: ``covered``, ``infeasible`` or ``missed``.
        tests: numbers of tests that take it, at most `MOST_NAMED`.
        reason: why none does.
        condition: in Python's words, of a node of the constraint tree that nobody solved.
        nearest: an input that came to the condition and went the other way.
    """

    target: int
    state: str
    tests: tuple[int, ...] = ()
    count: int = 0
    reason: str = ""
    help: str = ""
    condition: str = ""
    nearest: str = ""

    @property
    def words(self) -> str:
        """Where it leads to, in words."""
        return way_on(self.target)


@dataclass(frozen=True)
class SourceLine:
    """One line of a module.

    Attributes:
        state: ``covered``, ``partial`` (a side of it is missed), ``missed``, ``infeasible``, or ``none``
            where there is nothing to run, or only importing runs it.
        tests: numbers of tests that run it, at most `MOST_NAMED`.
        reason: why none does.
        sides: the ways on, where there are several.
        survivors: changes of it that tests run and do not notice.
        behind: how near tests come: the line from which none goes on to this one, or where its function is
            called; 0 where that is not known.
        near: the same as a sentence, with a colon before that line.
    """

    number: int
    state: str
    tests: tuple[int, ...] = ()
    count: int = 0
    reason: str = ""
    help: str = ""
    sides: tuple[BranchSide, ...] = ()
    survivors: tuple[str, ...] = ()
    behind: int = 0
    near: str = ""


def way_on(target: int) -> str:
    """Return where a side leads to, in words."""
    return f"to line {target}" if target > 0 else "out of the function"


class SourceLines:
    """All that is known of the lines of a module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._misses = {miss.line: miss.reason for miss in module.misses}
        self._by_line = _indexed(module.cases, "lines")
        self._by_side = _indexed(module.cases, "branches")
        self._goals: dict[int, list[ReportedGoal]] = {}
        for goal in module.goals:
            self._goals.setdefault(goal.line, []).append(goal)
        self._survivors: dict[int, list[str]] = {}
        for mutant in module.mutants:
            if mutant.fate == "survived":
                self._survivors.setdefault(mutant.line, []).append(mutant.change)
        self._behind = _behind(module, self._misses)
        self._nodes: dict[int, list[tuple[ReportedNode, Sequence[ReportedNode]]]] = {}
        for function in module.functions:
            for node in function.tree.nodes if function.tree else ():
                nodes = function.tree.nodes if function.tree else ()
                if node.line and node.state in ("unknown", "pending", "infeasible"):
                    self._nodes.setdefault(node.line, []).append((node, nodes))

    def at(self, number: int) -> SourceLine:
        """Return what is known of one line."""
        sides = tuple(self._sides(number))
        tests = self._by_line.get(number, [])
        reason = self._misses.get(number, "")
        survivors = tuple(self._survivors.get(number, ()))
        state = "none"
        if reason:
            state = "infeasible" if reason.startswith("infeasible") else "missed"
        elif any(side.state == "missed" for side in sides):
            state = "partial"
        elif tests or sides:
            state = "covered"
        named, count = tuple(tests[:MOST_NAMED]), len(tests)
        behind, near = self._behind.get(number, (0, ""))
        return SourceLine(number, state, named, count, reason, advice(reason), sides, survivors, behind, near)

    def _sides(self, number: int) -> list[BranchSide]:
        found = []
        for goal in self._goals.get(number, ()):
            if goal.ends:
                target = goal.ends[1]
                if goal.fate == "covered":
                    tests = self._by_side.get((number, target), [])
                    found.append(BranchSide(target, "covered", tuple(tests[:MOST_NAMED]), len(tests)))
                else:
                    state = "infeasible" if goal.fate == "infeasible" else "missed"
                    condition, nearest = self._unsolved(number)
                    why = advice(goal.reason)
                    found.append(BranchSide(target, state, (), 0, goal.reason, why, condition, nearest))
        return found

    def _unsolved(self, number: int) -> tuple[str, str]:
        """A condition of a line that nobody solved, and an input that went the other way there."""
        for node, nodes in self._nodes.get(number, ()):
            beside = [one for one in nodes if one.parent == node.parent and one.values]
            values: Mapping[str, str] = beside[0].values if beside else {}
            return node.text, ", ".join(f"{name} = {value}" for name, value in values.items())
        return "", ""


def _behind(module: Module, missed: Collection[int]) -> dict[int, tuple[int, str]]:
    """For missed lines how near tests come, with a sentence; what follows in a row is behind the same."""
    ways = (goal.ends for goal in module.goals)
    before = {way[1]: way[0] for way in ways if way and way[0] not in missed}
    runs = {line for case in module.cases for line in case.lines}
    callers, functions = _callers(module, missed), functions_of(module)
    found: dict[int, tuple[int, str]] = {}
    last = 0
    for line in sorted(missed):
        if last and not runs.isdisjoint(range(last, line)):
            last = 0
        if line in before:
            found[line] = before[line], _NEAR
        elif last in found:
            found[line] = found[last]
        elif caller := callers.get(functions[line].rpartition(".")[2]):
            found[line] = caller, _BEYOND if caller in missed else _CALLED
        last = line
    return found


def _callers(module: Module, missed: Collection[int]) -> dict[str, int]:
    """The first line with a call of each name, one that runs if there is any."""
    found: dict[str, int] = {}
    for at, text in enumerate(module.source.split("\n"), 1):
        for name in _CALL.findall(text):
            if name not in found or (found[name] in missed and at not in missed):
                found[name] = at
    return found


def _indexed(cases: Sequence[ReportedTest], what: str) -> dict[object, list[int]]:
    """The tests that cover each line or side, those first that cover little else."""
    found: dict[object, list[int]] = {}
    for number in sorted(range(len(cases)), key=lambda at: len(cases[at].lines)):
        for place in getattr(cases[number], what):
            found.setdefault(place, []).append(number)
    return found


def functions_of(module: Module) -> dict[int, str]:
    """Return the function that each missed line belongs to, "" outside of all."""
    explored = {miss.line: one.name for one in module.functions for miss in one.misses}
    return {miss.line: miss.function or explored.get(miss.line, "") for miss in module.misses}


def only_here(module: Module) -> list[list[str]]:
    """Return for each test what it alone does, in words."""
    return [
        [
            *(f"runs line {line}" for line in alone.lines),
            *(f"goes from line {start} {way_on(end)}" for start, end in alone.branches),
            *(_mutant(number, module) for number in alone.mutants),
        ]
        for alone in met_alone(module.cases)
    ]


def _mutant(number: int, module: Module) -> str:
    if number >= len(module.mutants):
        return f"notices change {number}"
    mutant = module.mutants[number]
    return f"notices in line {mutant.line} that {mutant.change}"
