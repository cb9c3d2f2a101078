"""Make a model readable: small numbers, short decimals, short plain texts, while everything still holds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from tracetwin.solving.program import same
from tracetwin.solving.task import Task
from tracetwin.support.minimize import Attempts, first_accepted

_READABLE_TEXT: Final = 12
_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")


def shrink(task: Task, values: dict[str, object], budget: int) -> dict[str, object]:
    """A simpler assignment, found by evaluating at most `budget` others."""
    best = dict(values)
    attempts = Attempts(budget)
    for name in task.names:
        while (found := _simpler_value(task, best, name, attempts)) is not None:
            best = found
    return best


def _simpler_value(
    task: Task, values: dict[str, object], name: str, attempts: Attempts
) -> dict[str, object] | None:
    """The assignment with a simpler value for one name, None where there is none."""
    old, weight = values[name], cost(values[name])
    candidates = (
        {**values, name: value}
        for value in _simpler(old, task.current.get(name))
        if cost(value) < weight and not same(value, old)
    )
    return first_accepted(attempts.each(candidates), lambda one: one if task.program.holds(one) else None)


def cost(value: object) -> tuple[float, ...]:
    """How hard a value is to read; smaller is better."""
    match value:
        case bool():
            return (0.0, float(value))
        case int():
            return (math.log2(abs(value) + 1) if abs(value) < 1 << 900 else 900.0, float(value < 0))
        case float():
            return _float_cost(value)
        case str():
            odd = sum(ch not in _PLAIN for ch in value) + 4 * sum(not ch.isprintable() for ch in value)
            return (len(value) + 2.0 * odd, float(sum(ord(ch) for ch in value)))
        case bytes():
            odd = sum(chr(b) not in _PLAIN for b in value)
            return (len(value) + 2.0 * odd, float(sum(value)))
        case _:
            return (0.0,)


def _float_cost(value: float) -> tuple[float, ...]:
    if not math.isfinite(value):
        return (60.0, float(value < 0))
    return (float(len(repr(value))), abs(value), float(value < 0))


def readable(value: object) -> bool:
    """Good enough to leave alone."""
    match value:
        case bool():
            return True
        case int():
            return abs(value) <= 100
        case float():
            return not math.isfinite(value) or len(repr(value)) <= 7
        case str() | bytes():
            plain = value if isinstance(value, str) else value.decode("latin-1")
            return len(value) <= _READABLE_TEXT and plain.isascii() and plain.isprintable()
        case _:
            return True


def _simpler(value: object, current: object) -> Iterator[object]:
    match value:
        case bool():
            yield False
        case int():
            yield from _simpler_ints(value)
        case float():
            yield from _simpler_floats(value)
        case str():
            yield from _simpler_texts(value)
        case bytes():
            for text in _simpler_texts(value.decode("latin-1")):
                yield text.encode("latin-1")
        case _:
            return
    if type(current) is type(value):
        yield current


def _simpler_ints(value: int) -> Iterator[int]:
    yield from (0, 1, -1, 2)
    if value < 0:
        yield -value
    for power in (10, 100, 1000):
        if abs(value) > power:
            yield power
            yield -power
    size = abs(value)
    sign = -1 if value < 0 else 1
    if size > 10:
        yield sign * (size // 2)
        yield sign * (size - size % 10 ** (len(str(size)) - 1))
    if size > 2:
        yield sign * (size - 1)


def _simpler_floats(value: float) -> Iterator[float]:
    yield from (0.0, 1.0, -1.0, 0.5, 2.0)
    if math.isfinite(value):
        for digits in (0, 1, 2, 3, 6):
            yield round(value, digits)
            scale = 10.0**digits
            if abs(value * scale) < 1e15:
                yield math.floor(value * scale) / scale
                yield math.ceil(value * scale) / scale
        for power in (10.0, 100.0, 1000.0):
            if abs(value) > power:
                yield math.copysign(power, value)


def _simpler_texts(value: str) -> Iterator[str]:
    yield ""
    if len(value) > 1:
        yield value[: len(value) // 2]
        yield value[len(value) // 2 :]
    places = range(min(len(value), 40))
    for place in places:
        yield value[:place] + value[place + 1 :]
    for plain in ("a", "0", " ", "A"):
        yield "".join(ch if ch in _PLAIN else plain for ch in value)
    for place in places:
        if value[place] not in "a0":
            for plain in ("a", "0") if value[place] in _PLAIN else ("a", "0", " ", "A"):
                yield value[:place] + plain + value[place + 1 :]
