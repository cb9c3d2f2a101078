"""A text stream that remembers the first bytes printed to it and drops the rest."""

from __future__ import annotations

import io
import sys
from types import TracebackType
from typing import Any, Final

DEFAULT_BYTES: Final = 1 << 20


class _Bounded(io.RawIOBase):
    """Keeps at most `limit` bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.kept = bytearray()
        self.dropped = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object, /) -> int:
        view = memoryview(data).cast("B")  # type: ignore[arg-type]
        room = self.limit - len(self.kept)
        if room > 0:
            self.kept += view[:room]
        self.dropped += max(0, len(view) - max(room, 0))
        return len(view)


class Output(io.TextIOWrapper):
    """A stand-in for `sys.stdout`: has `.buffer`, survives gigabytes, costs nothing to make.

    A target that closes it, or detaches its buffer, loses only its own output.
    """

    def __init__(self, limit: int = DEFAULT_BYTES) -> None:
        """Remember at most `limit` bytes."""
        self._store = _Bounded(limit)
        raw: Any = self._store
        super().__init__(raw, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)

    @property
    def truncated(self) -> bool:
        """True if something was dropped."""
        return self._store.dropped > 0

    def text(self) -> str:
        """The printed text, up to the limit."""
        try:
            self.flush()
        except (ValueError, OSError):  # closed or detached: what had arrived still counts
            return self._store.kept.decode("utf-8", "replace")
        return self._store.kept.decode("utf-8", "replace")

    def isatty(self) -> bool:
        """Never a terminal."""
        return False


class Muted:
    """Within this block nothing is printed anywhere: `sys.stdout` and `sys.stderr` are thrown away.

    As ``with Muted(1000) as output``, the first 1000 bytes of both are in ``output.text()`` afterwards.
    """

    __slots__ = ("_kept", "_limit")

    def __init__(self, limit: int = 0) -> None:
        """Remember at most `limit` bytes."""
        self._limit = limit

    def __enter__(self) -> Output:
        self._kept = sys.stdin, sys.stdout, sys.stderr
        output = Output(self._limit)
        sys.stdout = sys.stderr = output
        return output

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Put them back, whatever the target put in their place."""
        sys.stdin, sys.stdout, sys.stderr = self._kept
