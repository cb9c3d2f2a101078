"""Streams that drop what is printed to them."""

from __future__ import annotations

import io
import sys
from typing import Any


class _Dropping(io.RawIOBase):
    """Takes everything and keeps nothing."""

    def writable(self) -> bool:
        return True

    def write(self, data: object, /) -> int:
        return memoryview(data).nbytes  # type: ignore[arg-type]


class Output(io.TextIOWrapper):
    """A stand-in for `sys.stdout`: has `.buffer`, survives gigabytes, costs nothing to make.

    A target that closes it, or detaches its buffer, loses only its own output.
    """

    def __init__(self) -> None:
        raw: Any = _Dropping()
        super().__init__(raw, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)

    def isatty(self) -> bool:
        """Never a terminal."""
        return False


class Muted:
    """Within this block nothing is printed anywhere: `sys.stdout` and `sys.stderr` are thrown away."""

    __slots__ = ("_kept",)

    def __enter__(self) -> None:
        self._kept = sys.stdin, sys.stdout, sys.stderr
        sys.stdout = sys.stderr = Output()

    def __exit__(self, *_: object) -> None:
        """Put them back, whatever the target put in their place."""
        sys.stdin, sys.stdout, sys.stderr = self._kept
