"""Neighbouring values: the single steps that search takes."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from typing import Final

from runtime.expr import Sort
from tracetwin.solving.constants import SIMPLE, ConstantPool
from tracetwin.solving.stages.candidates import unusual_texts
from tracetwin.solving.task import Task

_FLOAT_STEPS: Final = (1.0, 0.1, 10.0, 0.01, 100.0, 0.001, 1e-6, 1e-9)
_STRIDES: Final = (*range(2, 13), 16, 25, 50, 60, 100, 128, 256, 365, 1000, 1024, 10_000, 1 << 16, 10**6)
_SIZE: Final = (1 << 63) - 1
_LARGEST: Final = 0x7FEFFFFFFFFFFFFF
_PLAIN: Final = "a0A z9-."
_MOST_PLACES: Final = 24
_FIRST_PLAIN: Final = 32
_LAST_PLAIN: Final = 126
_MOST_JUMPS: Final = 60
_NUMBER: Final = re.compile(r"\d+")


def directions(value: object) -> Iterator[float | int]:
    """Steps for numbers that are worth repeating and doubling; for floats down to single ulps."""
    if isinstance(value, int):
        yield from (1, -1)
    elif isinstance(value, float) and math.isfinite(value):
        for step in _FLOAT_STEPS:
            yield from (step, -step)
        ulp = math.ulp(value)
        yield from (ulp * 1024, -ulp * 1024, ulp, -ulp)


def shifted(value: float, steps: int) -> float:
    """The float so many steps further up, of those there are; the largest or smallest finite one at most."""
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    place = (bits if bits >= 0 else -(bits & _SIZE)) + steps
    place = max(-_LARGEST, min(_LARGEST, place))
    return struct.unpack("<d", struct.pack("<Q", place if place >= 0 else -place | 1 << 63))[0]  # type: ignore[no-any-return]


class Moves:
    """Neighbours of texts, and far jumps for every sort, with the constants of one task at hand."""

    def __init__(self, task: Task) -> None:
        self._pool = ConstantPool(task.nodes)
        texts = "".join([*self._pool.texts, *(b.decode("latin-1") for b in self._pool.byte_strings)])
        codes = [n for n in self._pool.numbers if isinstance(n, int) and _FIRST_PLAIN <= n <= _LAST_PLAIN]
        self._alphabet = "".join(dict.fromkeys(texts[:64] + "".join(map(chr, codes[:16])) + _PLAIN))
        unusual = "".join(unusual_texts(task.operators))
        self._alphabet += "".join(ch for ch in dict.fromkeys(unusual) if ch not in self._alphabet)
        ints = [n for n in self._pool.numbers if isinstance(n, int) and n >= 0][:8]
        self._counts = list(dict.fromkeys([*ints, *(n + 1 for n in ints), *(n - 1 for n in ints)]))
        self._words = [word for word in dict.fromkeys(self._pool.texts) if 1 < len(word) <= 20][:16]

    def jumps(self, sort: Sort) -> list[object]:
        """Simple values and constants."""
        distinct = {repr(value): value for value in (*SIMPLE.get(sort, ()), *self._pool.values(sort))}
        return list(distinct.values())[:_MOST_JUMPS]

    def neighbours(self, value: object) -> Iterator[object]:
        """Values one edit away."""
        if isinstance(value, bool):
            yield not value
        elif isinstance(value, int):
            yield from (value + step for step in _STRIDES)
            yield from (value - step for step in _STRIDES)
        elif isinstance(value, str):
            yield from self._edits(value)
        elif isinstance(value, bytes):
            for text in self._edits(value.decode("latin-1")):
                if all(ord(ch) < 256 for ch in text):
                    yield text.encode("latin-1")

    def _edits(self, text: str) -> Iterator[str]:
        """Few and promising edits first: numbers, whole words, the ends; then every place."""
        yield from self._numbers(text)
        places = range(min(len(text), _MOST_PLACES))
        for word in self._words:
            yield word + text
            yield text + word
        for ch in self._alphabet:
            yield text + ch
        for place in places:
            yield text[:place] + text[place + 1 :]
            yield from self._replacements(text, place)
        for word in self._words:
            for place in range(1, len(places) + 1):
                yield text[:place] + word + text[place:]
                yield text[:place] + word + text[place + len(word) :]
        for place in places:
            for ch in self._alphabet:
                yield text[:place] + ch + text[place:]

    def _replacements(self, text: str, place: int) -> Iterator[str]:
        """Another character in one place."""
        code = ord(text[place])
        for shift in (1, -1, 4, -4, 16, -16):
            if _FIRST_PLAIN <= code + shift <= _LAST_PLAIN:
                yield text[:place] + chr(code + shift) + text[place + 1 :]
        for ch in self._alphabet:
            if ch != text[place]:
                yield text[:place] + ch + text[place + 1 :]

    def _numbers(self, text: str) -> Iterator[str]:
        """Runs of digits, counted up and down and replaced."""
        for run in list(_NUMBER.finditer(text))[:6]:
            number = int(run.group()) if len(run.group()) < 18 else 0
            values = [*self._counts, number * 10, number // 10, number * 2, number + 10, number - 10]
            values += [number + 1, number - 1]
            for value in dict.fromkeys(values):
                if 0 <= value < 10**18:
                    yield text[: run.start()] + str(value) + text[run.end() :]
                    if len(str(value)) < len(run.group()):
                        yield text[: run.start()] + str(value).zfill(len(run.group())) + text[run.end() :]
