"""Stops z3 where its own limits do not reach: they hold for `check`, not for `push` or for building terms.

The clock is this process's CPU time: on a busy machine a wall clock would stop queries that an idle one
answers, and the same seed would give another suite.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Final

_TICK: Final = 0.25


class Alarm:
    """Calls `stop` from another thread when a block takes over `seconds` of CPU time: ``with alarm: ...``.

    One thread for all looks at the clock a few times a second, so that a block costs next to nothing; it
    knows an alarm, and what that stops, during its block only.

    Attributes:
        rang: whether it did during the last block.
        seconds: how long the next block may take.
    """

    def __init__(self, stop: Callable[[], object], seconds: float) -> None:
        self.rang = False
        self._stop = stop
        self.seconds = seconds
        self._deadline: float | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self.rang = False
        self._deadline = time.process_time() + self.seconds
        _watching.append(self)
        _start()

    def __exit__(self, *_: object) -> None:
        """Stop the clock, and wait until a call of `stop` that is under way has returned."""
        with self._lock:
            self._deadline = None
        _watching.remove(self)

    def look(self) -> None:
        """Ring, if it is time to."""
        with self._lock:
            if self._deadline is not None and time.process_time() > self._deadline:
                self.rang, self._deadline = True, None
                self._stop()


_watching: list[Alarm] = []
_threads: dict[int, threading.Thread] = {}
"""The thread that watches, by process: a fork has none of its parent's."""


def _start() -> None:
    if os.getpid() not in _threads:
        _threads.clear()
        _threads[os.getpid()] = threading.Thread(target=_watch, daemon=True)
        _threads[os.getpid()].start()


def _watch() -> None:
    never = threading.Event()
    while not never.wait(_TICK):  # `time.sleep` may be patched by what is tested in this process
        _look()


def _look() -> None:
    for alarm in tuple(_watching):  # others may begin while one rings
        alarm.look()
