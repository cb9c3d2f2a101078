"""Sees a function being entered and certain of its instructions, by whatever the interpreter offers.

Not one instruction more is looked at than needed: until the last that was waited for, and with `sys.settrace`
only in lines that hold one. That makes all that runs meanwhile slow, so that Python 3.11 gets other
instructions instead; where they are, 3.12 tells by itself.
"""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import field
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, TypeAlias

from runtime import trace
from tracetwin.process.instructions import trace_calls
from tracetwin.support.data import dataclass
from tracetwin.worker.insertion import CAN_INSERT, with_calls

Noted: TypeAlias = Callable[[tuple[str, ...]], bool]
"""Takes what an instruction stands for, () for the beginning; returns whether to go on looking."""

Places: TypeAlias = Mapping[int, tuple[str, ...]]
"""Names that instructions stand for, by their offsets."""

_TOOLS: Final = (5, 3, 4, 2, 1, 0)


def watch(function: FunctionType, places: Places, noted: Noted) -> AbstractContextManager[None]:
    """Look at the instructions of a function's next call within a block."""
    if CAN_INSERT:
        return _told(function, places, noted)
    code = function.__code__
    return _monitored(code, places, noted) if hasattr(sys, "monitoring") else _traced(code, places, noted)


@dataclass
class _Telling:
    """Code that tells of its own instructions, made once for each code.

    Attributes:
        noted: who is told, None where nobody is.
    """

    noted: Noted | None = None
    code: CodeType | None = None
    entered: Callable[[], None] = field(default=lambda: None)

    def begin(self) -> None:
        self.entered()
        self.tell(())

    def tell(self, names: tuple[str, ...]) -> None:
        if self.noted is not None and not self.noted(names):
            self.noted = None


_telling: dict[CodeType, _Telling] = {}


def _telling_of(code: CodeType, places: Places) -> _Telling:
    """The code that tells, in the place of another; conditions are found at the same sites in it."""
    found = _telling.get(code)
    if found is None:
        found = _telling[code] = _Telling()
        calls = {place: [functools.partial(found.tell, names)] for place, names in places.items()}
        first = _first_place(code)
        calls[first] = [functools.partial(found.begin), *calls.get(first, ())]
        found.code, origins = with_calls(code, calls)
        trace.moved[found.code] = origins
    return found


@contextmanager
def _told(function: FunctionType, places: Places, noted: Noted) -> Iterator[None]:
    code = function.__code__
    telling = _telling_of(code, places)
    assert telling.code is not None

    def entered() -> None:
        telling.entered = _nothing
        function.__code__ = code  # whoever calls it now is not looked at

    telling.entered, telling.noted = entered, noted
    function.__code__ = telling.code
    try:
        yield
    finally:
        telling.entered, telling.noted = _nothing, None
        if function.__code__ is telling.code:
            function.__code__ = code


def _nothing() -> None:
    """Nobody waits for it."""


def _first_place(code: CodeType) -> int:
    """The offset of the first instruction of the function's own."""
    items = iter(dis.get_instructions(code))
    next(item for item in items if item.opname == "RESUME")
    return next(item.offset for item in items if item.opname != "EXTENDED_ARG")


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
