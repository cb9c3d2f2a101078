"""Starting an interpreter that runs a program of ours on a target, and cleaning up after it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import site
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.process import bounded, strays
from tracetwin.process.channel import Channel, tick
from tracetwin.support import own_modules
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.target.environment import PythonEnvironment

FORK_SERVER: Final = "tracetwin.process.fork_server"
"""The program of a worker."""

_PASSED_ON: Final = (
    "PATH",
    "PYTHONPATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
    "VIRTUAL_ENV",
)
_FIXED: Final = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
_NO_RANDOM_ADDRESSES: Final = 0x0040000
_PRESENT: Final = 0xFFFFFFFF


@dataclass
class Live:
    """The resources of a running interpreter of ours; kept apart so that a finalizer can clean them up.

    Attributes:
        owner: the process that started it.
        base: a folder that goes with it.
        control: our end of the connection to it.
        runner: our end of the connection to its present runner.
    """

    owner: int
    base: str
    process: subprocess.Popen[bytes] | None = None
    control: socket.socket | None = None
    runner: socket.socket | None = None

    @property
    def scratch(self) -> str:
        """The only folder that the target may write into."""
        return os.path.join(self.base, "scratch")

    def channel(self) -> Channel:
        """Our end of the control connection, for messages that a target may have written."""
        assert self.control is not None
        return Channel(self.control.fileno(), bounded.loads)

    def clean(self) -> None:
        """End every process, close every descriptor, remove the scratch folder."""
        for connection in (self.runner, self.control):
            if connection is not None:
                connection.close()
        if self.owner != os.getpid():
            return  # a fork of the parent: the worker is not its own
        if self.process is not None:
            _kill_group(self.process)
        shutil.rmtree(self.base, ignore_errors=True)


def start(
    program: str = FORK_SERVER,
    variables: Mapping[str, str] = _FIXED,
    *,
    fixed_addresses: bool = False,
    python: PythonEnvironment | None = None,
) -> Live:
    """Start an interpreter in a group and a scratch folder of its own."""
    live = Live(os.getpid(), tempfile.mkdtemp(prefix="tracetwin-"))
    try:
        os.mkdir(live.scratch)
        live.control, theirs = socket.socketpair()
        tick(live.control)
        with theirs, Path(live.base, "stderr").open("wb") as errors, _addresses(fixed=fixed_addresses):
            live.process = strays.start(
                [
                    *([python.python, "-B"] if python else [sys.executable]),
                    *command_line(program, theirs.fileno(), python),
                ],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env={**passed_on(), **variables},
                cwd=live.scratch,
                start_new_session=True,
            )
    except BaseException:
        live.clean()
        raise
    return live


@contextlib.contextmanager
def _addresses(*, fixed: bool) -> Iterator[None]:
    """Within this block processes that this thread starts have the same addresses each time, on Linux."""
    before = _personality(_PRESENT) if fixed else -1
    if before >= 0:
        _personality(before | _NO_RANDOM_ADDRESSES)
    try:
        yield
    finally:
        if before >= 0:
            _personality(before)


def _personality(wanted: int) -> int:
    if not sys.platform.startswith("linux"):
        return -1
    try:
        library: Any = ctypes.CDLL(None)
        return int(library.personality(ctypes.c_ulong(wanted)))
    except (OSError, AttributeError):
        return -1


def exit_words(code: int) -> str:
    """The meaning of an exit code, as the rest of a sentence."""
    if code >= 0:
        return f"exited with status {code}"
    if -code == getattr(signal, "SIGSYS", None):
        return "was ended by the filter of system calls"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """End an interpreter with all its children, and wait for it."""
    # The leader is not yet waited for, so its number still means this group and no other.
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    strays.ended(process)


def command_line(program: str, fd: int, python: PythonEnvironment | None = None) -> list[str]:
    """The script that loads a program, and where our packages lie, whichever way they are installed."""
    places = {"tracetwin": str(Path(__file__).resolve().parents[1])}
    places.update((name, own_modules.folder(name)) for name in own_modules.NAMES)
    if python is not None and python.is_older:
        from tracetwin.process.lowering import lowered_packages

        places = lowered_packages(tuple(places.items()))
    given = [f"{name}={folder}" for name, folder in places.items()]
    return [str(Path(places["tracetwin"], "process", "__main__.py")), program, str(fd), *given]


def rewriter_version() -> bytes:
    """The version of what makes twins, by which another interpreter finds those that were made for it."""
    cache: Any = own_modules.load("instrumenter.cache")
    return bytes(cache.instrumenter_version())


def passed_on() -> dict[str, str]:
    """The part of the user's environment that a target sees: where programs and modules lie, no tokens."""
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    if "PYTHONPATH" in environment:  # the worker has another current folder
        entries = environment["PYTHONPATH"].split(os.pathsep)
        environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(entry) for entry in entries)
    if site.ENABLE_USER_SITE:
        environment["PYTHONUSERBASE"] = site.getuserbase()
    return environment
