"""What an exploration may spend, and what it has done."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass
class Budget:
    """What an exploration may spend.

    Attributes:
        runs: executions left, or None for no limit of its own.
        deadline: `time.monotonic` value after which no new run starts.
        whole: the budget that this is a part of: spending from one spends from both.
    """

    runs: int | None
    deadline: float
    whole: Budget | None = None

    def spent(self) -> bool:
        """Whether nothing is left."""
        if self.runs is not None and self.runs <= 0:
            return True
        return time.monotonic() >= self.deadline or (self.whole is not None and self.whole.spent())

    def part(self, runs: int | None) -> Budget:
        """A budget of `runs` executions out of this one."""
        return Budget(runs, self.deadline, self)

    def take(self) -> None:
        """Pay for one run."""
        if self.runs is not None:
            self.runs -= 1
        if self.whole is not None:
            self.whole.take()


@dataclass
class Statistics:
    """Counts of one exploration."""

    runs: int = 0
    queries: int = 0
    divergences: int = 0
    unknowns: int = 0
    died: int = 0
    losses: set[tuple[str, int]] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
