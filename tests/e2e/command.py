"""Calls the command as a user does, and looks after what it leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import tracetwin

ROOT = Path(tracetwin.__file__).parents[1]
SLOW = """
import hashlib
import threading


def slow(x: int, text: str) -> str:
    threading.Event().wait(0.1)
    if hashlib.md5(text.encode()).hexdigest().startswith("00000000"):
        return "never"
    if x > 5:
        return "big"
    return "small"
"""
"""Most is found at once, the rest searched for long: what an interruption meets in the middle."""


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **(extra or {})}


def tracetwin_command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "tracetwin", *map(str, arguments)]


def run(
    *arguments: str | Path, cwd: Path, extra: Mapping[str, str] | None = None, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        tracetwin_command(*arguments),
        cwd=cwd,
        env=environment(extra),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


@contextmanager
def started(*arguments: str | Path, cwd: Path, scratch: Path) -> Iterator[subprocess.Popen[str]]:
    """The command at work, with a folder for temporary files; whatever is left of it at the end is killed."""
    scratch.mkdir()
    process = subprocess.Popen(
        tracetwin_command(*arguments),
        cwd=cwd,
        env=environment({"TMPDIR": str(scratch)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, 9)
        process.communicate()


def family(pid: int) -> list[int]:
    """A living process and everything below it; workers get no environment, so that nothing marks them."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = _status(int(entry.name))
            if fields and fields[0] != "Z":
                children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, waiting = [], [pid]
    while waiting:
        found.append(waiting.pop())
        waiting.extend(children.get(found[-1], []))
    return found


def alive(pids: list[int]) -> list[int]:
    """Those of the processes that still run."""
    return [pid for pid in pids if (_status(pid) or ["Z"])[0] != "Z"]


def _status(pid: int) -> list[str]:
    """State, parent and the rest; nothing where there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def wait_until(condition: object, seconds: float = 15.0) -> bool:
    """Wait for a condition; whether it came true."""
    assert callable(condition)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def run_suite(
    folder: Path, *roots: Path, seed: int = 0, runner: str = "unittest"
) -> subprocess.CompletedProcess[str]:
    """Run generated tests in a fresh process."""
    argv = (
        ["-m", "unittest", "discover", "-s", str(folder), "-t", str(folder)]
        if runner == "unittest"
        else ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    )
    path = os.pathsep.join(map(str, roots))
    return subprocess.run(
        [sys.executable, *argv],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": str(seed), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
