"""The clocks of a process that lives at another time.

What shows the time in the standard library does so by the functions of `time`, or, in C, by the system's
clock: `datetime.now` and `utcnow`, which are replaced as well. `date.today` asks `time.time`.
"""

from __future__ import annotations

import ctypes
import datetime as dt
import gc
import time
from collections.abc import Callable
from typing import Any, Final

_BILLION: Final = 10**9
LOOK: Final = 1_000_000
"""By how many nanoseconds a held clock advances whenever it is looked at."""

_WALL: Final = ("time",)
_UPTIME: Final = ("monotonic", "perf_counter")
_PROCESSOR: Final = ("process_time", "thread_time")
_BY_NUMBER: Final = {"CLOCK_REALTIME": "time", "CLOCK_TAI": "time", "CLOCK_BOOTTIME": "monotonic"}


class Clock:
    """One clock, which starts where it is told.

    Args:
        name: of the function in `time`.
        start: nanoseconds that it shows when it is started.
        held: whether it stands still between two looks.
    """

    def __init__(self, name: str, start: int, *, held: bool) -> None:
        self._real: Callable[[], int] = getattr(time, f"{name}_ns")
        self._start_at = start
        self._held = held
        self._shown = start
        self._offset = 0
        self.start()

    def start(self, later: int = 0) -> None:
        """Show the time that it starts with, or so many seconds later."""
        self._shown = self._start_at + later * _BILLION
        self._offset = self._shown - self._real()

    def nanoseconds(self) -> int:
        """The time that it shows."""
        if not self._held:
            return self._real() + self._offset
        self._shown += LOOK
        return self._shown


_clocks: dict[str, Clock] = {}


def install(moment: int, uptime: int, *, held: bool, part: int = 0) -> None:
    """From now on this process lives at that time; `part` are the nanoseconds that a second is old."""
    for names, seconds in ((_WALL, moment), (_UPTIME, uptime), (_PROCESSOR if held else (), 1)):
        for name in names:
            _clocks[name] = Clock(name, seconds * _BILLION + part, held=held)
            _show(name, _clocks[name])
    _replace_numbered()
    for name, position in [("gmtime", 0), ("localtime", 0), ("ctime", 0), ("strftime", 1), ("asctime", 0)]:
        setattr(time, name, _with_present_default(name, getattr(time, name), position))
    _replace_in(dt.datetime, "now", lambda cls, *args, **more: cls.fromtimestamp(time.time(), *args, **more))
    utc = dt.timezone.utc
    _replace_in(dt.datetime, "utcnow", lambda cls: cls.fromtimestamp(time.time(), utc).replace(tzinfo=None))


def start(later: int = 0) -> None:
    """Begin anew, for a case that is to see the same as any other, or what it sees so many seconds later."""
    for clock in _clocks.values():
        clock.start(later)


def _show(name: str, clock: Clock) -> None:
    def nanoseconds() -> int:
        return clock.nanoseconds()

    def seconds() -> float:
        return clock.nanoseconds() / _BILLION

    for function, called in ((seconds, name), (nanoseconds, f"{name}_ns")):
        setattr(time, called, _named(function, called))


def _named(function: Any, name: str) -> Any:
    """A function that is known by the name of the one it stands for."""
    function.__module__, function.__name__, function.__qualname__ = "time", name, name
    return function


def _replace_numbered() -> None:
    """`clock_gettime`, where the system has it."""
    if not hasattr(time, "clock_gettime"):
        return
    shown = {
        number: _clocks[_BY_NUMBER.get(name, "monotonic")]
        for name, number in vars(time).items()
        if name.startswith(("CLOCK_MONOTONIC", *_BY_NUMBER))
    }
    for name, unit in (("clock_gettime", _BILLION), ("clock_gettime_ns", 1)):
        setattr(time, name, _named(_numbered(getattr(time, name), shown, unit), name))


def _numbered(real: Any, shown: dict[int, Clock], unit: int) -> Any:
    def numbered(number: Any) -> Any:
        if number not in shown:
            return real(number)
        nanoseconds = shown[number].nanoseconds()
        return nanoseconds if unit == 1 else nanoseconds / unit

    return numbered


def _with_present_default(name: str, function: Any, position: int) -> Any:
    real_localtime = time.localtime
    now = time.time  # which is another already

    def present(*args: Any) -> Any:
        if len(args) == position:
            args = (*args, now() if name in ("gmtime", "localtime", "ctime") else real_localtime(now()))
        return function(*args)

    return _named(present, name)


def _replace_in(cls: type, name: str, function: Any) -> None:
    """Replace a class method of a class written in C, whose attributes can't be set.

    Arguments that the real method refuses are left to it, for the sake of its message.
    """
    attributes = gc.get_referents(vars(cls))[0]
    real = attributes[name]

    def shown(owner: Any, *args: Any, **named: Any) -> Any:
        real.__get__(None, owner)(*args, **named)
        return function(owner, *args, **named)

    shown.__name__, shown.__qualname__ = name, f"{cls.__name__}.{name}"
    attributes[name] = classmethod(shown)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))
