"""Values worth trying first: simple ones, and those that the conditions themselves mention."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

from runtime.expr import Node, Sort
from runtime.meanings.patterns import OPERATORS
from tracetwin.solving.inversion.examples import examples

SIMPLE: Final[dict[Sort, tuple[object, ...]]] = {
    Sort.INT: (0, 1, -1, 2, 10),
    Sort.BOOL: (False, True),
    Sort.FLOAT: (0.0, 1.0, -1.0, 0.5, 10.0),
    Sort.STR: ("", "a", "0", " ", "A", "ab"),
    Sort.BYTES: (b"", b"a", b"0", b"\x00"),
}

UNUSUAL_FLOATS: Final = (math.nan, math.inf, -math.inf, -0.0, 1e300, 1e-300, 5e-324)  # squares: inf, 0.0
UNUSUAL_INTS: Final = ((1 << 53) + 1, 10**309)  # which no float equals, and for which there is none
FLOATING: Final = frozenset({"to_float", "to_float_ok"})

_PATTERN_OPERATORS: Final = frozenset(OPERATORS) - {"re.escape"}
_MOST_TEXT: Final = 200


class ConstantPool:
    """The constants below some nodes, by sort, in order of appearance."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.numbers: list[int | float] = []
        self.texts: list[str] = []
        self.byte_strings: list[bytes] = []
        skipped: set[Node] = set()
        collected = list(nodes)
        self.patterns: list[tuple[str | bytes, int]] = []
        for node in collected:
            if node.op in _PATTERN_OPERATORS:
                skipped.update(node.args[:2])
                self._add_pattern(*node.args[:2])
        seen: set[tuple[type, str]] = set()
        for node in collected:
            if node.op != "const" or node in skipped:
                continue
            for value in _flatten(node.data):
                key = (type(value), repr(value))
                if key not in seen:
                    seen.add(key)
                    self._add(value)

    def _add_pattern(self, pattern: Node, flags: Node) -> None:
        if isinstance(pattern.data, (str, bytes)) and isinstance(flags.data, int):
            self.patterns.append((pattern.data, int(flags.data)))

    def _add(self, value: object) -> None:
        if type(value) in (int, float):
            self.numbers.append(value)  # type: ignore[arg-type]
        elif isinstance(value, str) and len(value) <= _MOST_TEXT:
            self.texts.append(value)
        elif isinstance(value, bytes) and len(value) <= _MOST_TEXT:
            self.byte_strings.append(value)

    def values(self, sort: Sort) -> Iterator[object]:
        """Candidates of one sort: constants, their neighbours, and simple combinations."""
        match sort:
            case Sort.INT:
                yield from self._ints()
            case Sort.FLOAT:
                yield from self._floats()
            case Sort.STR:
                yield from self._strings()
            case Sort.BYTES:
                yield from self._bytes()
            case Sort.BOOL | Sort.OBJ:
                return

    def _ints(self) -> Iterator[int]:
        for number in self.numbers:
            if isinstance(number, int) or math.isfinite(number):
                base = round(number)
                yield from (base, base + 1, base - 1)
        for text in self.texts:
            if len(text) == 1:
                yield ord(text)
            yield from _numbers_in(text)

    def _floats(self) -> Iterator[float]:
        for number in self.numbers:
            try:
                value = float(number)
            except OverflowError:
                continue
            yield value
            if math.isfinite(value):
                yield from (value + 1.0, value - 1.0, value + 0.5, value - 0.5)

    def _strings(self) -> Iterator[str]:
        yield from self.texts
        yield from self._examples(str)
        for text in self.texts:
            yield text + "a"
            yield "a" + text
            if text.isupper() or text.islower():
                yield text.swapcase()
        for number in self.numbers:
            yield str(number)
            if isinstance(number, int) and 0 <= number <= 40:
                yield "a" * number
                yield "0" * number
                yield "a" * (number + 1)
        for left in self.texts[:6]:
            for right in self.texts[:6]:
                yield left + right

    def _examples(self, kind: type) -> Iterator[Any]:
        for pattern, flags in dict.fromkeys(self.patterns):
            if isinstance(pattern, kind):
                yield from examples(pattern, flags)

    def _bytes(self) -> Iterator[bytes]:
        yield from self.byte_strings
        yield from self._examples(bytes)
        for text in self.byte_strings:
            yield text + b"a"
            yield b"a" + text
        for number in self.numbers:
            if isinstance(number, int) and 0 <= number <= 255:
                yield bytes([number])
                if number <= 40:
                    yield b"\x00" * number
        for left in self.byte_strings[:6]:
            for right in self.byte_strings[:6]:
                yield left + right


def _numbers_in(text: str) -> Iterator[int]:
    """Return the numbers that a text reads as, in decimal and by its prefix (``0x..``)."""
    for base in (10, 0):
        with contextlib.suppress(ValueError):
            yield int(text, base)


def _flatten(value: object) -> Iterator[object]:
    """The value itself, or the elements of a constant container."""
    if isinstance(value, (tuple, list, set, frozenset)):
        for element in sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value:
            yield from _flatten(element)
    elif isinstance(value, dict):
        for key in value:
            yield from _flatten(key)
    else:
        yield value
