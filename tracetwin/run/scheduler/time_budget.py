"""The time of a whole run, shared out among its modules as they come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tracetwin.model.options import Options

LEAST_SECONDS: Final = 2.0
"""For one module, however many there are: below that, nothing but starting processes is done."""


class TimeBudget:
    """The seconds that each module gets.

    What a module does not need goes to those that come after it, so that a run with a budget ends in time,
    and one whose modules are small is over early.
    """

    def __init__(self, options: Options, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin.

        Args:
            options: those of the run.
            clock: counts seconds.
        """
        self._most = options.time_limit
        self._clock = clock
        self._until = None if options.budget is None else clock() + options.budget

    def share(self, waiting: int) -> float:
        """Return the seconds for a module that is begun now.

        Args:
            waiting: how many modules have no result yet, this one among them.
        """
        if self._until is None:
            return self._most
        left = (self._until - self._clock()) / max(1, waiting)
        return max(LEAST_SECONDS, min(self._most, left))
