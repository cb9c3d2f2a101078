"""Records of where a process crashed or hung: Python's fault handler writes them, in C, whatever runs.

The record is a file of ours, opened before the walls go up and shared with the forks. The target can write
into it, too: what is read from it is a number of a line, and nothing but a report depends on that.
"""

from __future__ import annotations

import faulthandler
import os
import re
import signal
import time
from contextlib import suppress
from typing import Final

ASK: Final[int | None] = getattr(signal, "SIGRTMAX", None)
"""The signal that makes a process write down where it is; none where there are no real-time signals."""

_MOST_BYTES: Final = 1 << 16
_PATIENCE_SECONDS: Final = 0.1
_dump = faulthandler.dump_traceback
_watching: list[int] = []
_FRAME: Final = re.compile(rb'^  File "(.*)", line (\d+) in ', re.MULTILINE)


class Faults:
    """The record of one process and its forks.

    Attributes:
        fd: the descriptor that it is written through, in all of them.
    """

    def __init__(self, path: str, fd: int) -> None:
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(opened, fd)
        os.close(opened)
        self.fd = fd

    def watch(self) -> None:
        """From now on a crash of this process, or of a fork of it, and `ask` write into the record."""
        _watching[:] = [self.fd]
        faulthandler.enable(self.fd, all_threads=False)
        if ASK is not None:
            faulthandler.register(ASK, self.fd, all_threads=False)

    def clear(self) -> None:
        """Forget what the process before wrote."""
        with suppress(OSError):  # the import closed it
            os.ftruncate(self.fd, 0)

    def line(self, file: str) -> int:
        """The innermost line of a source file in the record, 0 where it tells of none."""
        try:
            return line_in(os.pread(self.fd, _MOST_BYTES, 0), file)
        except OSError:
            return 0


def line_in(record: bytes, file: str) -> int:
    """The first line of a source file that a record tells of; 0 where there is none."""
    wanted = file.encode("ascii", "backslashreplace")  # as the handler writes it
    lines = (int(line[:9]) for name, line in _FRAME.findall(record) if name == wanted)
    return next(lines, 0)


def note() -> None:
    """Write down where this process is, if there is a record of it."""
    for fd in _watching:
        with suppress(OSError):  # the target closed it
            _dump(fd, all_threads=False)


def ask(pid: int) -> None:
    """Have a process write down where it is, and give it a moment for that; it may not be able to.

    Raises:
        OSError: there is no such process, or it is not ours.
    """
    if ASK is not None:
        os.kill(pid, ASK)
        time.sleep(_PATIENCE_SECONDS)


def read(path: str, file: str) -> int:
    """The innermost line of a source file in the record of a process that is gone, see `Faults.line`."""
    try:
        with open(path, "rb") as record:
            return line_in(record.read(_MOST_BYTES), file)
    except OSError:
        return 0
