"""The lines of a module and the sides of its branches: tests that take them, or why none, with advice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from tracetwin.model.goal import Goal
from tracetwin.model.written_test import met_alone
from tracetwin.report.advice import INFEASIBLE, MISSED, fate_of
from tracetwin.report.counsel import Counsel
from tracetwin.report.dependence import Prerequisite
from tracetwin.report.mutant_counsel import mutant_advice, told_apart
from tracetwin.report.result import Figures, Module, ReportedNode, ReportedTest, ends_of
from tracetwin.report.syntax import syntax_of
from tracetwin.support.data import dataclass
from tracetwin.support.text import count as counted

_UNCALLED: Final = "the lambda on this line is made, but no test calls it"
_NEAR: Final = "Tests come near, but do not go on to here"
_CALLED: Final = "Its function is called here"
_BEYOND: Final = "Its function is called where no test comes, either"

MOST_NAMED: Final = 40
"""Tests that are named for one line or side, those first that call its function and run little else."""

NOBODY: Final = -1
"""The number of no test."""


@dataclass(frozen=True)
class Nearest:
    """The input that came nearest to where none went.

    Attributes:
        words: how near that is; where no input came near, what was tried.
        call: the input: a call as source, or values by name; "" where that takes more than a line.
        test: the number of the test that has it, or `NOBODY`.
    """

    words: str
    call: str = ""
    test: int = NOBODY


@dataclass(frozen=True)
class BranchSide:
    """One way on from a line.

    Attributes:
        target: the line that it leads to; `OUT`: it leaves the function.
        state: ``covered``, or one of the kinds of reasons in `tracetwin.report.advice`.
        tests: numbers of tests that take it, at most `MOST_NAMED`.
        reason: why none does.
        when: the condition of the line under which it is taken.
        condition: in Python's words, of a node of the constraint tree that nobody solved.
        nearest: an input that came near and went another way, None for a side that is taken or infeasible.
    """

    target: int
    state: str
    tests: tuple[int, ...] = ()
    count: int = 0
    reason: str = ""
    help: str = ""
    when: str = ""
    condition: str = ""
    nearest: Nearest | None = None

    @property
    def words(self) -> str:
        """Where it leads to, in words."""
        return way_on(self.target)


@dataclass(frozen=True)
class SourceLine:
    """One line of a module.

    Attributes:
        state: ``covered``, ``partial`` (a side of it is not taken), the kind of the reason for which none
            does (see `tracetwin.report.advice`), ``excluded`` where coverage.py leaves it out, or ``none``
            where there is nothing to run, or only importing runs it.
        tests: numbers of tests that run it, at most `MOST_NAMED`.
        reason: why none does.
        sides: the ways on, where there are several.
        survivors: changes of it that tests run and do not notice, each with what a test has to do that does.
        behind: how near tests come: the line from which none goes on to this one, or where its function is
            called; 0 where that is not known.
        near: the same as a sentence, with a colon before that line.
        nearest: the input that came nearest, None where tests run it, or none can.
        checked: how many of these check it, and do not merely run it: they are the first.
        begins: the line on which the statement begins that it is in the middle of, 0 for none.
        waits: what a missed line waits for in another function.
        like: the first of the missed lines before it of which the same is told, 0 for none.
    """

    number: int
    state: str
    tests: tuple[int, ...] = ()
    count: int = 0
    reason: str = ""
    help: str = ""
    sides: tuple[BranchSide, ...] = ()
    survivors: tuple[tuple[str, str], ...] = ()
    behind: int = 0
    near: str = ""
    nearest: Nearest | None = None
    begins: int = 0
    like: int = 0
    checked: int = 0
    waits: Prerequisite | None = None


def way_on(target: int) -> str:
    """Return where a side leads to, in words."""
    return f"to line {target}" if target > 0 else "out of the function"


class SourceLines:
    """All that is known of the lines of a module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._misses = {miss.line: miss.reason for miss in module.misses}
        self._begun = {miss.line: miss.at for miss in module.misses}
        self._by_line = _indexed(module.cases, "lines")
        self._by_side = _indexed(module.cases, "branches")
        self._going = _indexed(module.cases, "branching")
        self._goals: dict[int, list[Goal]] = {}
        for goal in module.goals:
            self._goals.setdefault(goal.line, []).append(goal)
        self._syntax = syntax_of(module.source)
        self._survivors: dict[int, list[tuple[str, str]]] = {}
        for mutant, change in zip(module.mutants, told_apart(module.mutants), strict=True):
            if mutant.fate == "survived":
                helps = mutant_advice(mutant, decides=mutant.line in self._syntax.ways)
                self._survivors.setdefault(mutant.line, []).append((change, helps))
        self.counsel = Counsel(module)
        self._helps: dict[int, str] = {}
        self._functions = {line: self.counsel.function(line) for line in self._misses}
        self._behind = self._all_behind()
        self._nodes: dict[int, list[tuple[ReportedNode, Sequence[ReportedNode]]]] = {}
        self._met: set[tuple[int, str]] = set()
        for function in module.functions:
            nodes = function.tree.nodes if function.tree else ()
            for node in nodes:
                if node.state in ("unknown", "pending", "infeasible"):
                    self._nodes.setdefault(node.line, []).append((node, nodes))
                else:
                    self._met.add((node.line, node.text))

    def at(self, number: int) -> SourceLine:
        """Return what is known of one line."""
        sides = tuple(self._sides(number))
        tests = self._own_first(number, self._by_line.get(number, []))
        reason = self._misses.get(number, "")
        survivors = tuple(self._survivors.get(number, ()))
        state = "excluded" if number in self._syntax.excluded else "none"
        if reason:
            state = fate_of(reason)
        elif any(side.state not in ("covered", INFEASIBLE) for side in sides):
            state = "partial"
        elif tests or sides:
            state = "covered"
        begins = 0 if tests or sides or reason else self._begins(number)
        if begins:
            state = self.at(begins).state
        if begins and number in self._syntax.lambdas and state in ("covered", "partial") and self._is_entered:
            first = self._syntax.lambdas[number]
            tests = [one for one, case in enumerate(self._module.cases) if first in (case.entered or ())]
            state, reason = ("covered", "") if tests else (MISSED, _UNCALLED)
        behind, near = self._behind.get(number, (0, ""))
        return SourceLine(
            number, state, tuple(tests[:MOST_NAMED]), len(tests), reason,
            self._help(number), sides, survivors,
            behind, near, self._nearest(number) if reason and state != INFEASIBLE else None, begins,
            self._like.get(number, 0), sum(number in self._checked[test] for test in tests),
            self.waits(number, reason) if reason and state != INFEASIBLE else None,
        )  # fmt: skip

    def _own_first(self, number: int, tests: list[int]) -> list[int]:
        """Some tests: first those that check a line, then those that call its function."""
        name = self.counsel.called(number) if len(tests) > 1 else ""

        def rank(test: int) -> tuple[bool, bool]:
            return number not in self._checked[test], self._module.cases[test].function != name

        return sorted(tests, key=rank) if name else tests

    @cached_property
    def _checked(self) -> list[frozenset[int]]:
        """For each test the lines where it notices a change, or meets a goal that no other meets."""
        lines = [mutant.line for mutant in self._module.mutants]
        return [
            frozenset((
                *(lines[mutant] for mutant in case.mutants if mutant < len(lines)),
                *alone.lines, *(start for start, _ in alone.branches),
            ))
            for case, alone in zip(self._module.cases, met_alone(self._module.cases), strict=True)
        ]  # fmt: skip

    @cached_property
    def _is_entered(self) -> bool:
        """Tell whether it is known which lambdas tests call."""
        return all(case.entered is not None for case in self._module.cases)

    def _help(self, number: int) -> str:
        """Return what would help a missed line, "" for others."""
        if number not in self._helps:
            reason = self._misses.get(number, "")
            self._helps[number] = self.counsel.for_line(number, reason) if reason else ""
        return self._helps[number]

    @cached_property
    def _like(self) -> dict[int, int]:
        """For missed lines the first of those right before of which the same is told."""
        found: dict[int, int] = {}
        order = sorted(self._misses)
        for before, number in pairwise(order):
            if self._told(before) == self._told(number):
                found[number] = found.get(before, before)
        return found

    def _told(self, number: int) -> tuple[str, str, str, tuple[int, str]]:
        """All that is told of a missed line but for its sides."""
        behind = self._behind.get(number, (0, ""))
        return self._functions[number], self._misses[number], self._help(number), behind

    def _all_behind(self) -> dict[int, tuple[int, str]]:
        """For missed lines how near tests come, with a sentence."""
        found: dict[int, tuple[int, str]] = {}
        for line in self._misses:
            entry = self.counsel.way_in(line)
            if entry is not None:
                found[line] = entry.after, _NEAR
            elif callers := self.counsel.callers(self._functions[line]):
                caller = min(callers, key=lambda at: (at in self._misses, at))
                found[line] = caller, _BEYOND if caller in self._misses else _CALLED
        return found

    def root(self, number: int) -> int:
        """Return the first of the lines that nothing runs as long as a missed one is not: the way in to it.

        In a function that is not entered it is the way in to where that is called.
        """
        seen: set[int] = set()
        while number not in seen:
            seen.add(number)
            entry = self.counsel.way_in(number)
            if entry is not None:
                return entry.line
            caller = self._behind.get(number, (0, ""))[0]
            if caller not in self._misses or self._figures(number).runs:
                break
            number = caller
        name = self._functions.get(number, "")
        if not name:
            return self.counsel.statement(number)
        return min((line for line in self._misses if self._functions[line] == name), default=number)

    def waits(self, number: int, reason: str) -> Prerequisite | None:
        """Return the first line of all that a missed line, or a side of a line, waits for elsewhere."""
        first: Prerequisite | None = None
        seen = {self.root(number)}
        found = self.counsel.dependence.of(self._barrier(number), reason)
        while found is not None and (root := self.root(found.line)) not in seen:
            seen.add(root)
            first = Prerequisite(root, first.words if first else found.words)
            found = self.counsel.dependence.of(self._barrier(root), self._misses.get(root, ""))
        return first

    def _barrier(self, number: int) -> int:
        """The line that runs come to and do not get past on the way to a missed one."""
        return self._begun.get(number, 0) or number

    def _begins(self, number: int) -> int:
        """The line on which the statement begins that a line is in the middle of, 0 for nothing to tell."""
        first = self._syntax.starts.get(number, 0)
        return first if first in self._by_line or first in self._misses or first in self._goals else 0

    def _sides(self, number: int) -> Iterator[BranchSide]:
        for goal in self._goals.get(number, ()):
            if ends := ends_of(goal):
                target = ends[1]
                when = self._syntax.when(number, target)
                tests = self._own_first(number, self._by_side.get((number, target), []))
                if goal.fate == "covered":
                    yield BranchSide(target, "covered", tuple(tests[:MOST_NAMED]), len(tests), when=when)
                    continue
                condition, values = self._unsolved(number)
                state = fate_of(goal.reason)
                nearest = None if state == INFEASIBLE else self._nearest(number, values)
                helps = self.counsel.for_side(number, goal.reason)
                yield BranchSide(target, state, (), 0, goal.reason, helps, when, condition, nearest)

    def _unsolved(self, number: int) -> tuple[str, str]:
        """A condition of a line that no run met and nobody solved, and an input that went the other way."""
        found = self._nodes.get(number, ())
        for node, nodes in sorted(found, key=lambda one: one[0].state == INFEASIBLE):
            if (number, node.text) not in self._met:
                beside = next((one for one in nodes if one.parent == node.parent and one.values), None)
                values = beside.values if beside else {}
                return node.text, ", ".join(f"{name} = {value}" for name, value in values.items())
        return "", ""

    def coming(self, number: int) -> Nearest | None:
        """Return a test that runs a line, None where none does."""
        return self._coming(number) if number in self._by_line else None

    def _nearest(self, number: int, values: str = "") -> Nearest:
        """The input that came nearest to a line, or to where it branches."""
        if number in self._by_line:
            return self._coming(number)
        if values:
            return Nearest("came here and went another way; no test was made of it", values)
        before = self._behind.get(number, (0, ""))[0]
        return self._coming(before) if before in self._by_line else Nearest(self._tried(number))

    def _coming(self, number: int) -> Nearest:
        """A test that runs a line: those first that go on from there, and that can be told in a line."""
        cases = self._module.cases
        tests = self._going.get(number) or self._by_line[number]
        test = next((one for one in tests if cases[one].call), tests[0])
        ways = sorted(end for start, end in cases[test].branches if start == number)
        gone = f" and goes {' and '.join(map(way_on, ways))}" if ways else ""
        return Nearest(f"comes to line {number}{gone}", cases[test].call, test)

    def _figures(self, number: int) -> Figures:
        """The figures of the function of a line, with nothing in them where it was not called by itself."""
        name = self._functions.get(number, "")
        return next((one.figures for one in self._module.functions if one.name == name), Figures())

    def _tried(self, number: int) -> str:
        """A sentence on what was tried for a line that nothing came near."""
        name = self._functions.get(number, "")
        if not name:
            return "No call leads here"
        figures = self._figures(number)
        if not figures.runs:
            return f"No test comes near; {name} was not called by itself"
        tried = f"{counted(figures.runs, 'run')} and {counted(figures.queries, 'question')} to the solver"
        return f"No test comes near, after {tried} for {name}"


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
