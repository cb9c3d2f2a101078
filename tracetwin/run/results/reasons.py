"""Words for why a line is infeasible or not covered, by the outermost guard that was not passed.

The reason of the outermost guard (`tracetwin.analysis.guards`) that was not passed the right way is the
reason of the line.

The function around a line, and the receiver's part in the condition on it.

Runs that ended before the target had answered: how they are told.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from tracetwin.analysis.guards import EXCEPTION, Guard, guards_of
from tracetwin.analysis.optional_imports import needed_import
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.loop.run import PREPARING
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.invokable import Invokable
from tracetwin.model.status import LIMITS, Status
from tracetwin.process.walls.acts import act_of
from tracetwin.support.text import listed

if TYPE_CHECKING:
    from tracetwin.run.results.assemble import ExploredModule
    from tracetwin.run.results.module_result import ModuleResult

BRANCH: Final = "branch"


def reasons_of_before(state: ExploredModule) -> tuple[dict[int, str], dict[int, str]]:
    """Return why lines, and branches by lines, are not covered in functions that were not explored again."""
    before = state.before
    if before is None:
        return {}, {}
    moves = dict(_moves(state, before))
    lines = {
        miss.line + moves[function.qualname]: miss.reason
        for function in before.functions
        if function.qualname in moves
        for miss in function.uncovered
    }
    sides = {
        goal.line + moves[goal.function]: goal.reason
        for goal in before.goals
        if goal.criterion == BRANCH and goal.reason and goal.function in moves
    }
    return lines, sides


def _moves(state: ExploredModule, before: ModuleResult) -> list[tuple[str, int]]:
    """How many lines further down each function is that was not explored again."""
    return [
        (function.qualname, state.invokables[function.qualname].first_line - function.first_line)
        for function in before.functions
        if function.qualname in state.invokables
        and function.qualname not in state.outcomes
        and function.qualname in state.settled
    ]


class SiteLike(Protocol):
    """The part of a site that reasons need."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def line(self) -> int:
        """Its line in the original source."""


class Reasons:
    """Explains the uncovered lines of one module."""

    def __init__(
        self,
        tree: ast.Module,
        sites: Iterable[SiteLike],
        explored: Iterable[tuple[Invokable, ExplorationOutcome]] = (),
        dropped: Mapping[str, Mapping[int, str]] | None = None,
        forbidden: Callable[[str], bool] = lambda qualname: False,
        covered: Collection[int] = (),
    ) -> None:
        """Take in what is known.

        Args:
            tree: the module.
            sites: its conditions.
            explored: what was explored, and what came of it.
            dropped: per function, lines that only inputs reach of which no test could be made, and why.
            forbidden: whether the user does not let something be called, by its qualified name.
            covered: lines that tests run.
        """
        self._tree = tree
        self._places = Places(tree)
        self._forbidden = forbidden
        self._covered = frozenset(covered)
        self._explored = list(explored)
        self._dropped = dropped or {}
        self._before: tuple[Mapping[int, str], Mapping[int, str]] = ({}, {})
        self._sites: dict[int, list[int]] = {}
        for site in sites:
            self._sites.setdefault(site.line, []).append(site.id)

    def take_over(self, lines: Mapping[int, str], sides: Mapping[int, str]) -> None:
        """Take in reasons for lines, and for branches by lines, of functions that were not explored now."""
        self._before = lines, sides

    def explain(self, line: int, invokable: Invokable | None, outcome: ExplorationOutcome | None) -> str:
        """The reason why `line`, which belongs to `invokable`, was not covered, in a few words."""
        if invokable is None:
            return self._explain_helper(line)
        if invokable.problem:
            return invokable.problem
        if outcome is not None and line in self._dropped.get(invokable.qualname, {}):
            return f"reached, but no test could be written: {self._dropped[invokable.qualname][line]}"
        if outcome is None:
            return self._before[0].get(line, Obstacle.SPENT.value)
        guards = [
            guard for guard in guards_of(self._tree, line)
            if invokable.first_line <= guard.line <= invokable.last_line
        ]  # fmt: skip
        for guard in guards:
            reason = self._blame(guard, invokable, outcome)
            if reason or (not outcome.fates and (reason := self._places.waits_for_import(guard))):
                return reason
        return self._general(outcome, exception=any(guard.outcome == EXCEPTION for guard in guards))

    def explain_side(
        self, line: int, way: int, invokable: Invokable | None, outcome: ExplorationOutcome | None
    ) -> str:
        """The reason why the condition of a line never had an outcome, "" where nothing is known."""
        if outcome is None and line in self._before[1]:
            return self._before[1][line]
        known = [(invokable, outcome)] if invokable and outcome else self._explored
        told = [reason for i, o in known if (reason := self._blame(Guard(line, way), i, o))]
        # Proved for one caller says nothing about the others.
        return min(told, key=lambda reason: reason == Obstacle.INFEASIBLE.value, default="")

    def function(self, line: int) -> str:
        """The qualified name of the function that a line belongs to, "" outside of all."""
        found = self._places.around(line)
        return found[0] if found is not None else ""

    def _explain_helper(self, line: int) -> str:
        """The reason for a line of a function that no test calls directly, from what its callers tried."""
        found = self._places.around(line)
        if found is None:
            return "runs only while the module is imported otherwise"
        name, around = found
        for guard in guards_of(self._tree, line):
            if not around.lineno <= guard.line <= (around.end_lineno or around.lineno):
                continue
            if told := self.explain_side(guard.line, guard.outcome, None, None):
                return told
        if self._forbidden(name):
            return "the configuration does not let it be called"
        if not self._covered.isdisjoint(range(around.body[0].lineno, (around.end_lineno or 0) + 1)):
            complete = all(outcome.complete for _, outcome in self._explored)
            return str((Obstacle.NOT_FOUND if complete else Obstacle.SPENT).value)
        return "not reached by any public function or method that was explored"

    def _blame(self, guard: Guard, invokable: Invokable, outcome: ExplorationOutcome) -> str:
        """Why a guard was not passed, or "" when it was."""
        if guard.outcome == EXCEPTION:
            return ""
        fates: Mapping[tuple[int, int], tuple[Obstacle, str]] = outcome.fates
        for site in self._sites.get(guard.line, []):
            if (site, guard.outcome) in fates:
                fate = fates[site, guard.outcome][0]
                imported = "" if fate is Obstacle.INFEASIBLE else self._places.waits_for_import(guard)
                return imported or self._say(fate, guard.line, invokable, outcome)
        return ""

    def _say(self, fate: Obstacle, line: int, invokable: Invokable, outcome: ExplorationOutcome) -> str:
        if fate is Obstacle.INFEASIBLE and not invokable.typed:
            return "infeasible for the argument types tried"
        if fate in (Obstacle.NOT_FOUND, Obstacle.SPENT) and (broken := _broken_off(outcome)):
            return broken
        if fate is Obstacle.CONCRETE and self._places.asks_for_state(line):
            return _STATE.format(line) if outcome.complete else str(Obstacle.SPENT.value)
        if fate is Obstacle.CONCRETE:
            return _lost(outcome, invokable) or self._elsewhere(line, invokable, outcome)
        return f"{fate.value} (line {line})" if fate is Obstacle.GAVE_UP else str(fate.value)

    def _elsewhere(self, line: int, invokable: Invokable, outcome: ExplorationOutcome) -> str:
        """Return a reason for a condition that no argument showed in, and that no call of its own lost."""
        lost = _told(sorted(outcome.statistics.losses))
        if invokable.kind not in ("method", "property") or not self._places.looks_at_state(line):
            return lost or f"{Obstacle.CONCRETE.value} (line {line})"
        # What other methods lost may have come to it by the object, and need not have.
        return str((Obstacle.NOT_FOUND if outcome.complete else Obstacle.SPENT).value)

    def _general(self, outcome: ExplorationOutcome, *, exception: bool) -> str:
        """No guard is to blame: what else ended the runs before the line."""
        ended = _ended(outcome) or _refused(outcome)
        if ended:
            return ended
        if broken := _broken_off(outcome):
            return broken
        lost = _told(sorted(outcome.statistics.losses))
        if lost:
            return lost
        if exception:
            return "no input was found that raises the exception handled here"
        if outcome.exhausted:
            return "no path that was found leads here"
        return str((Obstacle.NOT_FOUND if outcome.complete else Obstacle.SPENT).value)


class OutsideReasons(Reasons):
    """Explains the uncovered lines of a module of which no condition is known."""

    def __init__(
        self,
        functions: Iterable[FunctionLike],
        explored: Iterable[tuple[Invokable, ExplorationOutcome]] = (),
        dropped: Mapping[str, Mapping[int, str]] | None = None,
    ) -> None:
        super().__init__(ast.Module([], []), (), explored, dropped)
        self._inside = frozenset(line for function in functions for line in function.lines)

    def _explain_helper(self, line: int) -> str:
        if line in self._inside:
            return "not reached by any public function or method that was explored"
        return "runs only while the module is imported otherwise"

    def _general(self, outcome: ExplorationOutcome, *, exception: bool) -> str:
        ended = _ended(outcome) or _refused(outcome)
        if ended:
            return ended
        return _NOT_FROM_OUTSIDE if outcome.complete else Obstacle.SPENT.value


class FunctionLike(Protocol):
    """The part of a function that reasons need."""

    @property
    def lines(self) -> frozenset[int]:
        """Its executable lines."""


def _ended(outcome: ExplorationOutcome) -> str:
    """How all runs ended before the target did anything, or ""."""
    for beginning, words in _ENDINGS.items():
        if outcome.endings and all(ending.startswith(beginning) for ending in outcome.endings):
            return words + next(iter(outcome.endings)).removeprefix(beginning).strip().removeprefix("was ")
    return ""


def _broken_off(outcome: ExplorationOutcome) -> str:
    """Why runs were given up of which nobody knows how far they came, or ""."""
    return "".join(f"runs that may lead here were given up: {cause}" for cause, _ in causes(outcome)[:1])


def _refused(outcome: ExplorationOutcome) -> str:
    """Return the refusals of the walls before runs could come to the line, or ""."""
    acts = {act_of(event): None for event, _, word in sorted(outcome.statistics.refused) if word != PREPARING}
    return f"refused before it is reached: to {listed(list(acts))}" if acts else ""


_STATE = "no sequence of calls that was tried brings the object into the state that line {} asks for"
_NOT_FROM_OUTSIDE = "explored from outside: no input that was tried leads here"
_GIVEN_UP = "every run was given up: "
_ENDINGS = {
    Status.SETUP: "argument could not be built: ",
    Status.UNFIT: "no input was found that keeps the preconditions",
    **dict.fromkeys(LIMITS, _GIVEN_UP),
}
"""How all runs of a target may have ended before it did anything, and how that is said."""


def _lost(outcome: ExplorationOutcome, invokable: Invokable) -> str:
    """The calls into C code in which values were lost: those of its arguments and in its own lines."""
    losses = sorted(outcome.statistics.losses)
    own = [loss for loss in losses if not loss[1] or invokable.first_line <= loss[1] <= invokable.last_line]
    return _told(own)


def _told(losses: Sequence[tuple[str, int]]) -> str:
    if not losses:
        return ""
    told = (f"{name} (line {line})" if line else f"{name} of an argument" for name, line in losses[:3])
    return f"value lost at a call into C code: {', '.join(told)}"


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef


class Places:
    """The functions of one module by their lines."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._found = list(_definitions(tree, ""))

    def around(self, line: int) -> tuple[str, Definition] | None:
        """The innermost function that a line belongs to, with its qualified name; None outside of all."""
        spanning = [
            pair for pair in self._found if pair[1].lineno <= line <= (pair[1].end_lineno or pair[1].lineno)
        ]
        return max(spanning, key=lambda pair: pair[1].lineno, default=None)

    def asks_for_state(self, line: int) -> bool:
        """Return True if the condition on a line is only about the receiver of the method around it."""
        receiver, names = self._names(line)
        return receiver in names and all(name == receiver or hasattr(builtins, name) for name in names)

    def looks_at_state(self, line: int) -> bool:
        """Return True if the condition on a line is, among others, about the receiver of its method."""
        receiver, names = self._names(line)
        return receiver in names

    def waits_for_import(self, guard: Guard) -> str:
        """Return the reason of a condition that nothing but an optional import decides, "" for others."""
        found = self.around(guard.line)
        for test in () if found is None else _tests(found[1]):
            needed = needed_import(self._tree, test, guard.outcome) if test.lineno == guard.line else None
            if needed is not None:
                return f"decided by whether {needed.module} can be imported (line {needed.line})"
        return ""

    def _names(self, line: int) -> tuple[str, set[str]]:
        """Return the name of the receiver in the function around a line, and the names in the condition."""
        found = self.around(line)
        if found is None or "." not in found[0]:
            return "", set()
        first = next(iter([*found[1].args.posonlyargs, *found[1].args.args]), None)
        tests = [test for test in _tests(found[1]) if test.lineno == line]
        names = {node.id for test in tests for node in ast.walk(test) if isinstance(node, ast.Name)}
        return ("" if first is None else first.arg), names


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Definition]]:
    for child in ast.iter_child_nodes(node):
        inner = prefix
        if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
            inner = f"{prefix}{child.name}."
            if isinstance(child, FUNCTIONS):
                yield inner[:-1], child
        yield from _definitions(child, inner)


def _tests(function: Definition) -> Iterator[ast.expr]:
    """The conditions of a function's statements, and what its loops go through."""
    for node in ast.walk(function):
        for name in ("test", "iter"):
            test = getattr(node, name, None)
            if isinstance(test, ast.expr) and isinstance(node, (ast.stmt, ast.IfExp)):
                yield test


def causes(outcome: ExplorationOutcome) -> list[tuple[str, int]]:
    """Why runs of a target were given up, each with how often."""
    found = sorted(outcome.endings.items())
    return [(_cause(ending), times) for ending, times in found if ending.partition(" ")[0] in LIMITS]


def sentences(outcome: ExplorationOutcome) -> Iterator[str]:
    """One sentence per cause, and what followed from it."""
    runs = outcome.statistics.runs
    for cause, times in causes(outcome):
        yield f"{times} of its {runs} runs {'was' if times == 1 else 'were'} given up: {cause}"
    if struck := outcome.statistics.strikes.sentence():
        yield struck


def _cause(ending: str) -> str:
    status, _, detail = ending.partition(" ")
    return detail.removeprefix("was ") or status
