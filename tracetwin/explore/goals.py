"""What became of every branch side of a target: covered, proved infeasible, given up, never met."""

from __future__ import annotations

import enum
from collections import defaultdict
from dataclasses import dataclass, field


class Fate(enum.Enum):
    """Why a side of a site was not taken."""

    INFEASIBLE = "infeasible (proved)"
    BOUNDED = "no input within the limits of generated inputs"
    GAVE_UP = "solver gave up"
    SPENT = "budget spent"
    CONCRETE = "condition does not depend on the arguments"


@dataclass
class Attempts:
    """The answers to all attempts at one side."""

    unsat: int = 0
    bounded: int = 0
    diverged: int = 0
    unknown: list[str] = field(default_factory=list)


class GoalLedger:
    """Book of attempts by (site, outcome)."""

    def __init__(self) -> None:
        self._attempts: dict[tuple[int, int], Attempts] = defaultdict(Attempts)
        self._symbolic: set[int] = set()

    def met(self, site: int) -> None:
        """The condition at this site was symbolic once."""
        self._symbolic.add(site)

    def attempt(self, goal: tuple[int, int]) -> Attempts:
        """The record of one side."""
        return self._attempts[goal]

    def fate(self, goal: tuple[int, int], pending: set[tuple[int, int]], exhausted: bool) -> tuple[Fate, str]:
        """The fate of an untaken side of a site that was reached, with a detail.

        `exhausted` says that every path was explored and no value was lost on the way: only then is an
        unsatisfiable side proved infeasible.
        """
        site = goal[0]
        tried = self._attempts.get(goal)
        if tried is not None and tried.unknown:
            return Fate.GAVE_UP, tried.unknown[-1]
        if goal in pending:
            return Fate.SPENT, ""
        if site not in self._symbolic:
            return (Fate.INFEASIBLE if exhausted else Fate.CONCRETE), ""
        if tried is not None and tried.bounded:
            return Fate.BOUNDED, ""
        return (Fate.INFEASIBLE if exhausted else Fate.SPENT), ""
