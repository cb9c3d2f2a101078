"""Writes a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace a file by a text; whoever reads it meanwhile sees the old one or the new one.

    Args:
        path: the file; missing folders are made.
        text: its content, written as UTF-8 with the line ends it has.
    """
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, as a file can be renamed only within one file system.
    descriptor, temporary = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".tmp", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode(place))
        Path(temporary).replace(place)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise


def _mode(place: Path) -> int:
    """The permissions of the file that is replaced, else what a new file gets."""
    try:
        return place.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
