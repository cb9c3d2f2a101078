"""The standard streams of a case that is replayed."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class NoInput(io.StringIO):
    """An empty standard input that remembers whether it was asked for anything."""

    asked = False

    def read(self, size: int | None = -1, /) -> str:
        self.asked = True
        return ""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        self.asked = True
        return ""

    def __next__(self) -> str:  # type: ignore[override]
        self.asked = True
        raise StopIteration


@contextmanager
def redirected(out: io.StringIO, err: io.StringIO, stdin: io.StringIO) -> Iterator[None]:
    """Put these in the places of the standard streams."""
    kept = sys.stdout, sys.stderr, sys.stdin
    sys.stdout, sys.stderr, sys.stdin = out, err, stdin
    try:
        yield
    finally:
        sys.stdout, sys.stderr, sys.stdin = kept
