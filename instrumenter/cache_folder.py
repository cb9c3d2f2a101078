"""Keeps on disk what is made of sources, each entry under a key of all that it depends on.

An entry may be code that will run, so it is believed only when it was written by this user (or root), when
nobody else can write to it, and when its checksum holds for the key under which it was found.

Keeps the folder small: rarely, after a write, and without a lock.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Final, NamedTuple

from instrumenter.files import UNFINISHED, write_atomically

_CHECKSUM: Final = hashlib.sha256().digest_size
# Neither follow a link that somebody laid there, nor wait for the other end of a pipe.
_OPEN: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_PRIVATE: Final = 0o600


def digest_of(*parts: bytes) -> bytes:
    """Return the key of an entry that depends on these parts, in this order."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()


def renamed(code: CodeType, filename: str) -> CodeType:
    """Return the code as that of another file."""
    if code.co_filename == filename:
        return code
    constants = tuple(
        renamed(constant, filename) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_filename=filename, co_consts=constants)


class CacheFolder:
    """The entries of one kind in a folder, None for no folder: then there are none."""

    def __init__(self, directory: Path | None, kind: str, magic: bytes) -> None:
        """Nothing is read or written yet.

        Args:
            directory: the folder of the cache.
            kind: the folder in it.
            magic: the first bytes of each entry, which tell its format.
        """
        self._directory = directory
        self._kind = kind
        self._magic = magic

    def place(self, key: bytes) -> Path:
        """Return where an entry is kept, whether it exists or not."""
        assert self._directory is not None
        name = key.hex()
        return self._directory / self._kind / name[:2] / name[2:]

    def read(self, key: bytes) -> bytes | None:
        """Return what an entry holds, None unless it is sound."""
        if self._directory is None:
            return None
        try:
            content = _trusted_content(self.place(key))
        except OSError:
            return None
        start = len(self._magic)
        payload = content[start + _CHECKSUM :]
        # marshal may crash on damaged data, so it only sees what the checksum vouches for.
        vouched = content[start : start + _CHECKSUM] == _checksum(key, payload)
        return payload if vouched and content[:start] == self._magic else None

    def write(self, key: bytes, payload: bytes) -> None:
        """Write an entry.

        Raises:
            OSError: the disk refuses.
        """
        if self._directory is None:
            return
        path = self.place(key)
        content = self._magic + _checksum(key, payload) + payload
        try:
            write_atomically(path, content, _PRIVATE)
        except IsADirectoryError:
            import shutil

            shutil.rmtree(path)
            write_atomically(path, content, _PRIVATE)
        tidy(self._directory)


def _checksum(key: bytes, payload: bytes) -> bytes:
    """Return the checksum of an entry under its key: no other module's entry is taken for this one."""
    return hashlib.sha256(key + payload).digest()


def _trusted_content(path: Path) -> bytes:
    handle = os.open(path, _OPEN)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or _is_others(status):
            raise PermissionError(path)
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def _is_others(status: os.stat_result) -> bool:
    """Return whether another user wrote a file or could."""
    return status.st_uid not in (0, os.geteuid()) or bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


MOST_BYTES: Final = 512 << 20
"""Size that all entries may have together; those not read for longest go first."""

KINDS: Final = ("twins", "code", "flow")
"""The folders of entries."""

_PAUSE: Final = 24 * 3600.0
_ABANDONED: Final = 3600.0  # no writer takes an hour: this one was killed


class _File(NamedTuple):
    used: float  # most systems note at least the day of the last reading
    size: int
    path: str


def tidy(directory: Path, most_bytes: int = MOST_BYTES) -> None:
    """Remove what killed writers left, and the entries not used for longest when there are too many.

    At most once a day: the folder's own time of change says when it was done last. Whoever reads an
    entry that vanishes makes it anew.
    """
    now = time.time()
    try:
        if now - directory.stat().st_mtime < _PAUSE:
            return
        os.utime(directory)
    except OSError:
        return  # it is not ours to tidy
    kept = 0
    for file in sorted((file for kind in KINDS for file in _files(directory / kind)), reverse=True):
        if file.path.endswith(UNFINISHED):
            superfluous = now - file.used > _ABANDONED
        else:
            kept += file.size
            superfluous = kept > most_bytes
        if superfluous:
            with contextlib.suppress(OSError):  # somebody else tidies as well
                os.unlink(file.path)  # noqa: PTH108 - there may be thousands


def _files(folder: Path) -> Iterator[_File]:
    """Yield the files in the folders of a folder."""
    for inner in _entries(folder):
        if inner.is_dir(follow_symlinks=False):
            for entry in _entries(inner):
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    yield _File(max(status.st_atime, status.st_mtime), status.st_size, entry.path)


def _entries(folder: os.PathLike[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
