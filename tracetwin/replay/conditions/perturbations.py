"""Makes a process differ from another in all that a stable result may not depend on (`Conditions`).

The hash seed, the time zone, the locale and some variables of the environment are given to the interpreter by
whoever starts it (`variables`). Here clocks and random numbers get their start, objects get other addresses,
the working folder is not empty, the umask is another, and so are the arguments of the program, the machine's
name and its number of processors.
"""

from __future__ import annotations

import gc
import io
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.machinery import ModuleSpec
from itertools import repeat, starmap
from pathlib import Path
from typing import Any, Final

from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.walls.told import TOLD
from tracetwin.replay.conditions import chance, clocks, streams
from tracetwin.replay.conditions.conditions import Conditions

UMASK = 0o077
PROGRAM = "/elsewhere/run_tests.py"
RUN_AS_MODULE = "unittest.__main__"
"""What the main program is after `python -m unittest`; one that is run by its file has no spec."""
ARGUMENTS = ("-v", "--seed=7", "elsewhere")
WORDS = ("elsewhere", "-s", "7")
"""Arguments of a program that takes words first, or one word only; many read no others than any of these."""
ENVIRONMENT = {
    "COLUMNS": "57",
    "EDITOR": "elsewhere-editor",
    "LINES": "19",
    "LOGNAME": "elsewhere",
    "SHELL": "/elsewhere/shell",
    "TERM": "elsewhere-term",
    "USER": "elsewhere",
    "USERNAME": "elsewhere",
}
HOME = "home"
MACHINE = "elsewhere"
LIBRARY = str(Path(os.__file__).with_name("elsewhere-packages"))
"""A folder on the import path that is not there, where anybody may look for one."""
DESCRIPTORS = 73
"""More of them may be open."""
OPEN = range(3, 32)
"""Descriptors that are open, on nothing."""
PART_OF_SECOND = 387_654_321
"""Nanoseconds of its second that have passed when a case begins."""
LATER = 86_461
"""Seconds after which a case is looked at once more in the same process."""
PROCESSORS = 3
TERMINAL = (57, 19)
NUMBERS = (4_321, 98_766)
_ASCII: Final = "C"

_OCCUPYING: Final[tuple[tuple[int, Any, tuple[int, ...]], ...]] = (
    (16, object, ()),
    (32, complex, (1,)),
    *((size, bytes, (size - 33,)) for size in range(48, 257, 16)),
)
"""Numbers of bytes, and what makes an object of that size; objects that are hashed by address are small."""
_POOL: Final = 1 << 14
_POOL_HEADER: Final = 48
_MOST_POOLS: Final = 60
_SWITCH_SECONDS: Final = 1e-5

_shift = 0
_ballast: list[object] = []


def variables(conditions: Conditions, around: Mapping[str, str], paths: Sequence[str]) -> dict[str, str]:
    """Variables of the environment to start a process with, beside those of `around`."""
    ascii_only = conditions.locale == _ASCII
    made = {
        "PYTHONHASHSEED": str(conditions.hash_seed),
        "TZ": conditions.zone,
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0" if ascii_only else "1",
        "LC_ALL": conditions.locale,
        "LANG": conditions.locale,
    }
    if ascii_only and not all(map(str.isascii, (*paths, *around.values(), str(Path.cwd())))):
        # The names of such files could not be told to the interpreter; `apply` does what is left.
        made["LC_ALL"] = made["LANG"] = "C.UTF-8"
    if conditions.elsewhere:
        made.update(ENVIRONMENT)
        made["PATH"] = os.pathsep.join([around.get("PATH", os.defpath), "/elsewhere/bin"])
    return made


def apply(conditions: Conditions) -> None:
    """From now on this process lives under other conditions; called before there are walls."""
    global _shift  # noqa: PLW0603 - one per process
    _shift = conditions.ballast
    if conditions.locale == _ASCII:
        import _locale

        _locale.setlocale(_locale.LC_ALL, _ASCII)
        for stream in (sys.stdout, sys.stderr):  # what importing prints is nobody's result
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
    part = PART_OF_SECOND if conditions.elsewhere else 0
    clocks.install(conditions.moment, conditions.uptime, held=conditions.held, part=part)
    chance.install(*conditions.chance)
    if conditions.elsewhere:
        _be_another_machine()
        _have_a_terminal()
        # Threads come to their turn in another order.
        sys.setswitchinterval(_SWITCH_SECONDS)
    _be_number(NUMBERS[conditions.elsewhere])


def prepare() -> None:
    """Do once what each copy of this process, one for each case, would have to do: collect, and fill up.

    A copy pays for every page of memory that it touches. What a case makes is still collected in its copy.
    """
    settle_addresses()
    gc.freeze()


def unprepare() -> None:
    """Go on as if this process had not been prepared for being copied."""
    gc.unfreeze()
    _ballast.clear()


def start(*, fresh: bool = True, later: bool = False) -> None:
    """Begin anew, for a case that is to see the same clock and random numbers as any other.

    Args:
        fresh: whether new objects get the same addresses as well.
        later: whether it is to see others, as in a process of its own.
    """
    clocks.start(LATER if later else 0)
    chance.start(int(later))
    if fresh:
        settle_addresses()


def settle_addresses() -> None:
    """Let the next objects of each size be the first ones of a block of memory, or the n-th ones.

    What was allocated before, such as longer names of folders, would change the order of objects in sets.
    """
    gc.collect()  # what it frees later would be used again
    for size, kind, given in _OCCUPYING:
        for _ in range(_MOST_POOLS):
            one = kind(*given)
            _ballast.append(one)
            place = id(one) % _POOL
            if place == _POOL_HEADER:
                break
            _ballast.extend(starmap(kind, repeat(given, (_POOL - place) // size - 1)))
        _ballast.extend(starmap(kind, repeat(given, _shift % 64)))


def folder(scratch: str, conditions: Conditions) -> str:
    """A working folder inside of `scratch`, which is not empty elsewhere."""
    if not conditions.elsewhere:
        return scratch
    place = Path(scratch, "elsewhere", "deeper")
    (place / HOME).mkdir(parents=True, exist_ok=True)
    (place / "notes.txt").write_text("elsewhere\n", encoding="utf-8")
    (place.parent / "beside.txt").write_text("elsewhere\n", encoding="utf-8")
    return str(place)


def limits(given: Limits, conditions: Conditions) -> Limits:
    """The limits of the sandbox; elsewhere more files may be open."""
    return replace(given, open_files=given.open_files + DESCRIPTORS) if conditions.elsewhere else given


def settle(conditions: Conditions) -> None:
    """Once the sandbox stands, which has its own umask, and where the home is the working folder.

    Here no warning is shown, elsewhere each one is, and the message of each is read, as `unittest` does.
    """
    warnings.simplefilter("always" if conditions.elsewhere else "ignore")
    if conditions.elsewhere:
        warnings.filterwarnings("module", r"Please use assert\w+ instead", DeprecationWarning)
        os.umask(UMASK)
        _have_other_descriptors()
        os.environ["HOME"] = TOLD.home = str(Path.cwd() / HOME)
        TOLD.user = TOLD.processor = MACHINE
        sys.argv[:] = [PROGRAM]
        main = sys.modules["__main__"]
        main.__file__ = PROGRAM
        main.__spec__ = ModuleSpec(RUN_AS_MODULE, None)
        sys.path.append(LIBRARY)


def give_arguments(conditions: Conditions) -> None:
    """Once the target is imported: a module that reads its arguments when imported is to stay importable."""
    if conditions.elsewhere:
        sys.argv[1:] = ARGUMENTS


def _be_another_machine() -> None:
    """Another name, another number of processors."""
    import _socket

    if hasattr(os, "uname"):
        real = tuple(os.uname())
        os.uname = _answering("uname", os.uname_result((real[0], MACHINE, *real[2:])))
    for module, name, value in (
        (os, "cpu_count", PROCESSORS),
        (os, "process_cpu_count", PROCESSORS),
        (os, "sched_getaffinity", set(range(PROCESSORS))),
        (os, "getloadavg", (0.5, 0.25, 0.125)),
        (os, "get_terminal_size", os.terminal_size(TERMINAL)),
        (_socket, "gethostname", MACHINE),
        (sys.modules.get("socket"), "gethostname", MACHINE),
    ):
        if hasattr(module, name):
            setattr(module, name, _answering(name, value))


def _have_other_descriptors() -> None:
    """The standard input can't be written to, nor the output read, and others are open: what a shell left."""
    for ends, way in (((0, *OPEN), os.O_RDONLY), ((1, 2), os.O_WRONLY)):
        fd = os.open(os.devnull, way)
        for end in ends:
            if end < OPEN.start or not _is_open(end):
                os.dup2(fd, end)
        if fd not in OPEN:
            os.close(fd)


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def _have_a_terminal() -> None:
    """The standard streams are those of a terminal, for whoever asks."""
    real = os.isatty

    def isatty(fd: int, /) -> bool:
        return fd in (0, 1, 2) or real(fd)

    isatty.__module__ = "posix"
    os.isatty = isatty
    streams.terminal = True


def _be_number(number: int) -> None:
    """Have a number that is the same each time, under which the process can signal itself as well."""
    real_number, real_kill = os.getpid, os.kill

    def kill(pid: int, signal: int, /) -> None:
        real_kill(real_number() if pid == number else pid, signal)

    kill.__module__ = "posix"
    for name, function in (("getpid", _answering("getpid", number)), ("getppid", _answering("getppid", 1))):
        setattr(os, name, function)
    os.kill = kill


def _answering(name: str, value: object) -> Any:
    def answer(*_args: Any) -> Any:
        return value

    answer.__name__ = answer.__qualname__ = name
    return answer
