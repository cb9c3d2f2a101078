"""Definitions and uses of variables in a run: for each use of a local the definition that was the last one.

It works on twins, whose variables have the names and positions of their originals. A comprehension that has a
frame of its own counts as part of the function around it.
"""

from __future__ import annotations

import dis
import inspect
import re
from types import CodeType, FrameType
from typing import Final, NamedTuple

from tracetwin.worker.dataflow.table import announced, line_of

_LOADS: Final = ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF", "LOAD_CLASSDEREF")
_STORES: Final = ("STORE_FAST", "STORE_DEREF")
_DELETES: Final = ("DELETE_FAST", "DELETE_DEREF")
_PARTS: Final = re.compile("load|store")
_COMPREHENSIONS: Final = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))
_RESUMED: Final = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

FROM_CALLER: Final = 0
"""In the place of a definition's line: the caller gave the value."""


class VariableAccess(NamedTuple):
    """The effect of an instruction on a variable.

    Attributes:
        act: ``load``, ``store`` or ``delete``.
        line: of the expression.
    """

    act: str
    name: str
    line: int


class VariableObserver:
    """Pairs of a definition and a use of a local that runs execute, while an observer tells of instructions.

    Attributes:
        pairs: function, variable, line of the definition, line of the use.
    """

    def __init__(self) -> None:
        self.pairs: set[tuple[str, str, int, int]] = set()
        self._tables: dict[CodeType, dict[int, list[VariableAccess]]] = {}
        self._last: dict[int, dict[str, int]] = {}
        self._names: dict[int, str] = {}
        self._frames: dict[int, FrameType] = {}  # so that no other gets the number of one that is resumed

    def begin(self, pairs: set[tuple[str, str, int, int]]) -> None:
        """Forget what was seen; what is seen from here on is added to `pairs`."""
        self.pairs = pairs
        self._last.clear()
        self._names.clear()
        self._frames.clear()

    def enter(self, frame: FrameType, function: str) -> None:
        """Note that a function of that name is called, or that a generator goes on."""
        code = frame.f_code
        if code not in self._tables:
            self._tables[code] = _accesses(code)
        if code.co_name in _COMPREHENSIONS or self._frames.get(id(frame)) is frame:
            return
        if code.co_flags & _RESUMED:
            self._frames[id(frame)] = frame
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        self._names[id(frame)] = function
        self._last[id(frame)] = dict.fromkeys(code.co_varnames[:count], FROM_CALLER)

    def step(self, frame: FrameType) -> None:
        """Note the instruction that a frame comes to."""
        for act, name, line in self._tables[frame.f_code].get(frame.f_lasti, ()):
            home = _around(frame)
            last = self._last.get(id(home))
            if last is None:
                continue
            if act == "load":
                if name in last:
                    self.pairs.add((self._names[id(home)], name, last[name], line))
            elif home is frame and act == "store":
                last[name] = line
            elif home is frame:
                last.pop(name, None)


def _around(frame: FrameType) -> FrameType:
    """The frame of the function that a comprehension stands in."""
    file, found = frame.f_code.co_filename, frame
    while found.f_code.co_name in _COMPREHENSIONS or found.f_code.co_filename != file:
        if found.f_back is None:
            return frame
        found = found.f_back
    return found


def _accesses(code: CodeType) -> dict[int, list[VariableAccess]]:
    """The instructions of a code object that read or write variables, by the offsets of their events."""
    found: dict[int, list[VariableAccess]] = {}
    cells = {*code.co_cellvars, *code.co_freevars}
    for offset, instruction in announced(code):
        line = _line(code, instruction)
        hands_on = "FAST" in instruction.opname  # the cell of a variable, to a function that is made
        for act, name in _acts(instruction):
            if line and not (hands_on and name in cells):
                found.setdefault(offset, []).append(VariableAccess(act, name, line))
    return found


def _acts(instruction: dis.Instruction) -> list[tuple[str, str]]:
    """The acts of an instruction on variables; Python 3.13 has instructions with two."""
    name, argument = instruction.opname, instruction.argval
    if isinstance(argument, tuple):
        return list(zip(_PARTS.findall(name.lower()), argument, strict=True))
    if name in _LOADS:
        return [("load", argument)]
    if name in _STORES:
        return [("store", argument)]
    return [("delete", argument)] if name in _DELETES else []


def _line(code: CodeType, instruction: dis.Instruction) -> int:
    positions = getattr(instruction, "positions", None)
    return (positions.lineno or 0) if positions is not None else line_of(code, instruction)
