"""Inserts calls between the instructions of a code object, as Python 3.11 lays them out.

A program that is traced by `sys.settrace` pays for it in every function that it calls, and in every
instruction; one that has a few more instructions pays for these alone.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any, Final, NamedTuple, TypeAlias

from tracetwin.support.data import dataclass

CAN_INSERT: Final = sys.version_info[:2] == (3, 11)

Inserted: TypeAlias = Callable[[], object]
"""Called without arguments; what it returns is dropped, what it raises is raised in the program."""

_UNIT: Final = 2
_STACK: Final = 3
_CALL: Final = (("PUSH_NULL", 0), ("LOAD_CONST", 0), ("PRECALL", 1), ("CALL", 4), ("POP_TOP", 0))
"""A call without arguments: its instructions, and the units of cache behind each."""

_LONG, _NO_COLUMNS, _NOWHERE = 14, 13, 15
"""Kinds of entries in a table of positions."""

_MOST_UNITS: Final = 8
"""Units that one such entry tells of."""


class Extended(NamedTuple):
    """Code with calls inserted, and where its other instructions stood before, by where they stand."""

    code: CodeType
    origins: Mapping[int, int]


@dataclass
class _Instruction:
    """An instruction of the new code.

    Attributes:
        caches: units behind it that are the interpreter's.
        origin: the offset of the instruction in the old code that it is, or stands before.
        is_new: it stands before that.
        target: where it jumps to in the old code, -1 where it does not jump.
        begin: its place in the new code, with what extends its argument.
        extensions: units that extend its argument.
    """

    opcode: int
    argument: int
    caches: int
    origin: int
    is_new: bool = False
    target: int = -1
    begin: int = 0
    extensions: int = 0

    @property
    def place(self) -> int:
        """The place in the new code that a frame tells of."""
        return self.begin + _UNIT * self.extensions

    @property
    def units(self) -> int:
        return self.extensions + 1 + self.caches

    def extend(self) -> bool:
        """Make room for its argument; whether there was not enough."""
        needed = max(0, (self.argument.bit_length() - 1) // 8)
        grown = needed > self.extensions
        self.extensions = max(needed, self.extensions)
        return grown

    def encoded(self) -> bytes:
        extended = dis.opmap["EXTENDED_ARG"]
        pairs = [(extended, self.argument >> 8 * more & 0xFF) for more in range(self.extensions, 0, -1)]
        pairs.append((self.opcode, self.argument & 0xFF))
        return bytes(part for pair in pairs for part in pair) + bytes(_UNIT * self.caches)


def with_calls(code: CodeType, calls: Mapping[int, Sequence[Inserted]]) -> Extended:
    """Code that makes calls before some of its instructions."""
    constants: list[object] = list(code.co_consts)
    groups: dict[int, list[_Instruction]] = {}
    for start, item in _read(code):
        before = calls.get(item.origin, ())
        groups[start] = [*(part for call in before for part in _call(call, item.origin, constants)), item]
    places = _lay_out(groups, len(code.co_code))
    parts = [part for group in groups.values() for part in group]
    replace: Any = code.replace  # whose arguments Python 3.10 does not know
    made = replace(
        co_code=b"".join(part.encoded() for part in parts),
        co_consts=tuple(constants),
        co_stacksize=code.co_stacksize + _STACK,
        co_linetable=bytes(_positions(code, parts)),
        co_exceptiontable=bytes(_handlers(code, places)),
    )
    return Extended(made, {part.place: part.origin for part in parts if not part.is_new})


def _read(code: CodeType) -> Iterator[tuple[int, _Instruction]]:
    """Give the instructions, each with where it starts, with what extends its argument."""
    items = list(dis.get_instructions(code))
    ends = [*(item.offset for item in items[1:]), len(code.co_code)]
    start = 0
    for item, end in zip(items, ends, strict=True):
        if item.opname == "EXTENDED_ARG":
            continue
        target = item.argval if item.opcode in dis.hasjrel else -1
        caches = (end - item.offset) // _UNIT - 1
        yield start, _Instruction(item.opcode, item.arg or 0, caches, item.offset, target=target)
        start = end


def _call(call: Inserted, origin: int, constants: list[object]) -> Iterator[_Instruction]:
    """Give the instructions of a call."""
    for name, caches in _CALL:
        argument = len(constants) if name == "LOAD_CONST" else 0
        yield _Instruction(dis.opmap[name], argument, caches, origin, is_new=True)
    constants.append(call)


def _lay_out(groups: Mapping[int, Sequence[_Instruction]], length: int) -> dict[int, int]:
    """Give each instruction its place; returns the places of what jumps lead to, by the old ones."""
    while True:
        begin, places = 0, {}
        for start, group in groups.items():
            places[start] = begin
            for part in group:
                part.begin = begin
                begin += _UNIT * part.units
        places[length] = begin
        grown = False
        for group in groups.values():
            for part in group:
                if part.target >= 0:
                    part.argument = abs(places[part.target] - part.place - _UNIT) // _UNIT
                grown |= part.extend()
        if not grown:
            return places


def _positions(code: CodeType, parts: Iterable[_Instruction]) -> Iterator[int]:
    """Give the table of positions: what is inserted lies where the instruction behind it lies."""
    instructions: Any = code  # whose positions Python 3.10 does not know
    known: list[tuple[int | None, ...]] = list(instructions.co_positions())
    before = code.co_firstlineno
    for part in parts:
        line, last, column, end = known[part.origin // _UNIT]
        for done in range(0, part.units, _MOST_UNITS):
            units = min(_MOST_UNITS, part.units - done)
            columns = last is not None and column is not None and end is not None
            kind = _NOWHERE if line is None else _LONG if columns else _NO_COLUMNS
            yield 0x80 | kind << 3 | units - 1
            if line is None:
                continue
            far = line - before
            before = line
            yield from _little(-far << 1 | 1 if far < 0 else far << 1)
            if last is not None and column is not None and end is not None:
                yield from _little(last - line)
                yield from _little(column + 1)
                yield from _little(end + 1)


def _handlers(code: CodeType, places: Mapping[int, int]) -> Iterator[int]:
    """Give the table of exception handlers."""
    parse: Any = getattr(dis, "_parse_exception_table")  # noqa: B009 - nothing public reads it
    for start, end, target, depth, lasti in parse(code):
        begin = places[start] // _UNIT
        length = places[end] // _UNIT - begin
        first, *rest = _big(begin)
        yield 0x80 | first
        yield from rest
        for number in (length, places[target] // _UNIT, depth << 1 | lasti):
            yield from _big(number)


def _little(number: int) -> Iterator[int]:
    """Give a number in parts of six bits, the lowest first."""
    while number >= 0x40:
        yield 0x40 | number & 0x3F
        number >>= 6
    yield number


def _big(number: int) -> list[int]:
    """Return a number in parts of six bits, the highest first."""
    parts = [number & 0x3F]
    while number := number >> 6:
        parts.append(0x40 | number & 0x3F)
    return parts[::-1]
