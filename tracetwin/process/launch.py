"""Starting a worker's interpreter, and cleaning up after it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import site
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tracetwin.process import strays
from tracetwin.support import own_packages as rooms

_PASSED_ON: Final = (
    "PATH",
    "PYTHONPATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
    "VIRTUAL_ENV",
)
_FIXED: Final = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}


@dataclass
class Live:
    """What exists while a worker runs; kept apart so that a finalizer can clean it up."""

    owner: int
    base: str
    process: subprocess.Popen[bytes] | None = None
    control: socket.socket | None = None
    runner: socket.socket | None = None

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


def exit_words(code: int) -> str:
    """What an exit code says, as the rest of a sentence."""
    if code >= 0:
        return f"exited with status {code}"
    if -code == getattr(signal, "SIGSYS", None):
        return "was ended by the filter of system calls"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a worker with all its runners, and wait for it."""
    # The leader is not yet waited for, so its number still means this group and no other.
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    strays.ended(process)


def spawn(live: Live, theirs: socket.socket, scratch: str) -> None:
    """Start the interpreter, with one end of the control connection.

    Args:
        live: gets the process.
        theirs: the worker's end.
        scratch: its current folder.
    """
    with Path(live.base, "stderr").open("wb") as errors:
        live.process = strays.start(
            [sys.executable, *_command_line(theirs.fileno())],
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**passed_on(), **_FIXED},
            cwd=scratch,
            start_new_session=True,
        )


def _command_line(fd: int) -> list[str]:
    """The script of the worker and where our packages lie, whichever way they are installed."""
    here = Path(__file__).resolve().parent
    places = {"tracetwin": here.parent}
    places.update((name, rooms.folder(name)) for name in rooms.NAMES)
    return [str(here / "__main__.py"), str(fd), *(f"{name}={folder}" for name, folder in places.items())]


def passed_on() -> dict[str, str]:
    """What of the user's environment reaches a target: where programs and modules lie, no tokens, no home."""
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    if "PYTHONPATH" in environment:  # the worker has another current folder
        entries = environment["PYTHONPATH"].split(os.pathsep)
        environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(entry) for entry in entries)
    if site.ENABLE_USER_SITE:
        environment["PYTHONUSERBASE"] = site.getuserbase()
    return environment
