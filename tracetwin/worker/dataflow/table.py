"""Which instructions of a code object read or write attributes, globals and elements, in which expression.

Instructions are tied to the source by their positions; Python 3.10 keeps lines only, and Python 3.13 joins
two loads of variables into one instruction that has the position of the first.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType
from typing import Final, NamedTuple

from tracetwin.worker.dataflow.syntax import Mention, Syntax

_KINDS: Final = {
    **dict.fromkeys(("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"), "load"),
    **dict.fromkeys(("STORE_ATTR", "DELETE_ATTR"), "store"),
    **dict.fromkeys(("LOAD_GLOBAL", "LOAD_NAME"), "global load"),
    **dict.fromkeys(("STORE_GLOBAL", "DELETE_GLOBAL"), "global store"),
    **dict.fromkeys(("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF", "LOAD_CLASSDEREF"), "local"),
}


class FrameAccess(NamedTuple):
    """The effect of an instruction.

    Attributes:
        kind: load, store (of attributes), global load, global store, local.
        deletes: whether it deletes.
    """

    kind: str
    deletes: bool
    mention: Mention


Accesses = dict[int, list[FrameAccess]]
"""By the offset at which an instruction is announced to tracers."""


def accesses_of(code: CodeType, syntax: Syntax) -> Accesses:
    """The instructions of a code object, not of those within it, that are of interest."""
    return _Table(code, syntax).filled()


class _Table:
    def __init__(self, code: CodeType, syntax: Syntax) -> None:
        self._code = code
        self._syntax = syntax
        self._found: Accesses = {}
        self._counts: dict[tuple[int, str, bool, bool], int] = {}
        self._certain: set[int] = set()  # mentions, by identity, that an instruction names by its position

    def filled(self) -> Accesses:
        joined: list[tuple[int, int, str]] = []
        for offset, instruction in announced(self._code):
            names = instruction.argval
            if isinstance(names, tuple):
                first, second = names
                if instruction.opname == "LOAD_FAST_LOAD_FAST":
                    self._note(offset, "LOAD_FAST", first, instruction)
                if not instruction.opname.endswith("_LOAD_FAST") or first == second:
                    continue
                joined.append((offset, line_of(self._code, instruction), second))
            elif isinstance(names, str):
                self._note(offset, instruction.opname, names, instruction)
        for offset, line, name in joined:
            mention = self._other(line, name)
            if mention is not None:
                self._found.setdefault(offset, []).append(FrameAccess("local", False, mention))
        return self._found

    def _note(self, offset: int, opname: str, name: str, instruction: dis.Instruction) -> None:
        kind = _KINDS.get(opname, "")
        mention = self._mention(instruction, _unmangled(name), kind) if kind else None
        if mention is None:
            return
        self._certain.add(id(mention))
        if kind == "local" and not mention.elements:
            return
        if (mention.base is None) == (kind in {"load", "store"}) and opname != "LOAD_SUPER_ATTR":
            return
        self._found.setdefault(offset, []).append(FrameAccess(kind, opname.startswith("DELETE"), mention))

    def _mention(self, instruction: dis.Instruction, name: str, kind: str) -> Mention | None:
        positions = getattr(instruction, "positions", None)
        if positions is not None:
            if positions.end_lineno is None or positions.end_col_offset is None:
                return None
            return self._syntax.mentions.get((positions.end_lineno, positions.end_col_offset, name))
        place = (line_of(self._code, instruction), name, kind in {"load", "store"}, kind.endswith("store"))
        known = self._syntax.by_line.get(place)
        if not known:
            return None
        count = self._counts[place] = self._counts.get(place, -1) + 1
        return known[count % len(known)]

    def _other(self, line: int, name: str) -> Mention | None:
        """The next mention of a variable's elements in a line that no instruction names by its position."""
        known = self._syntax.by_line.get((line, name, False, False), ())
        found = next((m for m in known if m.elements and id(m) not in self._certain), None)
        if found is not None:
            self._certain.add(id(found))
        return found


def announced(code: CodeType) -> Iterator[tuple[int, dis.Instruction]]:
    """Instructions with the offsets of their events: with a long argument it is the beginning of that."""
    extended = -1
    for instruction in dis.get_instructions(code):
        if instruction.opname == "EXTENDED_ARG":
            extended = instruction.offset if extended < 0 else extended
            continue
        yield instruction.offset if extended < 0 else extended, instruction
        extended = -1


def line_of(code: CodeType, instruction: dis.Instruction) -> int:
    """Return the line of an instruction, 0 for none."""
    for start, end, line in code.co_lines():
        if start <= instruction.offset < end:
            return line or 0
    return 0


def _unmangled(name: str) -> str:
    """The name as written: bytecode has the names of private attributes with their class."""
    if name.startswith("_") and "__" in name[1:] and not name.endswith("__"):
        head, _, tail = name[1:].partition("__")
        if head and tail and not head.startswith("_"):
            return f"__{tail}"
    return name
