"""A limit on what the target may do while it is only looked at: in lines, the same number each time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

MOST_LINES: Final = 5_000
"""Lines of Python that answering one question may run: some milliseconds."""


class TooManyLines(BaseException):
    """Looking at something takes too long; not an `Exception`, so that the target rarely catches it."""


@contextmanager
def line_limit(most: int = MOST_LINES) -> Iterator[None]:
    """Raise `TooManyLines` within this block once the functions that it calls have run so many lines."""
    left = most
    before = sys.gettrace()

    def trace(_frame: FrameType, _event: str, _argument: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooManyLines(f"more than {most} lines")
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
