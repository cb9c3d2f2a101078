"""Why a line was not covered: from the fate of the branch that guards it.

A line is guarded by the innermost condition around it (or by an earlier one that leaves the block). The
reason of the outermost guard that was not passed the right way is the reason of the line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from tracetwin.explore.exploration import Invokable, Outcome
from tracetwin.explore.goals import Fate


class SiteLike(Protocol):
    """What is needed of a site of the instrumenter's table."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def line(self) -> int:
        """Its line in the original source."""


@dataclass(frozen=True)
class Guard:
    """A line runs only when the condition at `line` had `outcome`; -1 stands for "an exception is raised"."""

    line: int
    outcome: int


EXCEPTION = -1


def guards_of(tree: ast.AST, line: int) -> list[Guard]:
    """The guards of a line, outermost first."""
    return list(_descend(getattr(tree, "body", []), line))


def _descend(body: Iterable[ast.stmt], line: int) -> Iterator[Guard]:
    before: list[Guard] = []
    for statement in body:
        first = min([statement.lineno, *[d.lineno for d in getattr(statement, "decorator_list", [])]])
        if first <= line <= (statement.end_lineno or first):
            yield from before
            yield from _inside(statement, line)
            return
        leaving = _leaving(statement)
        if leaving is not None:
            before.append(leaving)


def _leaving(statement: ast.stmt) -> Guard | None:
    """The outcome that an earlier ``if`` must have had, when one of its sides leaves the block."""
    if isinstance(statement, ast.If):
        if statement.body and _leaves(statement.body[-1]):
            return Guard(statement.test.lineno, 0)
        if statement.orelse and _leaves(statement.orelse[-1]):
            return Guard(statement.test.lineno, 1)
    if isinstance(statement, ast.Assert):
        return Guard(statement.test.lineno, 1)
    if isinstance(statement, ast.While):
        return Guard(statement.test.lineno, 0)
    return None


def _leaves(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _inside(statement: ast.stmt, line: int) -> Iterator[Guard]:
    """Guards within a compound statement, that of the block with the line first."""
    for guard, block in _blocks(statement):
        if _within(block, line):
            if guard is not None:
                yield guard
            yield from _descend(block, line)
            return


def _blocks(statement: ast.stmt) -> Iterator[tuple[Guard | None, list[ast.stmt]]]:
    """The blocks of a compound statement, each with what must hold for it to run."""
    decided = getattr(statement, "test", None) or getattr(statement, "iter", None)
    if isinstance(statement, (ast.If, ast.While, ast.For, ast.AsyncFor)) and decided is not None:
        yield Guard(decided.lineno, 1), statement.body
        yield Guard(decided.lineno, 0), statement.orelse
        return
    for handler in getattr(statement, "handlers", []):
        yield Guard(statement.lineno, EXCEPTION), handler.body
    for case in getattr(statement, "cases", []):
        yield Guard(case.pattern.lineno, 1), case.body
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield None, block


def _within(block: list[ast.stmt], line: int) -> bool:
    return bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or block[-1].lineno)


class Reasons:
    """Explains the uncovered lines of one module."""

    def __init__(
        self,
        tree: ast.Module,
        sites: Iterable[SiteLike],
        explored: Iterable[tuple[Invokable, Outcome]] = (),
        dropped: Mapping[str, Mapping[int, str]] | None = None,
    ) -> None:
        self._tree = tree
        self._explored = list(explored)
        self._dropped = dropped or {}
        self._sites: dict[int, list[int]] = {}
        for site in sites:
            self._sites.setdefault(site.line, []).append(site.id)

    def explain(self, line: int, invokable: Invokable | None, outcome: Outcome | None) -> str:
        """The reason why `line`, which belongs to `invokable`, was not covered, in a few words."""
        if invokable is None:
            return self._explain_helper(line)
        if invokable.problem:
            return invokable.problem
        if outcome is not None and line in self._dropped.get(invokable.qualname, {}):
            return f"reached, but no test could be written: {self._dropped[invokable.qualname][line]}"
        if outcome is None:
            return Fate.SPENT.value
        guards = [
            guard for guard in guards_of(self._tree, line)
            if invokable.first_line <= guard.line <= invokable.last_line
        ]  # fmt: skip
        for guard in guards:
            reason = self._blame(guard, invokable, outcome)
            if reason:
                return reason
        return self._general(outcome, exception=any(guard.outcome == EXCEPTION for guard in guards))

    def _explain_helper(self, line: int) -> str:
        """The reason for a line of a function that no test calls directly, from what its callers tried."""
        around = self._function_around(line)
        if around is None:
            return "runs only while the module is imported otherwise"
        for guard in guards_of(self._tree, line):
            if not around[0] <= guard.line <= around[1]:
                continue
            told = [
                reason
                for invokable, outcome in self._explored
                if (reason := self._blame(guard, invokable, outcome))
            ]
            if told:  # proved for one caller says nothing about the others
                return min(told, key=lambda reason: reason == Fate.INFEASIBLE.value)
        return "not reached by any public function or method that was explored"

    def _function_around(self, line: int) -> tuple[int, int] | None:
        around = None
        for node in ast.walk(self._tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                last = node.end_lineno or node.lineno
                if node.lineno <= line <= last and (around is None or node.lineno >= around[0]):
                    around = (node.lineno, last)
        return around

    def _blame(self, guard: Guard, invokable: Invokable, outcome: Outcome) -> str:
        """Why a guard was not passed, or "" when it was."""
        if guard.outcome == EXCEPTION:
            return ""
        fates: Mapping[tuple[int, int], tuple[Fate, str]] = outcome.fates
        for site in self._sites.get(guard.line, []):
            if (site, guard.outcome) in fates:
                return self._say(fates[site, guard.outcome][0], guard.line, invokable, outcome)
        return ""

    def _say(self, fate: Fate, line: int, invokable: Invokable, outcome: Outcome) -> str:
        if fate is Fate.INFEASIBLE and not invokable.typed:
            return "infeasible for the argument types tried"
        if fate is Fate.CONCRETE:
            return _lost(outcome) or f"{fate.value} (line {line})"
        return f"{fate.value} (line {line})" if fate is Fate.GAVE_UP else str(fate.value)

    def _general(self, outcome: Outcome, *, exception: bool) -> str:
        """No guard is to blame: what else ended the runs before the line."""
        ended = _ended(outcome)
        if ended:
            return ended
        lost = _lost(outcome)
        if lost:
            return lost
        if exception:
            return "no input was found that raises the exception handled here"
        if outcome.exhausted:
            return "no path that was found leads here"
        return str((Fate.NOT_FOUND if outcome.complete else Fate.SPENT).value)


class OutsideReasons(Reasons):
    """Explains the uncovered lines of a module of which no condition is known."""

    def __init__(
        self,
        functions: Iterable[FunctionLike],
        explored: Iterable[tuple[Invokable, Outcome]] = (),
        dropped: Mapping[str, Mapping[int, str]] | None = None,
    ) -> None:
        super().__init__(ast.Module([], []), (), explored, dropped)
        self._inside = frozenset(line for function in functions for line in function.lines)

    def _explain_helper(self, line: int) -> str:
        if line in self._inside:
            return "not reached by any public function or method that was explored"
        return "runs only while the module is imported otherwise"

    def _general(self, outcome: Outcome, *, exception: bool) -> str:
        ended = _ended(outcome)
        if ended:
            return ended
        return _NOT_FROM_OUTSIDE if outcome.complete else Fate.SPENT.value


class FunctionLike(Protocol):
    """What is needed of a function that coverage is counted for."""

    @property
    def lines(self) -> frozenset[int]:
        """Its executable lines."""


def _ended(outcome: Outcome) -> str:
    """How all runs ended before the target did anything, or ""."""
    for beginning, words in _ENDINGS.items():
        if outcome.endings and all(ending.startswith(beginning) for ending in outcome.endings):
            return words + next(iter(outcome.endings)).removeprefix(beginning).strip()
    return ""


_NOT_FROM_OUTSIDE = "explored from outside: no input that was tried leads here"
_GIVEN_UP = "every run was given up: "
_ENDINGS = {
    "setup": "argument could not be built: ",
    "died": _GIVEN_UP,
    "timeout": _GIVEN_UP,
    "endless": _GIVEN_UP,
}
"""How all runs of a target may have ended before it did anything, and how that is said."""


def _lost(outcome: Outcome) -> str:
    """The calls into C code in which values were lost, by name."""
    names = sorted({name for name, _ in outcome.statistics.losses})
    if not names:
        return ""
    losses = sorted(outcome.statistics.losses)[:3]
    lines = ", ".join(f"{name} (line {line})" if line else f"{name} of an argument" for name, line in losses)
    return f"value lost at a call into C code: {lines}"
