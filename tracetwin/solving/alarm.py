"""Stops z3 where its own limits do not reach: they hold for `check`, not for `push` or for building terms.

The clock is this process's CPU time: on a busy machine a wall clock would stop queries that an idle one
answers, and the same seed would give another suite.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

_TICK: Final = 0.25


class Alarm:
    """Calls `stop` from another thread when a block takes over `seconds` of CPU time: ``with alarm: ...``.

    One thread looks at the clock a few times a second, so that a block costs next to nothing.

    Attributes:
        rang: whether it did during the last block.
    """

    def __init__(self, stop: Callable[[], object], seconds: float) -> None:
        self.rang = False
        self._stop = stop
        self._seconds = seconds
        self._deadline: float | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> None:
        """Start the clock."""
        self.rang = False
        self._deadline = time.process_time() + self._seconds
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        """Stop the clock, and wait until a call of `stop` that is under way has returned."""
        with self._lock:
            self._deadline = None

    def _watch(self) -> None:
        while True:
            time.sleep(_TICK)
            with self._lock:
                if self._deadline is not None and time.process_time() > self._deadline:
                    self.rang = True
                    self._deadline = None
                    self._stop()
