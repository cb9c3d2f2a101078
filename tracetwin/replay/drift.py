"""Makes a second run of a program differ from the first in all that a stable result may not depend on.

The hash seed is given to the interpreter by whoever starts it, and so are the time zone, which is a day off,
and some variables of the environment; here the clock moves on by more than a year, the machine was started
only just now, objects get other addresses, the working folder is not empty, the umask is another, and so are
the arguments of the program.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

SECONDS = 401 * 86_400 + 7 * 3600 + 11 * 60 + 13
UPTIME = 17
TIME_ZONES = ("<-12>12", "<+14>-14")
UMASK = 0o077
PROGRAM = "/elsewhere/run_tests.py"
ARGUMENTS = ("-v", "--seed=7", "elsewhere")
ENVIRONMENT = {
    "COLUMNS": "57",
    "EDITOR": "elsewhere-editor",
    "HOME": "/elsewhere/home",
    "LINES": "19",
    "LOGNAME": "elsewhere",
    "SHELL": "/elsewhere/shell",
    "TERM": "elsewhere-term",
    "USER": "elsewhere",
    "USERNAME": "elsewhere",
}

_ballast: list[bytes] = []


def apply() -> None:
    """From now on this process lives elsewhere and later."""
    _ballast.extend(bytes(size) for size in range(600) for _ in range(3))
    _shift("time", SECONDS)
    for name, position in [("gmtime", 0), ("localtime", 0), ("ctime", 0), ("strftime", 1), ("asctime", 0)]:
        setattr(time, name, _with_later_default(name, getattr(time, name), position))


def start_machine(*, long_ago: bool) -> None:
    """Clocks that count from the start of the machine begin anew, or have run for more than a year.

    Both processes need one of these: what was found on this machine has its own uptime in it.
    """
    for name in ("monotonic", "perf_counter"):
        _shift(name, SECONDS if long_ago else UPTIME - int(getattr(time, name)()))


def folder(scratch: str) -> str:
    """A working folder inside of `scratch` that is not empty."""
    place = Path(scratch, "elsewhere", "deeper")
    place.mkdir(parents=True, exist_ok=True)
    (place / "notes.txt").write_text("elsewhere\n", encoding="utf-8")
    (place.parent / "beside.txt").write_text("elsewhere\n", encoding="utf-8")
    return str(place)


def settle() -> None:
    """Once the sandbox stands, which has its own umask."""
    os.umask(UMASK)
    sys.argv[:] = [PROGRAM]


def give_arguments() -> None:
    """Once the target is imported: a module that reads its arguments when imported is to stay importable."""
    sys.argv[1:] = ARGUMENTS


def _shift(name: str, seconds: int) -> None:
    setattr(time, name, _shifted(name, seconds))
    setattr(time, f"{name}_ns", _shifted(f"{name}_ns", seconds * 10**9))


def _shifted(name: str, ahead: int) -> Any:
    """A clock that is ahead of the one it stands for, under whose name it is known as well."""
    clock = getattr(time, name)

    def shifted() -> Any:
        return clock() + ahead

    shifted.__module__, shifted.__name__, shifted.__qualname__ = "time", name, name
    return shifted


def _with_later_default(name: str, function: Any, position: int) -> Any:
    real_localtime = time.localtime
    real_time = time.time  # which is later already

    def later(*args: Any) -> Any:
        if len(args) == position:
            moment = real_time()
            args = (*args, moment if name in ("gmtime", "localtime", "ctime") else real_localtime(moment))
        return function(*args)

    later.__name__ = name
    return later
