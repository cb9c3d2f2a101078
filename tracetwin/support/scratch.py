"""One folder for everything temporary of a run, which goes whatever becomes of the run.

At the end it is removed. Where the process is killed, a watcher does it: a child that waits for the end of a
pipe. Where that was killed as well, or the machine lost its power, the next run finds a folder that nobody
holds a lock of any more.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tracetwin.support import locks

PREFIX: Final = "tracetwin-run-"
_LOCK: Final = ".lock"

WATCHING_SECONDS: Final = 20.0
"""How long a watcher tries: processes that still write there end with their parents."""

MAKING_SECONDS: Final = 1.0
"""Age from which on a folder without a lock is not being made any more, but was half removed."""

_WATCHER: Final = f"""\
import os, shutil, sys, time
os.read(0, 1)
until = time.monotonic() + {WATCHING_SECONDS}
while os.path.exists(sys.argv[1]) and time.monotonic() < until:
    for name in os.listdir(sys.argv[1]) if os.path.isdir(sys.argv[1]) else ():
        if name != "{_LOCK}":  # as in `_remove`
            shutil.rmtree(os.path.join(sys.argv[1], name), ignore_errors=True)
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    time.sleep(0.02)
"""


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder in which `tempfile` puts everything within the block; so it does in processes forked there."""
    sweep(Path(tempfile.gettempdir()))
    folder = Path(tempfile.gettempdir(), PREFIX + secrets.token_hex(8))
    before = tempfile.tempdir
    held = -1
    watcher = _watch(folder)  # before there is anything to remove
    try:
        folder.mkdir(mode=0o700)
        held = locks.hold(folder / _LOCK)  # for as long as this process lives, and those forked from it
        tempfile.tempdir = str(folder)
        yield folder
    finally:
        tempfile.tempdir = before
        _remove(folder)
        sweep(Path(tempfile.gettempdir()))  # what a killed run left while this one began
        if held >= 0:
            os.close(held)
        _dismiss(watcher)


def sweep(place: Path) -> None:
    """Remove the folders of runs that are over and could not do it themselves."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(place)):
            if not entry.name.startswith(PREFIX) or not entry.is_dir(follow_symlinks=False):
                continue
            with contextlib.suppress(OSError):
                if entry.stat(follow_symlinks=False).st_uid == os.getuid() and _is_left(Path(entry.path)):
                    _remove(Path(entry.path))


def _remove(folder: Path) -> None:
    """Remove a folder, its lock last: who is killed in the midst of it leaves what the next run sweeps up."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(folder)):
            if entry.name != _LOCK:
                shutil.rmtree(entry.path, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """Return True if no process holds a folder; a new one without a lock is still being made."""
    if not (folder / _LOCK).exists():
        return time.time() - folder.stat().st_mtime > MAKING_SECONDS
    try:
        os.close(locks.hold(folder / _LOCK))
    except locks.Busy:
        return False
    return True


def _watch(folder: Path) -> subprocess.Popen[bytes]:
    """Start what removes a folder when its input ends, of which this process and its forks have the end."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WATCHER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,  # a signal to the whole group is not for it
    )


def _dismiss(watcher: subprocess.Popen[bytes]) -> None:
    """It is not needed any more."""
    assert watcher.stdin is not None
    with contextlib.suppress(OSError):
        watcher.stdin.close()
    try:
        watcher.wait(WATCHING_SECONDS)
    except subprocess.TimeoutExpired:
        watcher.kill()
        watcher.wait()
