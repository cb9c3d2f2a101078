"""Words for why a line is infeasible or not covered, by the outermost guard that was not passed.

The reason of the outermost guard (`tracetwin.analysis.guards`) that was not passed the right way is the
reason of the line.

Runs that ended before the target had answered: how they are told.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from tracetwin.analysis.entries import Awaited, WayIn, entry_of
from tracetwin.analysis.guards import EXCEPTION, Guard, guards_of
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.loop.run import PREPARING
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.invokable import Invokable
from tracetwin.model.status import LIMITS, Status
from tracetwin.process.walls.acts import act_of
from tracetwin.run.results.losses import Losses
from tracetwin.run.results.places import Places, brackets
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
        module: str = "",
    ) -> None:
        """Take in what is known.

        Args:
            tree: the module.
            sites: its conditions.
            explored: what was explored, and what came of it.
            dropped: per function, lines that only inputs reach of which no test could be made, and why.
            forbidden: whether the user does not let something be called, by its qualified name.
            covered: lines that tests run.
            module: its name.
        """
        self._tree = tree
        self._places = Places(tree)
        self._losses = Losses(self._places, module)
        self._forbidden = forbidden
        self._covered = frozenset(covered)
        self._explored = list(explored)
        self._dropped = dropped or {}
        self._before: tuple[Mapping[int, str], Mapping[int, str]] = ({}, {})
        self._sites: dict[int, list[int]] = {}
        self._lines: dict[int, int] = {}
        inside = brackets(tree)
        for site in sites:
            self._lines[site.id] = site.line
            for line in {site.line, inside.get(site.line, site.line)}:
                self._sites.setdefault(line, []).append(site.id)

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
        came = frozenset(self._lines.get(side >> 1, 0) for side in outcome.covered)
        if line in came:
            return _CAME
        entry = self._entry(line, invokable, came)
        if entry is not None:
            return self._at(entry, invokable, outcome)
        guards = [
            guard for guard in guards_of(self._tree, line)
            if invokable.first_line <= guard.line <= invokable.last_line
        ]  # fmt: skip
        for guard in guards:
            reason = self._blame(guard, invokable, outcome)
            if reason or (not outcome.fates and (reason := self._places.waits_for_import(guard))):
                return reason
        return self._general(outcome)

    def _entry(self, line: int, invokable: Invokable, came: Collection[int]) -> WayIn | None:
        """The way in to a line from lines of its function that are run, None where none of them is."""
        found = self._places.around(line)
        passed = self._covered.union(self._dropped.get(invokable.qualname, ()), came)
        entry = None if found is None else entry_of(found[1], line, passed)
        return entry if entry is not None and entry.after else None

    def _at(self, entry: WayIn, invokable: Invokable, outcome: ExplorationOutcome) -> str:
        """The reason why no run goes in where a line is behind."""
        if entry.handler is not None and entry.guard is not None and entry.guard.outcome == EXCEPTION:
            tried = range(entry.handler.first, entry.handler.last + 1)
            return _cut_short(outcome) or self._losses.within(tried, outcome) or _awaited(entry.handler)
        if entry.guard is not None:
            reason = self._blame(entry.guard, invokable, outcome)
            reason = reason or self._places.waits_for_import(entry.guard)
            sides = {site * 2 + entry.guard.outcome for site in self._sites.get(entry.guard.line, ())}
            if not reason and not sides.isdisjoint(outcome.covered):
                return _CAME
            return reason or self._general(outcome)
        return _cut_short(outcome) or self._losses.within(range(entry.after, entry.line), outcome) or (
            self._general(outcome)
        )

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

    def rest(self, outcome: ExplorationOutcome | None) -> str:
        """Return the reason that is left where nothing is to blame: what was tried did not lead there.

        Without an outcome all of them count.
        """
        tried = [one for _, one in self._explored] if outcome is None else [outcome]
        return str((Obstacle.NOT_FOUND if all(one.complete for one in tried) else Obstacle.SPENT).value)

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
        entry = entry_of(around, line, self._covered)
        if entry is not None and entry.after:
            awaited = "" if entry.handler is None else _awaited(entry.handler)
            guard = entry.guard
            return awaited or (guard and self.explain_side(guard.line, guard.outcome, None, None)) or (
                self.rest(None)
            )
        if self._forbidden(name):
            return "the configuration does not let it be called"
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
        if fate in (Obstacle.SPENT, Obstacle.NOT_FOUND) and self._places.is_fixed(line):
            fate = Obstacle.CONCRETE  # no run to come can show anything else
        if fate is Obstacle.INFEASIBLE and not invokable.typed:
            return "infeasible for the argument types tried"
        open_ended = (Obstacle.REFUTED, Obstacle.NOT_FOUND, Obstacle.SPENT)
        if fate in open_ended and (broken := _broken_off(outcome)):
            return broken
        if fate is Obstacle.CONCRETE and self._places.asks_for_state(line):
            return _STATE.format(line) if outcome.complete else str(Obstacle.SPENT.value)
        if fate is Obstacle.CONCRETE:
            refused = _refused(outcome)
            lost = self._losses.before(line, outcome, abroad=not refused)
            return lost or refused or self._elsewhere(line, invokable, outcome)
        return f"{fate.value} (line {line})" if fate is Obstacle.GAVE_UP else str(fate.value)

    def _elsewhere(self, line: int, invokable: Invokable, outcome: ExplorationOutcome) -> str:
        """Return a reason for a condition that no argument showed in, and for which no call lost one."""
        if invokable.kind not in ("method", "property") or not self._places.looks_at_state(line):
            return f"{Obstacle.CONCRETE.value} (line {line})"
        # What other methods lost may have come to it by the object, and need not have.
        return self.rest(outcome)

    def _general(self, outcome: ExplorationOutcome) -> str:
        """No guard is to blame: what else ended the runs before the line."""
        if cut := _cut_short(outcome):
            return cut
        return "no path that was found leads here" if outcome.exhausted else self.rest(outcome)


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

    def _general(self, outcome: ExplorationOutcome) -> str:
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


def _cut_short(outcome: ExplorationOutcome) -> str:
    """Return what kept runs from coming further, or ""."""
    return _ended(outcome) or _refused(outcome) or _broken_off(outcome)


def _awaited(handler: Awaited) -> str:
    """Return the reason of a handler that nothing came to."""
    lines = f"line {handler.first}"
    if handler.first != handler.last:
        lines = f"lines {handler.first} to {handler.last}"
    return f"no input was found that raises the exception handled here: {handler.kinds or 'any'} in {lines}"


def _broken_off(outcome: ExplorationOutcome) -> str:
    """Why runs were given up of which nobody knows how far they came, or ""."""
    return "".join(f"runs that may lead here were given up: {cause}" for cause, _ in causes(outcome)[:1])


def _refused(outcome: ExplorationOutcome) -> str:
    """Return the refusals of the walls before runs could come to the line, or ""."""
    acts = {act_of(event): None for event, _, word in sorted(outcome.statistics.refused) if word != PREPARING}
    return f"refused before it is reached: to {listed(list(acts))}" if acts else ""


_CAME = "a run came here, and no test of it was written"
_STATE = "no sequence of calls that was tried brings the object into the state that line {} asks for"
_NOT_FROM_OUTSIDE = "explored from outside: no input that was tried leads here"
_GIVEN_UP = "every run was given up: "
_ENDINGS = {
    Status.SETUP: "argument could not be built: ",
    Status.UNFIT: "no input was found that keeps the preconditions",
    **dict.fromkeys(LIMITS, _GIVEN_UP),
}
"""How all runs of a target may have ended before it did anything, and how that is said."""


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
