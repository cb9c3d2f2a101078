"""Checks that the interpreter is still what it was: nothing of the library replaced, no setting turned.

After a target has put its own functions in the place of `len` or `isinstance`, whatever is found out is
nonsense, so that nothing here calls a function by a name that it could have changed.

Notices changed dictionaries, without touching what is in them.

Whoever looks at an object counts a reference to it, which writes to its page of memory: in a forked process
that copies the page, and looking through the library copies most of them. CPython up to 3.12 numbers the
states of each dictionary (PEP 509); where there is no such number, all of them may have changed.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import threading
import time
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final

from tracetwin.process.walls import sandbox

# Not `signal`, which is Python, and answers with members of an enumeration.
_signal: Any = importlib.import_module("_signal")
_warnings: Any = importlib.import_module("_warnings")
_locale: Any = importlib.import_module("_locale")
_CLOCKS: Final = (_signal.SIGALRM, _signal.SIGPROF)
"""Those by which we end a run ourselves."""
_OURS: Final = frozenset(("tracetwin", "runtime", "instrumenter", "solving"))
_WATCHED: Final = (type, FunctionType, BuiltinFunctionType)
_MAY_CHANGE: Final = frozenset(("displayhook", "unraisablehook"))
_find = dict.get
_limit = sys.getrecursionlimit
_trace = sys.gettrace
_profile = sys.getprofile
_interval = sys.getswitchinterval
_enabled = gc.isenabled
_threads = threading.enumerate
_JOIN_SECONDS: Final = 0.05

MOST_DAEMONS: Final = 8
"""Threads that may run on, where they end with the process."""


class Soundness:
    """Remembers the functions and classes of the library's loaded modules, and the interpreter's settings."""

    def __init__(self, names: Iterable[str] = sys.stdlib_module_names) -> None:
        """Take the present state for the right one."""
        wanted = frozenset(names) - _OURS
        self._modules = sys.modules
        self._kept: list[tuple[str, dict[str, Any], list[tuple[str, Any]]]] = []
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in wanted and type(module) is type(sys):
                inside = vars(module)
                watched = [pair for pair in inside.items() if isinstance(pair[1], _WATCHED)]
                self._kept.append((name, inside, watched))
        self._versions = Versions([self._modules, *(inside for _, inside, _ in self._kept)])
        self._settings = _settings()
        self._lasting = _lasting()
        self._handlers = {number: _signal.getsignal(number) for number in _signal.valid_signals()}

    def damage(self) -> str:
        """The first thing that is not as it was, in a few words; "" if all is well."""
        changed = self._versions.changed()
        for position in changed:
            name, inside, watched = self._kept[position - 1] if position else ("", {}, [])
            for key, value in watched:
                if _find(inside, key) is not value and key not in _MAY_CHANGE:
                    return f"{name}.{key} is another"
        for name, _, _ in self._kept if 0 in changed else ():
            if name not in self._modules:
                return f"{name} is no longer in sys.modules"
        for words, was, now in zip(_WORDS, self._settings, _settings(), strict=True):
            if now is not was and now != was:
                return words
        return ""

    def hush(self) -> None:
        """From here on no signal interrupts what runs, for good."""
        _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals())

    def interrupter(self, *, quiet: bool = False) -> str:
        """Which handler of a signal was left, in a few words; "" where none was.

        `quiet`: those count as well that only ignore a signal, or end the process.
        """
        for number, was in self._handlers.items():
            now = _signal.getsignal(number)
            if now is not was and now != was and (quiet or type(now) is not int) and number not in _CLOCKS:
                return f"the handler of signal {number} is another"
        return ""

    def harm(self) -> str:
        """Why what ran must not run in a process of others, as a clause; "" where it may."""
        found = self.damage() or self.interrupter(quiet=True) or _first_other(self._lasting, _lasting())
        if found:
            return f"it changes the interpreter: {found}"
        return threads_left()


def _settings() -> tuple[object, ...]:
    return _limit(), _trace(), _profile(), _interval(), _enabled()


_WORDS: Final = (
    "the recursion limit is another",
    "something traces its functions",
    "something profiles its functions",
    "the switch interval is another",
    "the garbage collector is switched on or off",
)


def _lasting() -> dict[str, object]:
    """Settings that the tests after this one would find, with what to say where they are others."""
    umask = os.umask(0o077)
    os.umask(umask)
    return {
        "the umask is another": umask,
        "other signals are blocked": {*_signal.pthread_sigmask(_signal.SIG_BLOCK, ())} - {*_CLOCKS},
        "a clock will interrupt whatever runs": any(_signal.getitimer(_signal.ITIMER_VIRTUAL)),
        "its priority is another": os.getpriority(os.PRIO_PROCESS, 0),
        # A test puts back all others itself, see `Leak`; an error may come anywhere while it does.
        "warnings became errors": tuple(one for one in _warnings.filters if one[0] == "error"),
        "the time zone is another": time.tzname,
        "the locale is another": _locale.setlocale(_locale.LC_ALL, None),
        "sys.argv is another": tuple(sys.argv),
        "sys.path is another": tuple(sys.path),
        "logging is switched off": _logging_off(),
        "sockets have another limit of time": _socket_seconds(),
        "threads are traced": getattr(threading, "_trace_hook", None),
        "threads are profiled": getattr(threading, "_profile_hook", None),
    }


def _first_other(before: dict[str, object], now: dict[str, object]) -> str:
    return next((words for words, value in before.items() if now[words] != value), "")


def _logging_off() -> object:
    root = getattr(sys.modules.get("logging"), "root", None)
    return getattr(getattr(root, "manager", None), "disable", 0)


def _socket_seconds() -> object:
    read = getattr(sys.modules.get("_socket"), "getdefaulttimeout", None)
    return None if read is None else read()


def threads_left() -> str:
    """The trouble with threads that run on, as a clause; "" if there are none, or a few daemons."""
    main, others = threading.main_thread(), 0
    for thread in _threads():
        if thread is main:
            continue
        thread.join(0.0 if thread.daemon else _JOIN_SECONDS)
        if thread.is_alive() and not thread.daemon:
            return "it leaves a thread that keeps the process from ending"
        others += thread.is_alive()
    return f"it leaves more than {MOST_DAEMONS} threads" if others > MOST_DAEMONS else ""


try:
    import ctypes

    _ctypes: Any = ctypes
except ImportError:
    _ctypes = None

_OFFSET: Final = 24
"""Of the number in a dictionary: after its references, its type and its length."""


def _number(of: dict[Any, Any]) -> Any:
    return _ctypes.c_uint64.from_address(id(of) + _OFFSET)


def _is_numbered() -> bool:
    known = sys.implementation.name == "cpython" and sys.version_info < (3, 13) and sys.maxsize > 1 << 32
    if not known or _ctypes is None:
        return False
    one = {"a": 1}
    numbers = [_number(one).value, _number(one).value]
    for value in (2, 3):
        one["a"] = value
        numbers.append(_number(one).value)
    return bool(numbers[0] == numbers[1] < numbers[2] < numbers[3])


_NUMBERED: Final = _is_numbered()


class Versions:
    """Remembers the states of dictionaries."""

    def __init__(self, dictionaries: Iterable[dict[Any, Any]]) -> None:
        self._dictionaries = list(dictionaries)  # they stay where they are as long as they live
        with sandbox.looking():
            self._numbers = [_number(one) for one in self._dictionaries] if _NUMBERED else []
        self._before = [number.value for number in self._numbers]

    def changed(self) -> list[int]:
        """The positions of those that may have changed since."""
        if not _NUMBERED:
            return list(range(len(self._dictionaries)))
        return [
            position
            for position, (number, before) in enumerate(zip(self._numbers, self._before, strict=True))
            if number.value != before
        ]
