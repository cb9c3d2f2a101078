"""Ends the matching of patterns that would take exponential time on a text that nobody but us has asked for.

The clock is CPU time, and it is a net: it rings for patterns that backtrack without end (``(a+)+$``) only.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from typing import Any, Final, NoReturn

from runtime.meanings import patterns

_SECONDS: Final = 0.05
_SLOW: Final = 0.004
_TOTAL: Final = 0.3


class _Late(BaseException):
    """The time is up; no handler for errors may take it."""


class Patience:
    """A guard for patterns: ends slow uses of a regular expression, and refuses what is likely to be slow."""

    def __init__(self) -> None:
        self._slow: dict[Any, tuple[float, int]] = {}  # seconds spent, length of the shortest text

    def __call__(self, pattern: Any, size: int, use: Callable[[], Any]) -> Any:
        """Return the result of `use`.

        Raises:
            OverflowError: it takes too long, or shorter texts have taken too long in all.
        """
        spent, shortest = self._slow.get(pattern, (0.0, size))
        if spent > _TOTAL and size >= shortest:
            raise OverflowError("a pattern that takes too long")
        started = time.process_time()
        try:  # around the inner one, as the signal may come when that is about to stop the clock
            try:
                signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
                return use()
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except _Late:
            raise OverflowError("a pattern that takes too long") from None
        finally:
            taken = time.process_time() - started
            if taken > _SLOW:
                self._slow[pattern] = (spent + taken, min(shortest, size))


def _ring(*_: object) -> NoReturn:
    raise _Late


def install() -> None:
    """Guard all evaluations of this process; only its main thread can be interrupted."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGVTALRM, _ring)
        patterns.guard = Patience()
