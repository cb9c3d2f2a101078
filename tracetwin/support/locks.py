"""Files that one process at a time holds; a lock ends with the last process that has its descriptor."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import Final

_OPEN: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_PAUSE: Final = 0.02


class Busy(OSError):
    """Another process holds the file."""


def hold(file: Path, seconds: float = 0.0) -> int:
    """A descriptor with the lock of a file, which is made where there is none.

    Raises:
        Busy: another process holds it.
        OSError: it can't be opened.
    """
    until = time.monotonic() + seconds
    while True:
        descriptor = os.open(file, _OPEN, 0o600)
        try:
            held = _take(descriptor)
            if held and _is(file, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if not held and time.monotonic() >= until:
            raise Busy("another run is at work on it")
        time.sleep(_PAUSE)


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is(file: Path, descriptor: int) -> bool:
    """Return True if the path still leads to the opened file, which its holder may have removed."""
    try:
        return os.path.samestat(file.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
