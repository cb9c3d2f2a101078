"""How runs end: of a twin while exploring (`Status`), of the original in a replay (`Outcome`)."""

from __future__ import annotations

import enum
from typing import Final


class Status(str, enum.Enum):
    """How a run of the twin ended."""

    RETURNED = "returned"
    RAISED = "raised"
    EXHAUSTED = "exhausted"
    """The machine's memory or recursion was used up."""
    ENDLESS = "endless"
    """It made more decisions than a run may."""
    TIMEOUT = "timeout"
    DIED = "died"
    """Its process ended."""
    SETUP = "setup"
    """What comes before the call failed."""
    UNFIT = "unfit"
    """The input stands for no values, or for those of a shorter one."""

    def __str__(self) -> str:
        return self.value

    @property
    def is_limit(self) -> bool:
        """True if some limit ended it before the target had answered."""
        return self in LIMITS

    @property
    def is_unbuilt(self) -> bool:
        """True if it ended before the target was called: what was passed on the way is in no test."""
        return self in (Status.SETUP, Status.UNFIT)

    @property
    def is_answer(self) -> bool:
        """True if the target came to an end of its own, so that a test can be made of it."""
        return self in (Status.RETURNED, Status.RAISED)


LIMITS: Final = (Status.DIED, Status.TIMEOUT, Status.ENDLESS, Status.EXHAUSTED)


class Outcome(str, enum.Enum):
    """How a case ended on the original."""

    RETURNED = "returned"
    RAISED = "raised"
    DIED = "died"
    """Its process ended, or looking at the outcome failed."""
    TIMEOUT = "timeout"
    REFUSED = "refused"
    """It did what a test may not do."""
    UNSTABLE = "unstable"
    """Two runs ended differently."""
    FAILED_SETUP = "failed_setup"

    def __str__(self) -> str:
        return self.value

    @property
    def is_answer(self) -> bool:
        """True if the target came to an end of its own."""
        return self in (Outcome.RETURNED, Outcome.RAISED)
