"""Copies between storages whose files are opened in a with statement."""

from __future__ import annotations

import abc
from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import Protocol


class StorageError(OSError):
    pass


class NotThere(StorageError):
    pass


class Stream(Protocol):
    def read_into(self, buffer: bytearray) -> int: ...

    def write(self, data: bytes) -> int: ...


class Storage(abc.ABC):
    @abc.abstractmethod
    def open(self, path: str, mode: str = "r") -> AbstractContextManager[Stream]: ...

    @abc.abstractmethod
    def exists(self, path: str) -> bool: ...

    @abc.abstractmethod
    def delete(self, path: str) -> None: ...

    def free(self) -> int | None:
        """Bytes that are left, if that is known."""
        return None


class Lock(Protocol):
    def __enter__(self) -> bool: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None: ...


def copy(source: Storage, target: Storage, path: str, *, overwrite: bool = False) -> int:
    """Copy a file block by block, and return its size."""
    if not source.exists(path):
        raise NotThere(path)
    if target.exists(path):
        if not overwrite:
            return 0
        target.delete(path)
    free = target.free()
    if free is not None and free < 4:
        raise StorageError("full")
    copied = 0
    buffer = bytearray(4)
    with source.open(path) as reader, target.open(path, mode="w") as writer:
        while True:
            count = reader.read_into(buffer)
            if count <= 0:
                break
            if buffer[0] == 0xFF:
                raise ValueError("not allowed")
            written = writer.write(bytes(buffer[:count]))
            if written != count:
                raise StorageError("short write")
            copied += count
            if copied > 8:
                raise StorageError("too large")
    return copied


def remove(storage: Storage, path: str, lock: Lock) -> str:
    """Delete under a lock; somebody else may have been faster."""
    result = "locked"
    with lock as acquired:
        if not acquired:
            return result
        result = "failed"
        if not storage.exists(path):
            return "missing"
        storage.delete(path)
        result = "deleted"
    return result


def clean(storage: Storage, paths: list[str]) -> int:
    """Delete what can be deleted."""
    count = 0
    for path in paths:
        with suppress(NotThere):
            storage.delete(path)
            count += 1
    return count
