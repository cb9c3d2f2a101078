"""Limits the size of a scratch folder: files have a largest size, their sum has none."""

from __future__ import annotations

from typing import Final

from tracetwin.support.stdlib_copies import os, select, time

MOST_BYTES: Final = 256 << 20
MOST_FILES: Final = 20_000
LOOK_SECONDS: Final = 0.25
"""Seconds between two looks."""

WORDS: Final = f"wrote more than {MOST_BYTES >> 20} MB, or {MOST_FILES} files"


def is_overfull(folder: str) -> bool:
    """True if a folder holds more than a target may write; links are not followed."""
    room, files = MOST_BYTES, MOST_FILES
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    files -= 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        room -= entry.stat(follow_symlinks=False).st_blocks * 512
                    if room < 0 or files < 0:
                        return True
        except OSError:  # it went, or is closed to us
            continue
    return False


def wait(fd: int, deadline: float, folder: str) -> bool:
    """Wait until there is something to read, or until a time of `time.monotonic`.

    Returns:
        False where the folder became overfull meanwhile.
    """
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    while not poll.poll(LOOK_SECONDS * 1000) and time.monotonic() < deadline:
        if is_overfull(folder):
            return False
    return True
