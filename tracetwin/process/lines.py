"""Which lines of some code objects run: by `sys.monitoring` where there is one, else by `sys.settrace`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, Final

_TOOLS: Final = (4, 3, 1, 0, 2, 5)
"""Numbers for our tool: first those that nobody else is meant to have."""


_unseen = False


@contextmanager
def unseen() -> Iterator[None]:
    """Within this block no lines are noted, by whatever means they are watched."""
    global _unseen  # noqa: PLW0603 - so is the tracer of a thread
    tracer, was = sys.gettrace(), _unseen
    sys.settrace(None)
    _unseen = True
    try:
        yield
    finally:
        _unseen = was
        sys.settrace(tracer)


class LineWatch:
    """Watches the lines of one module, told by its code objects; copies made by another import count as well.

    Instead of naming its code objects it may be told the file that they say they come from.

    Attributes:
        seen: the lines that ran since it was last emptied.
    """

    def __init__(self, codes: Iterable[CodeType], file: str | None = None) -> None:
        self.seen: set[int] = set()
        self._codes = frozenset(codes)
        self._file = file
        self._known: dict[int, tuple[CodeType, bool]] = {}

    def start(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Give back what the interpreter has few of; the next `start` takes it again."""

    def take(self) -> list[int]:
        """The lines since this was last called."""
        taken, self.seen = sorted(self.seen), set()
        return taken

    def _is_own(self, code: CodeType) -> bool:
        known = self._known.get(id(code))
        if known is None:  # with the object itself, so that its number is not given to another one
            own = code in self._codes or code.co_filename == self._file
            known = self._known[id(code)] = (code, own)
        return known[1]


class MonitoredLines(LineWatch):
    """By `sys.monitoring`: what is not watched costs next to nothing."""

    def __init__(self, codes: Iterable[CodeType], file: str | None = None) -> None:
        super().__init__(codes, file)
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        self._tool = -1

    def start(self) -> None:
        if self._tool < 0:
            self._register()
        self._monitoring.set_events(self._tool, self._events)

    def stop(self) -> None:
        self._monitoring.set_events(self._tool, 0)

    def close(self) -> None:
        if self._tool >= 0:
            self._monitoring.free_tool_id(self._tool)
            self._tool = -1

    def _register(self) -> None:
        monitoring, events = self._monitoring, self._monitoring.events
        self._tool = next(tool for tool in _TOOLS if monitoring.get_tool(tool) is None)
        self._events = events.LINE | events.PY_START
        monitoring.use_tool_id(self._tool, "tracetwin")
        monitoring.restart_events()  # who had the number before may have disabled what is to be seen now
        monitoring.register_callback(self._tool, events.LINE, self._line)
        monitoring.register_callback(self._tool, events.PY_START, self._enter)

    def _line(self, code: CodeType, line: int) -> Any:
        if not self._is_own(code):
            return self._monitoring.DISABLE
        if not _unseen:
            self.seen.add(line)
        return None

    def _enter(self, code: CodeType, _offset: int) -> Any:
        # A body on the line of its `def` has no event of its own in some versions.
        return self._line(code, code.co_firstlineno)


class TracedLines(LineWatch):
    """By `sys.settrace`."""

    def start(self) -> None:
        sys.settrace(self._enter)

    def stop(self) -> None:
        sys.settrace(None)

    def _enter(self, frame: FrameType, _event: str, _argument: object) -> Any:
        if not self._is_own(frame.f_code):
            return None
        self.seen.add(frame.f_code.co_firstlineno)
        return self._inside

    def _inside(self, frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            self.seen.add(frame.f_lineno)
        return self._inside


def watch(codes: Iterable[CodeType], file: str | None = None) -> LineWatch:
    """A watcher of the kind that this interpreter offers, not yet started."""
    return MonitoredLines(codes, file) if hasattr(sys, "monitoring") else TracedLines(codes, file)
