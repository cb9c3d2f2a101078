"""Writes a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
from pathlib import Path
from typing import Final

_UNFINISHED: Final = ".tracetwin-{}-"
_PATTERN: Final = re.compile(r"\.tracetwin-(\d+)-\w+\.tmp")


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace a file by a text; whoever reads it meanwhile sees the old one or the new one.

    A link is followed, other names of the same file keep the old content. What is no regular file, such as a
    pipe, is written to as it is.

    Raises:
        OSError: it can't be written; an old file is as it was.
    """
    write_bytes(path, text.encode("utf-8", "backslashreplace"))  # half a surrogate pair has no bytes


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace a file by some bytes, as `write_text` does by a text.

    Raises:
        OSError: it can't be written; an old file is as it was.
    """
    place = Path(os.path.realpath(path))
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists() and not place.is_file():
        place.write_bytes(data)
        return
    _clear(place.parent)
    # In the same folder, as a file can be renamed only within one file system.
    prefix = _UNFINISHED.format(os.getpid())
    descriptor, temporary = tempfile.mkstemp(prefix=prefix, suffix=".tmp", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _resemble(Path(temporary), place)
        Path(temporary).replace(place)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise
    _settle(place.parent)


def _resemble(new: Path, old: Path) -> None:
    """Give a file the permissions and the owner of the one that it replaces, else what a new file gets."""
    try:
        known = old.stat()
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        new.chmod(0o666 & ~mask)
        return
    new.chmod(stat.S_IMODE(known.st_mode) & 0o777)
    with contextlib.suppress(PermissionError):  # only root may give files away
        os.chown(new, known.st_uid, known.st_gid)


def _settle(folder: Path) -> None:
    """Have the new name on the disk as well, where folders can be asked for that."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with contextlib.suppress(OSError):  # some file systems refuse it
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _clear(folder: Path) -> None:
    """Remove what processes left unfinished that were killed while they wrote."""
    with contextlib.suppress(OSError):  # a folder that can be written to need not be readable
        for entry in folder.iterdir():
            found = _PATTERN.fullmatch(entry.name)
            if found and not _is_alive(int(found.group(1))):
                entry.unlink()


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
