"""Runs one command and looks after all its processes: ``python keeper.py``, the order as JSON on stdin.

It is a process of its own so that orphans of the command come to it, and to nobody else.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SUBREAPER = 36
_TICK = 0.1
_GRACE_SECONDS = 5.0
_MOST_TEXT = 4 << 20


def main() -> None:
    """Read an order, keep it, tell how it went."""
    order = json.load(sys.stdin)
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    json.dump(keep(order), sys.stdout)


def keep(order: dict[str, Any]) -> dict[str, Any]:
    """Run ``order["argv"]`` to its end, or to that of its time.

    Returns:
        The command's status (None: it took too long), what it wrote, the peak memory in KiB of the largest
        process of its session (workers have sessions of their own), the seconds it took, and the command
        lines of those processes that were left after it.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        command = subprocess.Popen(
            order["argv"], cwd=order["cwd"], env=order["env"], stdin=subprocess.DEVNULL, stdout=out,
            stderr=err, start_new_session=True,
        )  # fmt: skip
        peak = 0
        while command.poll() is None and time.monotonic() - began < order["seconds"]:
            peak = max([peak, *map(_peak, _session(command.pid))])
            time.sleep(_TICK)
        seconds = time.monotonic() - began
        status = command.poll()
        if status is None:
            _end([command.pid])
            command.wait()
        return {
            "status": status,
            "stdout": _text(out),
            "stderr": _text(err),
            "peak": peak,
            "seconds": seconds,
            "orphans": _orphans(),
        }


def _text(file: Any) -> str:
    file.seek(0)
    return str(file.read(_MOST_TEXT).decode("utf-8", "backslashreplace"))


def _session(leader: int) -> list[int]:
    """The processes of a session."""
    return [int(pid) for pid, fields in _processes() if int(fields[3]) == leader]


def _processes() -> Iterator[tuple[str, list[str]]]:
    """All processes: number, and state, parent, group, session."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                told = Path(entry, "stat").read_text(errors="replace")
                yield entry.name, told.rpartition(")")[2].split()


def _peak(pid: int) -> int:
    """The most memory that a process has had so far, in KiB."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def _orphans() -> list[str]:
    """What still runs a while after the command; all of it is ended."""
    until = time.monotonic() + _GRACE_SECONDS
    while (left := descendants()) and time.monotonic() < until:
        time.sleep(_TICK)
    told = [_command_line(pid) for pid in left]
    while left:
        _end(left)
        left = descendants()
    return told


def descendants() -> list[int]:
    """The living processes below this one; the dead ones among its children are waited for."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    children: dict[int, list[int]] = {}
    for pid, fields in _processes():
        if fields[0] != "Z":
            children.setdefault(int(fields[1]), []).append(int(pid))
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _command_line(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")[:200]
    return str(pid)


def _end(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    time.sleep(0.01)


if __name__ == "__main__":
    main()
