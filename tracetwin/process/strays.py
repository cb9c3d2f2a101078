"""Processes that a target started and left: they come to an explorer when they lose their parent, and end.

A process group is not enough: whoever calls `setsid` leaves it. Only where Linux hands orphans over.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from typing import Any, Final

from tracetwin.process.walls.sandbox import kernel

_PR_SET_CHILD_SUBREAPER: Final = 36
_MOST_ROUNDS: Final = 100

_lock = threading.RLock()
_ours: set[int] = set()
_adopting = False


def adopt() -> None:
    """From now on orphans below this process become its children: each child is ours or a stray."""
    global _adopting  # noqa: PLW0603 - one per process
    _adopting = kernel().prctl(_PR_SET_CHILD_SUBREAPER, 1)


def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process that is no stray until `ended` is told of it; see `subprocess.Popen`."""
    with _lock:
        process = subprocess.Popen(command, **options)
        _ours.add(process.pid)
        return process


def ended(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that `start` started, and end what is left of its descendants."""
    process.wait()
    with _lock:
        _ours.discard(process.pid)
        if _adopting:
            _end_strays()


def _end_strays() -> None:
    """Kill until there is nobody: the children of those that are killed come to us in their turn."""
    for _ in range(_MOST_ROUNDS):
        strays = [pid for pid in _children() if pid not in _ours]
        if not strays:
            return
        for pid in strays:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in strays:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _children() -> list[int]:
    me = os.getpid()
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _parent(pid) == me]


def _parent(pid: int) -> int:
    """The parent of a process, 0 where it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return 0
