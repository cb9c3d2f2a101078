"""Sees a function being entered and certain of its instructions, by whatever the interpreter offers.

Not one instruction more is looked at than needed: until the last that was waited for, and with `sys.settrace`
only in lines that hold one. From 3.12 on the interpreter tells by itself.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from types import CodeType, FrameType
from typing import Any, Final, TypeAlias

from tracetwin.process.instructions import trace_calls

Noted: TypeAlias = Callable[[tuple[str, ...]], bool]
"""Takes what an instruction stands for, () for the beginning; returns whether to go on looking."""

Places: TypeAlias = Mapping[int, tuple[str, ...]]
"""Names that instructions stand for, by their offsets."""

_TOOLS: Final = (5, 3, 4, 2, 1, 0)


def watch(code: CodeType, places: Places, noted: Noted) -> AbstractContextManager[None]:
    """Look at the instructions of the next call of a function that has this code, within a block."""
    return _monitored(code, places, noted) if hasattr(sys, "monitoring") else _traced(code, places, noted)


@contextmanager
def _monitored(code: CodeType, places: Places, noted: Noted) -> Iterator[None]:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    tool = next(number for number in _TOOLS if monitoring.get_tool(number) is None)

    def stop() -> None:
        monitoring.set_local_events(tool, code, 0)

    def entered(_code: CodeType, _offset: int) -> None:
        if not noted(()):
            stop()

    def reached(_code: CodeType, offset: int) -> None:
        if offset in places and not noted(places[offset]):
            stop()

    events = monitoring.events
    monitoring.use_tool_id(tool, "tracetwin")
    monitoring.register_callback(tool, events.PY_START, entered)
    monitoring.register_callback(tool, events.INSTRUCTION, reached)
    monitoring.set_local_events(tool, code, events.PY_START | events.INSTRUCTION)
    try:
        yield
    finally:
        stop()
        monitoring.register_callback(tool, events.PY_START, None)
        monitoring.register_callback(tool, events.INSTRUCTION, None)
        monitoring.free_tool_id(tool)


@contextmanager
def _traced(code: CodeType, places: Places, noted: Noted) -> Iterator[None]:
    line_at = _line_at(code)
    lines = frozenset(line_at[place] for place in places)
    first: FrameType | None = None
    before: Any = sys.gettrace()  # known before anything is traced: a finalizer may run in between

    def called(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal first
        inner = None if before is None else before(frame, event, argument)
        if frame.f_code is not code or (first is not None and first is not frame):
            return inner
        first = frame
        return _Local(places, lines, noted, inner, before) if noted(()) else inner

    trace_calls(called)
    try:
        yield
    finally:
        sys.settrace(before)


class _Local:
    """Traces the frame of the function; whoever traced before is told as well."""

    def __init__(
        self, places: Places, lines: frozenset[int | None], noted: Noted, inner: Any, before: Any
    ) -> None:
        self._places = places
        self._lines = lines
        self._noted = noted
        self._inner = inner
        self._before = before

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event != "opcode":
            if self._inner is not None:
                self._inner = self._inner(frame, event, argument)
            if event == "line":
                frame.f_trace_opcodes = frame.f_lineno in self._lines
            return self
        names = self._places.get(frame.f_lasti)
        if names is None or self._noted(names):
            return self
        frame.f_trace_opcodes = False
        frame.f_trace = self._inner
        sys.settrace(self._before)
        return self._inner


@functools.lru_cache(1)
def _line_at(code: CodeType) -> dict[int, int | None]:
    """The line of each instruction."""
    return {place: line for start, end, line in code.co_lines() for place in range(start, end, 2)}
