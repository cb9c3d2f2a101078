"""Opening a wheel, or another zip archive, that anybody may have made: the one place where it is looked over.

What an archive says of itself need not be so. It is refused where it leads outside, where two readers could
see two different things in it, and where it would take far more room than it seems to; what is read of it is
read up to a limit.
"""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tracetwin.support.errors import TargetError
from tracetwin.support.text import count
from tracetwin.target import kinds

MOST_LISTED: Final = 8 << 20
"""Bytes of the list of files in an archive, all of which is held in memory."""

LONGEST_NAME: Final = 1000
LONGEST_PART: Final = 255

LARGE: Final = 64 << 20
MOST_INFLATED: Final = 200
"""Bytes for each byte of the archive, where it is large by then: as much as no source or data needs."""

_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Those that Python imports from, and whose output can be taken bit by bit."""

_ENCRYPTED: Final = 0x1
_LIST_SIZE: Final = 5
"""Where `zipfile` keeps the bytes of the list of files, of what it knows of the end of an archive."""

_GOOD: Final[set[tuple[int, ...]]] = set()

UNREADABLE: Final = (
    OSError, EOFError, NotImplementedError, OverflowError, RuntimeError, ValueError, struct.error,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What `zipfile` raises of damaged archives."""


def opened(target: str, path: Path) -> zipfile.ZipFile:
    """An archive that was looked over, for a `with`.

    Raises:
        TargetError: it is not there, damaged, or refused.
    """
    if not path.is_file():  # who opens a pipe waits for ever
        raise TargetError(target, "is not a readable wheel: it is no regular file")
    try:
        _check_list(target, path)
        archive = zipfile.ZipFile(path)
    except UNREADABLE as error:
        if isinstance(error, TargetError):
            raise
        raise TargetError(target, f"is not a readable wheel: {error}") from error
    try:
        _look_over(target, archive, path.stat())
    except BaseException:
        archive.close()
        raise
    return archive


def content(target: str, archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A file of an archive.

    Raises:
        TargetError: it is larger, or not what the archive says it is.
        KeyError: there is no such entry.
    """
    entry = archive.getinfo(name)
    if entry.file_size > most:
        raise TargetError(target, f"is too large: {entry.file_size:,} bytes")
    try:
        with archive.open(entry) as file:
            data = file.read(entry.file_size + 1)  # with a limit, a lie about the size costs no memory
    except UNREADABLE as error:
        raise TargetError(target, f"can't be read: {error}") from error
    if len(data) != entry.file_size:
        raise TargetError(target, "can't be read: it is shorter than the archive says")
    return data


def bytes_of(file: Path) -> bytes:
    """Return the bytes of a file, which may lie within a wheel.

    Raises:
        OSError: it can't be read.
    """
    wheel = next((one for one in file.parents if one.suffix == ".whl"), None)
    if wheel is None or not wheel.is_file():
        return file.read_bytes()
    try:
        with opened(str(file), wheel) as archive:
            return content(str(file), archive, file.relative_to(wheel).as_posix(), LARGE)
    except (TargetError, KeyError) as error:
        raise OSError(f"{file} can't be read: {error}") from error


def _check_list(target: str, path: Path) -> None:
    """Refuse a list of files that would fill the memory; whatever else is wrong with it `zipfile` says."""
    known: Any = zipfile
    with path.open("rb") as file:
        end = known._EndRecData(file)  # noqa: SLF001 - it must see what `ZipFile` sees
    if end and end[_LIST_SIZE] > MOST_LISTED:
        raise TargetError(target, f"refused: the list of the files in it has {end[_LIST_SIZE]:,} bytes")


def _look_over(target: str, archive: zipfile.ZipFile, known: os.stat_result) -> None:
    """Refuse what is wrong with an archive, unless it was looked over before."""
    mark = (known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns)
    if mark not in _GOOD:
        _check_entries(target, archive)
        _check_size(target, archive, known.st_size)
        _GOOD.add(mark)


def _check_entries(target: str, archive: zipfile.ZipFile) -> None:
    there: set[str] = set()
    folders: set[str] = set()
    for info in archive.infolist():
        why = _outside(info) or _oddity(info)
        place = PurePosixPath(kinds.installed_path(info.filename))
        if not why and not info.is_dir() and str(place) in there:
            why = "is in the wheel twice"
        if why:
            raise TargetError(target, f"refused: {info.filename!r} {why}")
        (folders if info.is_dir() else there).add(str(place))
        folders.update(map(str, place.parents))
    both = sorted(there & folders)
    if both:
        raise TargetError(target, f"refused: {both[0]!r} is a file in the wheel, and a folder")


def _outside(info: zipfile.ZipInfo) -> str:
    """Return the fault in an entry's path as the rest of a sentence, "" if there is none."""
    path = PurePosixPath(info.filename)
    odd = "\\" in info.filename or not path.parts or any(":" in part for part in path.parts)
    if odd or path.is_absolute() or ".." in path.parts:
        return "leads outside the wheel"
    if str(path) != info.filename.removesuffix("/") or info.filename != info.orig_filename:
        return "is no plain name of a file in a wheel"
    if not info.filename.isprintable():
        return "has characters in its name that nobody sees"
    if len(info.filename) > LONGEST_NAME or any(len(part.encode()) > LONGEST_PART for part in path.parts):
        return "has too long a name"
    return ""


def _oddity(info: zipfile.ZipInfo) -> str:
    """Return any other fault of an entry, "" if there is none."""
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "in the wheel is a link or a device"
    if info.flag_bits & _ENCRYPTED:
        return "in the wheel is encrypted"
    if info.compress_type not in _METHODS:
        return "in the wheel is compressed in a way that Python can't import from"
    return ""


def _check_size(target: str, archive: zipfile.ZipFile, size: int) -> None:
    total = sum(info.file_size for info in archive.infolist())
    if total > LARGE and total > MOST_INFLATED * size:
        why = f"{count(size, 'byte')} of it would become {total:,}"
        raise TargetError(target, f"refused: {why}, as in an archive made to fill a disk")
