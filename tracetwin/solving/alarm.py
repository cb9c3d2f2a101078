"""Stops z3 where its own limits do not reach: they hold for `check`, not for `push` or for building terms."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Alarm:
    """Calls `stop` from another thread when a block takes longer than `seconds`.

    Attributes:
        rang: whether it did.
    """

    def __init__(self, stop: Callable[[], object], seconds: float) -> None:
        self.rang = False
        self._stop = stop
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True

    def _ring(self) -> None:
        self.rang = True
        self._stop()

    def __enter__(self) -> None:
        """Start the clock."""
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        """Stop the clock, and wait until a call of `stop` that is under way has returned."""
        self._timer.cancel()
        self._timer.join()
