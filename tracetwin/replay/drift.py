"""Makes a second run of a program differ from the first in all that a stable result may not depend on.

The hash seed is given to the interpreter by whoever starts it, and so is the time zone, which is a day off;
here the clock moves on by more than a year, and objects get other addresses.
"""

from __future__ import annotations

import time
from typing import Any

SECONDS = 401 * 86_400 + 7 * 3600 + 11 * 60 + 13
TIME_ZONES = ("<-12>12", "<+14>-14")

_ballast: list[bytes] = []


def apply() -> None:
    """From now on this process lives elsewhere and later."""
    _ballast.extend(bytes(size) for size in range(600) for _ in range(3))
    real_time, real_time_ns = time.time, time.time_ns
    setattr(time, "time", lambda: real_time() + SECONDS)  # noqa: B010 - mypy refuses to assign a function
    setattr(time, "time_ns", lambda: real_time_ns() + SECONDS * 10**9)  # noqa: B010
    for name, position in [("gmtime", 0), ("localtime", 0), ("ctime", 0), ("strftime", 1), ("asctime", 0)]:
        setattr(time, name, _with_later_default(name, getattr(time, name), position))


def _with_later_default(name: str, function: Any, position: int) -> Any:
    real_localtime = time.localtime
    real_time = time.time

    def later(*args: Any) -> Any:
        if len(args) == position:
            moment = real_time()
            args = (*args, moment if name in ("gmtime", "localtime", "ctime") else real_localtime(moment))
        return function(*args)

    later.__name__ = name
    return later
