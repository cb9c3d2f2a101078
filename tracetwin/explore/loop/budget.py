"""Budgets and statistics of explorations."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Final

from tracetwin.explore.loop.limit_hits import LimitHits
from tracetwin.support.data import dataclass


def by_clock(deadline: float) -> bool:
    """Return whether a `time.monotonic` value is past."""
    return time.monotonic() >= deadline


@dataclass
class Budget:
    """The runs and the time that an exploration may spend.

    Attributes:
        runs: executions left, or None for no limit of its own.
        deadline: `time.monotonic` value after which no new run starts.
        whole: the budget that this is a part of: spending from one spends from both.
        late: whether it is later than a deadline.
        hopeless: whether there is no use in spending more, whatever is left.
    """

    runs: int | None
    deadline: float
    whole: Budget | None = None
    late: Callable[[float], bool] = by_clock
    hopeless: Callable[[], bool] = bool

    def spent(self) -> bool:
        """Return whether nothing is left."""
        if (self.runs is not None and self.runs <= 0) or self.hopeless():
            return True
        return self.late(self.deadline) or (self.whole is not None and self.whole.spent())

    def part(self, runs: int | None) -> Budget:
        """A budget of `runs` executions out of this one."""
        return Budget(runs, self.deadline, self, self.late)

    def hurried(self, share: float) -> Budget:
        """A budget of this one that ends when a share of its time is over."""
        now = time.monotonic()
        return Budget(None, now + share * max(0.0, self.deadline - now), self, self.late)

    def take(self) -> None:
        """Pay for one run."""
        if self.runs is not None:
            self.runs -= 1
        if self.whole is not None:
            self.whole.take()


class RefusalCounts(Counter[tuple[str, str, str]]):
    """In how many runs something was refused, by event, detail and whose call it was, see `Run.blamed`."""

    MOST: Final = 100
    """Different acts that are counted: a target may think of a new one in each run."""

    def note(self, blamed: Iterable[tuple[str, str, str]]) -> None:
        """Count what one run was refused."""
        for act in blamed:
            if act in self or len(self) < self.MOST:
                self[act] += 1


@dataclass
class ExplorationStatistics:
    """Counts of one exploration.

    Attributes:
        refused: what the walls refused.
        strikes: what limits struck.
    """

    runs: int = 0
    queries: int = 0
    divergences: int = 0
    unknowns: int = 0
    died: int = 0
    losses: set[tuple[str, int]] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    refused: RefusalCounts = field(default_factory=RefusalCounts)
    strikes: LimitHits = field(default_factory=LimitHits)
