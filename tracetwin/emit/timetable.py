"""When the phases of a suite have to end, so that all of it does in time: by what its cases have cost."""

from __future__ import annotations

import math
import time
from dataclasses import field
from typing import Final

from tracetwin.support.data import dataclass

STARTS: Final = 1.5
"""How many times the start of a replaying process a verification takes besides its tests."""

REPLAYS: Final = 2
"""How many times the replay of its case a verification of a test takes."""

FINISHING: Final = 0.5
"""How many times the start of a replaying process it takes to put the suite together in the end."""

GLANCING: Final = 0.4
"""Part of the time until then for replaying all cases once."""

LEAST: Final = 0.4
"""Part of the time that is left which does not go into verifying, however long that should take."""


@dataclass
class Timetable:
    """The time that a suite may take, and what its parts have cost.

    Attributes:
        ends: a time of `time.monotonic` at which the suite is to be there; infinite for no such time.
        starting: seconds in which a process imported the target.
        case: seconds that replaying a case took.
        verifying: seconds that the last verification took.
        choosing: seconds that choosing took until now, without replays: it may take as long again.
    """

    ends: float = math.inf
    starting: float = field(default=0.0, init=False)
    case: float = field(default=0.0, init=False)
    verifying: float = field(default=0.0, init=False)
    choosing: float = field(default=0.0, init=False)

    @property
    def verified_by(self) -> float:
        """Return when the last verification is broken off: what it did not see is left out."""
        return self.ends - FINISHING * self.starting

    @property
    def glancing(self) -> float:
        """Return the seconds for replaying all cases once."""
        now = time.monotonic()
        return GLANCING * max(0.0, self.last_start(0) - now, LEAST * (self.verified_by - now))

    def verified_until(self, tests: int) -> float:
        """Return when a verification that begins now is broken off: the first not at once."""
        if self.verifying:
            return self.verified_by
        return max(self.verified_by, time.monotonic() + self._once(tests))

    def _once(self, tests: int) -> float:
        return STARTS * self.starting + REPLAYS * self.case * tests

    def last_start(self, tests: int, *, twice: bool = False) -> float:
        """Return when verifying so many tests has to begin; where there is no time for all, some have to do.

        Args:
            tests: how many.
            twice: whether to keep time for doing so twice: the first time may show what is to be mended.
        """
        if self.verifying:
            return self.verified_by - self.verifying
        once = self._once(tests) + self.choosing
        now = time.monotonic()
        least = 0.0 if twice else LEAST * max(0.0, self.verified_by - now)
        return max(self.verified_by - once * (2 if twice else 1), now + least)
