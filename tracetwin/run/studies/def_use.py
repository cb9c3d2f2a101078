"""The criterion `def-use` while tests are generated: cases for the definition-use pairs of one class.

It comes after the branches of each method. A pair belongs to the method that its use stands in; the searches
of a class share their summaries, and all runs are paid for by the exploration that is going on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.run import Executor, Run
from tracetwin.explore.summaries.pairs import Pair, PairSearch, executed
from tracetwin.explore.summaries.study import ClassStudy, Studies
from tracetwin.model.case import Case
from tracetwin.model.invokable import Invokable
from tracetwin.run.studies.pair_table import all_ways, row_of
from tracetwin.run.studies.static_pairs import pairs_of
from tracetwin.solving import Solver

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

SHARE: Final = 3
"""One part in so many of a budget is kept for pairs."""


@dataclass
class _Purse(Budget):
    """Pays out of whichever budget is at hand, and counts.

    Attributes:
        taken: runs paid for.
    """

    taken: int = 0

    def take(self) -> None:
        """Pay for one run."""
        self.taken += 1
        super().take()


def part_for_branches(budget: Budget, seconds: float, now: float) -> Budget:
    """What of a budget may be spent before pairs are looked for.

    Args:
        budget: the whole.
        seconds: its time.
        now: the `time.monotonic` value at which it began.
    """
    runs = None if budget.runs is None else budget.runs - budget.runs // SHARE
    return Budget(runs, now + seconds - seconds / SHARE, budget, budget.late)


class PairPhase:
    """The pairs of one class; shared by the explorations of its members."""

    def __init__(
        self, module: TargetModule, family: Sequence[Invokable], executor: Executor, solver: Solver
    ) -> None:
        """Begin with nothing searched.

        Args:
            module: the target.
            family: the members of the class.
            executor: runs requests.
            solver: answers questions.
        """
        self._module = module
        self._family = {member.qualname: member for member in family}
        self._class = family[0].owner
        self._purse = _Purse(None, math.inf)
        self._studies = Studies(module.name, executor, solver, self._purse)
        self._pairs: list[Pair] = pairs_of(module, self._class)
        self._search: PairSearch | None = None
        self._study: ClassStudy | None = None
        self._tried: set[str] = set()
        self._cases: dict[str, list[Case]] = {}

    def explore(self, invokable: Invokable, budget: Budget, seconds: float) -> int:
        """Search sequences for the pairs of a member; how many runs that took.

        Args:
            invokable: the member.
            budget: pays.
            seconds: how long the exploration of the member has lasted, to note in its cases.
        """
        before = self._purse.taken
        self._purse.whole = budget
        mine = [pair.number for pair in self._pairs if self._home(pair) == invokable.qualname]
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
        """Whether the fate of each of a member's pairs is as good as it gets."""
        mine = [pair.number for pair in self._pairs if self._home(pair) == invokable.qualname]
        return not mine or invokable.qualname in self._tried

    def cases(self, invokable: Invokable) -> list[Case]:
        """The cases found for a member's pairs."""
        return list(self._cases.get(invokable.qualname, ()))

    def rows(self, invokable: Invokable) -> list[dict[str, Any]]:
        """The fates of a member's pairs, as plain data."""
        search = self._search or PairSearch(self._pairs, {}, self._studies.executor, self._purse)
        return [
            {"class": self._class, **row_of(result)}
            for result in search.results.values()
            if self._home(result.pair) == invokable.qualname
        ]

    def _searching(self) -> tuple[PairSearch, ClassStudy]:
        if self._search is None or self._study is None:
            self._study = self._studies.of(self._class, self._family.values())
            executor = self._studies.executor
            self._search = PairSearch(self._pairs, self._study.summaries, executor, self._purse)
        return self._search, self._study

    def _home(self, pair: Pair) -> str:
        """The member that looks for a pair: the one of its use, else the first one."""
        named = pair.use.method
        return named if named in self._family else next(iter(self._family))

    def _case(self, run: Run, seconds: float) -> Case:
        member = self._family[run.request.target]
        shows = [f"pair:{self._class}:{number}" for number in sorted(executed(run, self._pairs))]
        return Case(
            self._module.name,
            member.qualname,
            member.kind,
            run.steps,
            run.patches,
            origin=f"{run.status} {run.detail}".strip(),
            shows=(*shows, f"result:{run.result}"),
            found=seconds,
        )
