"""Files that only grow: records with a length and a checksum each, whole or not there.

A process that is killed leaves every record that it has written; a machine that loses its power, all but
those of the last seconds. What stands behind the last whole record is cut off before more is written.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

MAGIC: Final = b"tracetwin-journal-1\n"
MOST_BYTES: Final = 1 << 30
"""Size from which on nothing more is written to a file."""

SYNC_SECONDS: Final = 3.0
"""What the loss of power may cost."""

_HEAD: Final = struct.Struct("<II")
_OPEN: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
_sync: Final = getattr(os, "fdatasync", os.fsync)


class Record(NamedTuple):
    """One record of a file.

    Attributes:
        offset: where its payload begins.
    """

    offset: int
    payload: bytes


class NotOurs(OSError):
    """A file that somebody else has written, or might have."""


class Journal:
    """A file that records are added to.

    A disk that is full does not end the run: nothing more is written then, and `failure` says why.

    Attributes:
        failure: why nothing more is written, "" while all is well.
    """

    def __init__(self, path: Path) -> None:
        """Open a file, or make it; `records` gives what is in it.

        Where it can't be opened, or is not ours alone, there is nothing in it, and `failure` says why.
        """
        self.failure = ""
        self._path = path
        self._size = 0
        self._synced = time.monotonic()
        self._descriptor = -1
        try:
            self._open()
        except OSError as error:
            self.close()
            self._fail(error.strerror or str(error))

    def _open(self) -> None:
        self._descriptor = os.open(self._path, _OPEN, 0o600)
        check_owner(os.fstat(self._descriptor))
        self._size = _whole(self._path)
        os.ftruncate(self._descriptor, self._size)
        if not self._size:
            self._write(MAGIC)
            _sync_folder(self._path.parent)

    def records(self) -> Iterator[Record]:
        """Yield the records of the file in order."""
        return iter(()) if self._descriptor < 0 else records(self._path)

    def read(self, offset: int, count: int) -> bytes:
        """A part of the payload of a record that was given out by `records`."""
        return os.pread(self._descriptor, count, offset)

    def add(self, payload: bytes) -> None:
        """Add a record: it outlives this process from now on."""
        if self.failure:
            return
        self._write(_HEAD.pack(len(payload), zlib.crc32(payload)) + payload)
        now = time.monotonic()
        if now - self._synced >= SYNC_SECONDS:
            self.sync()
            self._synced = time.monotonic()

    def cut(self, record: Record) -> None:
        """Forget a record and all behind it."""
        try:
            self._size = record.offset - _HEAD.size
            os.ftruncate(self._descriptor, self._size)
        except OSError as error:
            self._fail(error.strerror or str(error))

    def sync(self) -> None:
        """Have what was added outlive the machine's power, too."""
        if not self.failure:
            try:
                _sync(self._descriptor)
            except OSError as error:
                self._fail(error.strerror or str(error))

    def close(self) -> None:
        if self._descriptor >= 0:
            self.sync()
            os.close(self._descriptor)
            self._descriptor = -1
            self.failure = self.failure or "it is closed"

    def _write(self, data: bytes) -> None:
        if self._size + len(data) > MOST_BYTES:
            self._fail(f"it has grown to {MOST_BYTES >> 20} MiB")
            return
        try:
            written = os.write(self._descriptor, data)
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            self._fail(error.strerror or str(error))
        else:
            self._size += len(data)

    def _fail(self, why: str) -> None:
        self.failure = why


def records(path: Path) -> Iterator[Record]:
    """The whole records of a file, up to the first that is damaged.

    Raises:
        OSError: it can't be read.
    """
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return
        offset = len(MAGIC) + _HEAD.size
        while (payload := _next(file)) is not None:
            yield Record(offset, payload)
            offset += len(payload) + _HEAD.size


def _next(file: BinaryIO) -> bytes | None:
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    length, checksum = _HEAD.unpack(head)
    if length > MOST_BYTES:
        return None
    payload = file.read(length)
    return payload if len(payload) == length and zlib.crc32(payload) == checksum else None


def _whole(path: Path) -> int:
    """Up to where a file is whole."""
    end = 0
    for record in records(path):
        end = record.offset + len(record.payload)
    if end:
        return end
    with path.open("rb") as file:
        return len(MAGIC) if file.read(len(MAGIC)) == MAGIC else 0


def _sync_folder(folder: Path) -> None:
    """Have the names in a folder outlive the machine's power."""
    with contextlib.suppress(OSError):  # not every system can
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def check_owner(found: os.stat_result) -> None:
    """Refuse what others could have written: what is in it is believed.

    Raises:
        NotOurs: they could.
    """
    if found.st_uid not in {os.getuid(), 0} or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise NotOurs("it is not this user's alone")
