"""The criterion `def-use`: branches, then definition-use pairs of classes (Buy, Orso, Pezze) and variables.

Pairs of attributes come after the branches of each method. A pair belongs to the method that its use stands
in; the members of a class share their summaries, and all runs are paid for by the exploration that is going
on. Pairs of variables are told by runs of the cases that are kept, of functions one for each path.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import Any, Final

from tracetwin.analysis.flow.variables import VariablePair, variable_pairs
from tracetwin.explore.criteria.base import Hunt, Shard, SuiteCoverage, fate_of, open_goals
from tracetwin.explore.criteria.branch import BranchCriterion
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.loop.run import Executor, Run
from tracetwin.explore.loop.shown import FLOW, flow_entries, flow_entry, flows_of
from tracetwin.explore.summaries.forward import forward_runs
from tracetwin.explore.summaries.pairs import QUICK, THOROUGH, AttributePair, PairResult, PairSearch, executed
from tracetwin.explore.summaries.static_pairs import pairs_of
from tracetwin.explore.summaries.study import ClassStudy, Studies
from tracetwin.explore.summaries.wording import call_text
from tracetwin.model.case import RESULT, WHOLE, Case
from tracetwin.model.goal import Goal, GoalFate
from tracetwin.model.invokable import Invokable
from tracetwin.solving import Solver
from tracetwin.support.data import dataclass

PAIR: Final = f"{WHOLE}pair:"
"""Before the class and the number of a pair, in what a case shows."""


class DefUseCriterion(BranchCriterion):
    """Each use of an attribute or a variable after each of its definitions that can reach it."""

    name = "def-use"
    noun = "definition-use pair"
    listed_as = "pairs"
    wants_flows = True

    def hunt(self, shard: Shard) -> Hunt | None:
        """Return the search for the pairs of a class; functions have none."""
        return PairHunt(shard) if shard.members[0].kind in ("method", "property") else None

    def is_reported(self, goal: tuple[Hashable, ...]) -> bool:
        shown = goal[0] == "shown" and str(goal[1]).startswith((WHOLE, FLOW))
        return shown or super().is_reported(goal)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        of_variables = (
            self._of_variable(pair, written)
            for pair in variable_pairs(written.text.source, written.text.module)
        )
        return [*(goal for goal in written.found if goal.criterion == self.name), *of_variables]

    def _of_variable(self, pair: VariablePair, written: SuiteCoverage) -> Goal:
        """A definition and a use of a variable."""
        begin = f"line {pair.define}" if pair.define else "what the caller gave"
        name = f"{pair.variable} of {pair.function}, from {begin} to line {pair.use}"
        function = written.function(pair.use) or pair.function
        if flow_entry(*pair) in written.shown:
            return Goal(self.name, name, function, pair.use, GoalFate.COVERED)
        missing = [line for line in (pair.use, pair.define) if line and line not in written.covered_lines]
        reason = next(filter(None, map(written.why_line, missing)), Obstacle.NOT_FOUND.value)
        return Goal(self.name, name, function, pair.use, fate_of(reason), reason)

    def told(self, goals: Sequence[Goal]) -> Iterator[str]:
        return open_goals(self, goals)


@dataclass
class _Purse(Budget):
    """Pays out of whichever budget is at hand, and counts."""

    taken: int = 0

    def take(self) -> None:
        self.taken += 1
        super().take()


class PairHunt:
    """The search for the pairs of one class; shared by the explorations of its members."""

    def __init__(self, shard: Shard) -> None:
        self._text = shard.text
        self._members = {member.qualname: member for member in shard.members}
        self._class = shard.members[0].owner
        self._flows = flow_entries(shard.text.source, shard.text.module)
        self._purse = _Purse(None, math.inf)
        self._studies = Studies(shard.text.module, shard.executor, shard.solver, self._purse)
        self._pairs: list[AttributePair] = pairs_of(shard.text.source, shard.text.module, self._class)
        self._search: PairSearch | None = None
        self._study: ClassStudy | None = None
        self._tried: set[str] = set()
        self._cases: dict[str, list[Case]] = {}

    def explore(self, invokable: Invokable, budget: Budget, seconds: float) -> int:
        """Search sequences for the pairs of a member; returns how many runs that took."""
        before = self._purse.taken
        self._purse.whole = budget
        mine = self._of(invokable)
        if mine and not budget.spent():
            search, study = self._searching()
            executor, solver = self._studies.executor, self._studies.solver
            for run in all_ways(search, study, executor, solver, self._purse, mine):
                if run.is_readable:
                    self._cases.setdefault(invokable.qualname, []).append(self._case(run, seconds))
            if not budget.spent():
                self._tried.add(invokable.qualname)
        return self._purse.taken - before

    def finished(self, invokable: Invokable) -> bool:
        """Return whether the fate of each of a member's pairs is as good as it gets."""
        return invokable.qualname in self._tried or not self._of(invokable)

    def cases(self, invokable: Invokable) -> list[Case]:
        """Return the cases found for a member's pairs."""
        return list(self._cases.get(invokable.qualname, ()))

    def goals(self, invokable: Invokable) -> list[Goal]:
        """Return the pairs of a member with their fates."""
        search = self._search or PairSearch(self._pairs, {}, self._studies.executor, self._purse)
        return [
            goal_of(result, self._class, invokable.qualname)
            for result in search.results.values()
            if self._member_of(result.pair) == invokable.qualname
        ]

    def _of(self, invokable: Invokable) -> list[int]:
        return [pair.number for pair in self._pairs if self._member_of(pair) == invokable.qualname]

    def _searching(self) -> tuple[PairSearch, ClassStudy]:
        if self._search is None or self._study is None:
            self._study = self._studies.of(self._class, self._members.values())
            executor = self._studies.executor
            self._search = PairSearch(self._pairs, self._study.summaries, executor, self._purse)
        return self._search, self._study

    def _member_of(self, pair: AttributePair) -> str:
        """The member that looks for a pair: the one of its use, else the first one."""
        named = pair.use.method
        return named if named in self._members else next(iter(self._members))

    def _case(self, run: Run, seconds: float) -> Case:
        member = self._members[run.request.target]
        shows = [f"{PAIR}{self._class}:{number}" for number in sorted(executed(run, self._pairs))]
        shows += sorted(self._flows.intersection(flows_of(run)))
        return Case(
            self._text.module,
            member.qualname,
            member.kind,
            run.steps,
            run.patches,
            origin=f"{run.status} {run.detail}".strip(),
            shows=(*shows, f"{RESULT}{member.qualname}:{run.result}"),
            found=seconds,
        )


def all_ways(
    search: PairSearch,
    study: ClassStudy,
    executor: Executor,
    solver: Solver,
    budget: Budget,
    only: Collection[int] | None = None,
    *,
    again: bool = False,
) -> Iterator[Run]:
    """Deduce briefly, then call forwards on real objects, then deduce at length; gives runs that cover pairs.

    Args:
        search: the pairs.
        study: their class.
        executor: runs requests.
        solver: answers questions.
        budget: every run is taken from it.
        only: the numbers of the pairs that are wanted.
        again: see `PairSearch.search`.
    """
    if not study.summaries:
        return
    yield from search.search(QUICK, only, again=again)
    if search.open_pairs(only):
        runs = forward_runs(executor, solver, study.words, list(study.summaries), budget)
        yield from search.take(runs, only)
    yield from search.search(THOROUGH, only)


def goal_of(result: PairResult, class_: str, function: str) -> Goal:
    """Return a pair as a goal of the function that looks for it."""
    pair = result.pair
    way = " to ".join(f"{spot.method} ({spot.line})" for spot in (pair.define, pair.use))
    name = f"pair {pair.number:02} of {pair.attribute}, {way}"
    row = {"class": class_, **row_of(result)}
    return Goal(DefUseCriterion.name, name, function, pair.use.line, result.fate, result.why, row)


def row_of(result: PairResult) -> dict[str, Any]:
    """One pair as plain data."""
    pair = result.pair
    return {
        "number": pair.number,
        "attribute": pair.attribute,
        "define": pair.define._asdict(),
        "use": pair.use._asdict(),
        "status": result.fate.value,
        "why": result.why,
        "sequence": call_text(result.run) if result.fate is GoalFate.COVERED and result.run else "",
    }


CRITERION: Final = DefUseCriterion()
