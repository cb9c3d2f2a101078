"""Which lines and arcs of one file run, by `sys.settrace`: where there is no coverage.py, or no source.

An arc is a pair of lines that ran one after the other in one frame; a function is entered from the negative
number of its first line, and left to it.
"""

from __future__ import annotations

import opcode
import sys
import threading
from types import CodeType, FrameType
from typing import Any, Final

from tracetwin.process.lines import LineWatch, watch
from tracetwin.target.outline import codes_in, load_code, outline_of, to_plain


class FileMeasure:
    """Tells which lines and arcs of one file are executed; this one measures nothing."""

    def __init__(self, file: str) -> None:
        self.file = file

    def start(self) -> None:
        """From here on lines are seen, in this process and those forked from it."""

    def outline(self) -> tuple[Any, ...] | None:
        """The outline of the module, as plain data; None where the source tells what there is to cover."""
        return None

    def code_file(self) -> str:
        """The file's name in tracebacks."""
        return self.file

    def take(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Lines and arcs since this was last called; measuring goes on."""
        return [], []


class OutsideMeasure(FileMeasure):
    """Takes the place of `Measure` for a module that comes as bytecode only."""

    def __init__(self, name: str, file: str) -> None:
        super().__init__(file)
        self._name = name
        self._code: CodeType | None = None
        self._lines: LineWatch = watch(())

    def start(self) -> None:
        """From here on lines are seen, in this process and those forked from it.

        Raises:
            ImportError: the file can't be loaded.
        """
        self._code = load_code(self._name, self.file)
        self._lines = watch(codes_in(self._code))
        self._lines.start()

    def outline(self) -> tuple[Any, ...] | None:
        return None if self._code is None else to_plain(outline_of(self._code))

    def code_file(self) -> str:
        """The file's name in tracebacks: where it was when it was compiled."""
        return "" if self._code is None else self._code.co_filename

    def take(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Lines since this was last called, and no arcs; measuring goes on."""
        return self._lines.take(), []


_OPS: Final = opcode.opmap
_RESUME: Final = _OPS.get("RESUME", -1)
_HANDLER: Final = _OPS.get("PUSH_EXC_INFO", -1)
_RETURN: Final = _OPS.get("RETURN_VALUE", -1)
_YIELD: Final = _OPS.get("YIELD_VALUE", -1)
_YIELD_FROM: Final = _OPS.get("YIELD_FROM", -1)
_AFTER_YIELD: Final = 0 if sys.version_info[:2] == (3, 13) else 2
"""Bytes from where a frame stands that yields to where it goes on."""
_TELLS_LATE: Final = sys.version_info >= (3, 14)
"""Whether a new line may be told of when a frame is left from it, and not before."""


class ArcMeasure(FileMeasure):
    """Sees the arcs of one file, in this process and those forked from it."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self._arcs: set[tuple[int, int]] = set()
        self._codes: dict[int, tuple[CodeType, bytes]] = {}

    def start(self) -> None:
        """From here on arcs are noted, in all threads."""
        threading.settrace(self._enter)
        sys.settrace(self._enter)

    def take(self) -> tuple[list[int], list[tuple[int, int]]]:
        if sys.gettrace() != self._enter:  # gone where it found no room on the stack
            sys.settrace(self._enter)
        arcs, self._arcs = self._arcs, set()
        return sorted({line for arc in arcs for line in arc if line > 0}), sorted(arcs)

    def _enter(self, frame: FrameType, _event: str, _argument: object) -> Any:
        code = frame.f_code
        if code.co_filename != self.file:
            return None
        ops = self._ops(code)
        # A generator is entered each time that it goes on.
        last = -code.co_firstlineno if _begins(ops, frame.f_lasti) else frame.f_lineno

        def inside(frame: FrameType, event: str, _argument: object) -> Any:
            nonlocal last
            if event == "line":
                line = frame.f_lineno
                if not _handles(ops, frame.f_lasti):
                    self._arcs.add((last, line))
                    last = line
            elif event == "return" and _is_left(ops, frame.f_lasti):
                last = self._last(frame, last)
                self._arcs.add((last, -code.co_firstlineno))
            return inside

        return inside

    def _ops(self, code: CodeType) -> bytes:
        """The instructions of a code object, of which it makes a new copy each time that it is asked."""
        known = self._codes.get(id(code))
        if known is None:  # with the object itself, so that its number is not given to another one
            known = self._codes[id(code)] = (code, code.co_code)
        return known[1]

    def _last(self, frame: FrameType, last: int) -> int:
        """The line that a frame is left from."""
        line: int | None = frame.f_lineno
        if not _TELLS_LATE or line is None or line == last:
            return last
        self._arcs.add((last, line))
        return line


def _begins(ops: bytes, at: int) -> bool:
    """Return whether a frame that is entered there begins, and does not go on."""
    return ops[at + 1] == 0 if _RESUME >= 0 else at < 0


def _handles(ops: bytes, at: int) -> bool:
    """Return whether an instruction is the interpreter's own, at the start of a handler."""
    return _HANDLER >= 0 and 0 <= at < len(ops) and ops[at] == _HANDLER


def _is_left(ops: bytes, at: int) -> bool:
    """Return whether a frame that returns there does so for good."""
    if _RESUME >= 0:
        return len(ops) == at + 2 or ops[at + _AFTER_YIELD] != _RESUME
    if ops[at] in (_RETURN, _YIELD):
        return ops[at] == _RETURN
    return len(ops) <= at + 2 or ops[at + 2] != _YIELD_FROM


def measure_for(name: str, file: str, *, elsewhere: bool) -> FileMeasure:
    """Return what sees the lines of a module that run; to be asked before it is imported.

    `elsewhere`: in another interpreter than ours, which has no coverage.py.
    """
    if file.endswith(".pyc"):
        return OutsideMeasure(name, file)
    if elsewhere:
        return ArcMeasure(file)
    from tracetwin.replay.by_coverage import Measure

    return Measure(file)
