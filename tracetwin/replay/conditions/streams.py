"""The standard streams of a case that is replayed."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager

terminal = False
"""True if they say that they are those of a terminal."""


class Stream(io.StringIO):
    """Takes what is printed, or holds what is typed."""

    def isatty(self) -> bool:
        return terminal


class NoInput(Stream):
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


def displaced(out: io.StringIO, err: io.StringIO, stdin: io.StringIO) -> str:
    """The fate of the standard streams, as a clause; "" where they are these, and open."""
    now = vars(sys)  # nothing is called that the case could have replaced
    for name, stream in (("stdout", out), ("stderr", err), ("stdin", stdin)):
        if name not in now or now[name] is not stream:
            return f"it changes the interpreter: sys.{name} is another"
        if stream.closed:
            return f"it closes sys.{name}"
    return ""
