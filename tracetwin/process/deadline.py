"""A wall (and CPU) limit on one run, enforced from inside by a signal that raises in the main thread.

The parent's hard kill is the second line, for runs that never return to the interpreter.
"""

from __future__ import annotations

import importlib
from types import FrameType
from typing import Any, Final

from tracetwin.process.faults import note
from tracetwin.support.stdlib_copies import leave

# Not `signal`, which is Python: a target that spoils `builtins` does not reach the C side.
_signal: Any = importlib.import_module("_signal")

AGAIN_SECONDS: Final = 0.05
PATIENCE: Final = 16
EXIT_STUCK: Final = 86
_RINGS: Final = (_signal.SIGALRM, _signal.SIGPROF)


class RunTimeout(BaseException):
    """The run has used up its time; not an `Exception`, so that the target rarely catches it."""


class Deadline:
    """Limits the time of a block: ``with Deadline(2.0): ...`` raises `RunTimeout` inside the block.

    The signal comes again every `AGAIN_SECONDS`, so that a target that swallows everything is told
    again; after `PATIENCE` times the process ends with `EXIT_STUCK`. The exception may also come while
    the block is being left: put the `with` inside the `try`. Main thread only. An object can be used
    for any number of runs, one at a time.
    """

    __slots__ = ("_armed", "_fired", "cpu_seconds", "seconds")

    def __init__(self, seconds: float, cpu_seconds: float | None = None) -> None:
        """Allow `seconds` of wall time and, where given, `cpu_seconds` of processor time."""
        self.seconds = seconds
        self.cpu_seconds = cpu_seconds
        self._armed = False
        self._fired = 0

    def __enter__(self) -> None:
        self._fired = 0
        # The target may have put its own handler in place: ours goes back before every run.
        _signal.signal(_signal.SIGALRM, self._ring)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, _RINGS)
        if self.cpu_seconds is not None:
            _signal.signal(_signal.SIGPROF, self._ring)
            _signal.setitimer(_signal.ITIMER_PROF, self.cpu_seconds, AGAIN_SECONDS)
        self._armed = True
        _signal.setitimer(_signal.ITIMER_REAL, self.seconds, AGAIN_SECONDS)

    def __exit__(self, *_: object) -> None:
        self._armed = False  # first: from here on a late signal is ignored
        _signal.setitimer(_signal.ITIMER_REAL, 0.0)
        if self.cpu_seconds is not None:
            _signal.setitimer(_signal.ITIMER_PROF, 0.0)

    def _ring(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._armed:
            return
        self._fired += 1
        if self._fired > PATIENCE:
            note()
            leave(EXIT_STUCK)
        raise RunTimeout(f"no end after {self.seconds:g} s")


def end_after(seconds: float) -> None:
    """Let the system end this process then, whatever handler a deadline or the target has left behind."""
    _signal.signal(_signal.SIGALRM, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM,))
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def never_end() -> None:
    """Take that back."""
    _signal.setitimer(_signal.ITIMER_REAL, 0.0)
