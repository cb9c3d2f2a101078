"""Budgets and statistics of explorations, and runs that a limit ended."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import TYPE_CHECKING, Final

from tracetwin.model.status import Status
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.explore.loop.run import Run

WEIGHTS: Final = {Status.TIMEOUT: 4, Status.ENDLESS: 2, Status.DIED: 2}
"""What a run of each ending counts against the runs that came to an end; exhaustion costs next to nothing."""

FREE: Final = 12
"""Weight that is not held against anybody: three times out of time."""

SHORT_TURN: Final = 4.0
"""Seconds of a turn of which a run without an end would be a large part."""

MOST_SLOW: Final = 3
"""Runs out of time, after which the others get a part of it only; so many out of decisions halve these."""

LONGER: Final = 3
"""How often the decisions of a run are doubled where only what no input decides has used them up."""

FEW_TRACED: Final = 500
"""Conditions on inputs in a run of which more decisions may bring it to an end."""

MOST_REPEATED: Final = 2
"""Lines of one invokable where a run was ended that is made once more with more decisions."""

MOST_STOPS: Final = 40
"""Different exceptions that are counted: each may say something of its own."""


class LimitHits:
    """Counts of the limits that runs of one invokable struck.

    Nothing of it depends on a clock but through the runs themselves, so it is the same in every run.

    Attributes:
        in_short_turn: a run without an end would take a large part of the time.
        is_patient: a run may be made once more with more decisions.
        is_long: some run came to its end with more decisions than usual: all get these.
    """

    def __init__(self) -> None:
        self.places: Counter[tuple[Status, int]] = Counter()
        self.runs = 0
        self.in_short_turn = False
        self.is_long = False
        self.is_patient = True
        self._repeated: set[int] = set()

    def note(self, status: Status, line: int) -> None:
        """Take in how a run ended, and in which line (0: not known)."""
        self.runs += 1
        if status.is_limit:
            self.places[status, line] += 1

    @property
    def hurried(self) -> bool:
        """Return whether runs get less time from now on: too many took all of theirs.

        In a short turn, of which one of them would be most, it is enough that some run came to its end.
        """
        slow = self._count(Status.TIMEOUT)
        return slow >= MOST_SLOW or (self.in_short_turn and self.runs > slow)

    @property
    def halvings(self) -> int:
        """Return how often the decisions of a run are halved: the more had no end, the less is lost by it."""
        return self._count(Status.ENDLESS) // MOST_SLOW - LONGER * self.is_long

    def asks_for_more(self, status: Status, line: int, conditions: int) -> bool:
        """Return whether a run is made once more with more decisions, once for each line.

        Args:
            status: how it ended.
            line: where.
            conditions: those on inputs that it passed.
        """
        is_new = line not in self._repeated and len(self._repeated) < MOST_REPEATED
        is_cheap = self.is_patient and not self.is_long and conditions <= FEW_TRACED
        asks = status is Status.ENDLESS and is_cheap and is_new
        self._repeated |= {line} if asks else set()
        return asks

    def _count(self, wanted: Status) -> int:
        return sum(count for (status, _), count in self.places.items() if status is wanted)

    def is_hopeless(self) -> bool:
        """Return whether so many runs were given up that there is no use in more."""
        weight = sum(WEIGHTS.get(status, 0) * count for (status, _), count in self.places.items())
        return weight > max(FREE, self.runs)

    def sentence(self) -> str:
        """Why the exploration was given up, "" where it was not."""
        if not self.is_hopeless():
            return ""
        (_, line), _ = self.places.most_common(1)[0]
        where = f", most of them in line {line}" if line else ""
        struck = sum(self.places.values())
        return f"exploring it was given up early: {struck} of its {self.runs} runs struck a limit{where}"


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

    @property
    def is_counted(self) -> bool:
        """Return whether executions bound the work as a whole, and not the time."""
        return self.runs is not None if self.whole is None else self.whole.is_counted

    def spent(self) -> bool:
        """Return whether nothing is left."""
        if (self.runs is not None and self.runs <= 0) or self.hopeless():
            return True
        return self.late(self.deadline) or (self.whole is not None and self.whole.spent())

    def part(self, runs: int | None) -> Budget:
        """A budget of `runs` executions out of this one."""
        return Budget(runs, self.deadline, self, self.late)

    def hurried(self, share: float, least: int) -> Budget:
        """A budget of this one that ends when a share of its time, or of its executions, is over.

        Args:
            share: which part of it.
            least: executions that it has in any case, where they are counted.
        """
        now = time.monotonic()
        runs = None if self.runs is None else max(math.ceil(share * self.runs), least)
        return Budget(runs, now + share * max(0.0, self.deadline - now), self, self.late)

    def take(self) -> None:
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
        stops: the exceptions that ended runs, see `Run.stop`, with how often.
        unbuilt: what failed before the calls that runs were about, with how often.
        passed: the types of arguments of the call itself, by place or name; "" where one is not known.
    """

    runs: int = 0
    queries: int = 0
    divergences: int = 0
    unknowns: int = 0
    died: int = 0
    losses: set[tuple[str, int, str]] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    refused: RefusalCounts = field(default_factory=RefusalCounts)
    strikes: LimitHits = field(default_factory=LimitHits)
    stops: Counter[str] = field(default_factory=Counter)
    unbuilt: Counter[str] = field(default_factory=Counter)
    passed: dict[str, set[str]] = field(default_factory=dict)

    def note(self, run: Run) -> None:
        """Take in how a run ended, and with what it was called."""
        self.losses.update(run.losses)
        self.refused.note(run.blamed)
        self.died += run.status.is_limit
        self.strikes.note(run.status, run.line)
        if (stop := run.stop) and (stop in self.stops or len(self.stops) < MOST_STOPS):
            self.stops[stop] += 1
        if run.status is Status.SETUP and (run.detail in self.unbuilt or len(self.unbuilt) < MOST_STOPS):
            self.unbuilt[run.detail] += 1
        if not run.request.bare:
            for name, kind in run.passed:
                self.passed.setdefault(name, set()).add(kind)
