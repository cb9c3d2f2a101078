"""Tracing instruction by instruction, on every Python: each has its own way to be asked for it."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any


def trace_calls(called: Any) -> Any:
    """Trace by `called`, in the place of every other tracer, and be ready for events per instruction.

    Returns:
        What traced before, for `sys.settrace`.
    """
    before = sys.gettrace()
    frame = sys._getframe()  # noqa: SLF001 - documented, and there is no other way
    # Python 3.12 asks at `settrace` whether any frame ever wanted such events; later is too late.
    frame.f_trace_opcodes = True
    sys.settrace(called)
    frame.f_trace_opcodes = False
    return before


def trace_instructions(frame: FrameType, tracer: Any) -> Any:
    """Let `tracer` see each instruction of a frame that is being called, instead of its lines.

    Returns:
        `tracer`: what the function given to `trace_calls` returns.
    """
    frame.f_trace_lines = False
    frame.f_trace = tracer  # Python 3.13 asks for the tracer before it believes the next line
    frame.f_trace_opcodes = True
    return tracer
