"""Keeps the folder of the cache small: rarely, after a write, and without a lock."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from instrumenter.files import UNFINISHED

MOST_BYTES: Final = 512 << 20
"""Size that all entries may have together; those not read for longest go first."""

_PAUSE: Final = 24 * 3600.0
_ABANDONED: Final = 3600.0  # no writer takes an hour: this one was killed


class _File(NamedTuple):
    used: float  # most systems note at least the day of the last reading
    size: int
    path: str


def tidy(directory: Path, most_bytes: int = MOST_BYTES) -> None:
    """Remove what killed writers left, and the entries not used for longest when there are too many.

    At most once a day: the folder's own time of change says when it was done last. Whoever reads an
    entry that vanishes builds its twin anew.

    Args:
        directory: of the cache.
        most_bytes: what may stay.
    """
    now = time.time()
    try:
        if now - directory.stat().st_mtime < _PAUSE:
            return
        os.utime(directory)
    except OSError:
        return  # it is not ours to tidy
    kept = 0
    for file in sorted(_files(directory / "twins"), reverse=True):
        if file.path.endswith(UNFINISHED):
            superfluous = now - file.used > _ABANDONED
        else:
            kept += file.size
            superfluous = kept > most_bytes
        if superfluous:
            with contextlib.suppress(OSError):  # somebody else tidies as well
                os.unlink(file.path)  # noqa: PTH108 - there may be thousands


def _files(twins: Path) -> Iterator[_File]:
    """Yield the files in the folders of a folder."""
    for folder in _entries(twins):
        if folder.is_dir(follow_symlinks=False):
            for entry in _entries(folder):
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    yield _File(max(status.st_atime, status.st_mtime), status.st_size, entry.path)


def _entries(folder: os.PathLike[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
