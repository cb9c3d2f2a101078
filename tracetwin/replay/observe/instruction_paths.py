"""The way through the code, instruction by instruction.

It tells the operands of `and`, `or` and `if`-`else` apart, which lines and the arcs between them do not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tracetwin.process.instructions import trace_calls, trace_instructions

Way = tuple[str, int, int, int]


class Ways:
    """Notes the arcs between instructions of one file's code; in the place of every other tracer.

    Attributes:
        file: what the code says it comes from.
        taken: name and first line of the code, and the offsets of two instructions that ran in a row.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.taken: set[Way] = set()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Within this block they are noted."""
        before = trace_calls(self._called)
        try:
            yield
        finally:
            sys.settrace(before)

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self.file:
            return None
        last = -1

        def passed(inner: FrameType, event: str, _argument: Any) -> Any:
            nonlocal last
            if event == "opcode":
                self.taken.add((code.co_name, code.co_firstlineno, last, inner.f_lasti))
                last = inner.f_lasti
            return passed

        return trace_instructions(frame, passed)
