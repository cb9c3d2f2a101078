"""Lengths of time as a reader writes them: `timedelta(hours=2, seconds=1)`, not `timedelta(0, 7201)`."""

from __future__ import annotations

from itertools import product
from typing import Final

from tracetwin.model.recipe import Call, Scalar
from tracetwin.model.snapshot import Built

_UNITS: Final = {
    "days": 86_400_000_000,
    "hours": 3_600_000_000,
    "minutes": 60_000_000,
    "seconds": 1_000_000,
    "microseconds": 1,
}
"""The microseconds of each."""

_GIVEN: Final = ("days", "seconds", "microseconds")
"""The parameters of `timedelta`, in their order."""


def microseconds_of(made: Call | Built) -> int | None:
    """Return the length of a `timedelta` that is made of plain numbers; None for anything else."""
    if (made.module, made.qualname) != ("datetime", "timedelta") or made.kwargs:
        return None
    parts = [part.value for part in made.args if isinstance(part, Scalar)]
    numbers = [part for part in parts if type(part) is int]
    if not len(numbers) == len(made.args) <= len(_GIVEN):
        return None
    return sum(number * _UNITS[unit] for number, unit in zip(numbers, _GIVEN, strict=False))


def span_parts(length: int) -> dict[str, int]:
    """Return microseconds as numbers of units, the largest first, without those that are 0."""
    sign, left = (-1, -length) if length < 0 else (1, length)
    parts = {}
    for unit, size in _UNITS.items():
        number, left = divmod(left, size)
        if number:
            parts[unit] = sign * number
    return parts or {"days": 0}


def beside(length: int) -> tuple[str, int, int] | None:
    """Return the unit and number that a length is just over (1) or under (-1), by one of a smaller unit."""
    units = list(_UNITS.items())
    for place, (unit, size) in enumerate(units):
        for way, step in product((1, -1), [step for _, step in units[place + 1 :]]):
            number, rest = divmod(length - way * step, size)
            if number > 0 and not rest:
                return unit, number, way
    return None
