"""Runs that a limit ended: a function that mostly hangs must not take all the time there is."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tracetwin.model.status import Status

WEIGHTS: Final = {Status.TIMEOUT: 4, Status.ENDLESS: 2, Status.DIED: 2}
"""What a run of each ending counts against the runs that came to an end; exhaustion costs next to nothing."""

FREE: Final = 12
"""Weight that is not held against anybody: three times out of time."""

MOST_SLOW: Final = 3
"""Runs out of time, after which the others get a part of it only."""


class LimitHits:
    """Counts of the limits that runs of one invokable struck.

    Nothing of it depends on a clock but through the runs themselves, so it is the same in every run.
    """

    def __init__(self) -> None:
        self.places: Counter[tuple[Status, int]] = Counter()
        self.runs = 0

    def note(self, status: Status, line: int) -> None:
        """Take in how a run ended, and in which line (0: not known)."""
        self.runs += 1
        if status.is_limit:
            self.places[status, line] += 1

    @property
    def hurried(self) -> bool:
        """Return whether runs get less time from now on."""
        slow = (count for (status, _), count in self.places.items() if status is Status.TIMEOUT)
        return sum(slow) >= MOST_SLOW

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
