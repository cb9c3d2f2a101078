"""Dates, moments and lengths of time in words: `is_march_fifteenth`, `is_after_six_pm`, `is_two_hours`."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from tracetwin.emit.source.spans import beside, span_parts
from tracetwin.model.recipe import Call, Recipe, Scalar
from tracetwin.model.snapshot import Attributes, Built
from tracetwin.support.counting import ordinal, spelled

_DAY_PARTS: Final = 3


def date_parts(recipe: Recipe) -> tuple[int, ...]:
    """Return year, month and day of a date, and what a moment has besides; nothing for anything else."""
    if not isinstance(recipe, Call) or recipe.module != "datetime" or recipe.kwargs:
        return ()
    parts = [part.value for part in recipe.args if isinstance(part, Scalar)]
    numbers = tuple(part for part in parts if type(part) is int)
    dated = recipe.qualname in ("date", "datetime") and len(numbers) >= _DAY_PARTS
    return numbers if dated and len(numbers) == len(recipe.args) else ()


def calendar_words(parts: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Give what can be said of a date or moment, with ranks: the hour says more than the day."""
    year, month, day, *time = parts
    name = calendar.month_name[month].lower()
    if time:
        yield from _time_words(*time[:2], later=any(time[2:]))
    yield 3, f"is_in_{name}"
    yield 4, f"is_{name}_{ordinal(day)}"
    yield 5, f"is_on_a_{calendar.day_name[calendar.weekday(year, month, day)].lower()}"


def result_in_time(result: Attributes | Built) -> str:
    """Return a day or a length of time that came back, in words, "" for anything else."""
    if not isinstance(result, Built) or result.module != "datetime":
        return ""
    parts = [part.value for part in result.args if isinstance(part, Scalar) and type(part.value) is int]
    match result.qualname, parts, result.kwargs:
        case "date", [int(year), int(month), int(day)], ():
            return f"{calendar.month_name[month].lower()}_{ordinal(day)}_{year}"
        case "timedelta", [], [(unit, Scalar(int(number)))] if number > 0:
            return _counted(number, unit)
        case _:
            return ""


def span_words(length: int) -> Iterator[tuple[int, str]]:
    """Give what can be said of a length of time, in microseconds, with ranks."""
    if length <= 0:
        yield (1, "is_negative") if length else (0, "is_zero")
    parts = span_parts(length)
    [(unit, number), *others] = parts.items()
    if number > 0 and not others:
        yield 3, f"is_{_counted(number, unit)}"
    elif found := beside(length):
        unit, number, way = found
        yield 3, f"is_just_{'over' if way > 0 else 'under'}_{_counted(number, unit)}"
    elif number > 0:
        yield 5, f"is_over_{_counted(number, unit)}"


def _counted(number: int, unit: str) -> str:
    return f"{spelled(number) or number}_{unit.removesuffix('s') if number == 1 else unit}"


def _time_words(hour: int, minute: int = 0, *, later: bool) -> Iterator[tuple[int, str]]:
    """Give what can be said of a time of the day, which may be `later` by seconds: first the half hour."""
    said = _hour(hour)
    if minute >= _HALF and said not in _NAMED.values():
        half = said.removesuffix("_o_clock")
        yield 0, f"is_{'after' if minute > _HALF or later else 'at'}_half_past_{half}"
    yield 0, f"is_{'after' if minute or later else 'at'}_{said}"


def _hour(hour: int) -> str:
    """An hour in words, after noon as it is said there."""
    said = f"{spelled(hour - 12)}_pm" if hour > 12 else f"{spelled(hour)}_o_clock"
    return _NAMED.get(hour, said)


_NAMED: Final = {0: "midnight", 12: "noon"}
_HALF: Final = 30


def place_in_time(recipe: Recipe) -> int | None:
    """Return a number by which dates and moments are ordered; None for anything else."""
    parts = date_parts(recipe)
    if not parts:
        return None
    place = 0
    for part, count in zip_longest(parts, _COUNTS, fillvalue=0):
        place = place * count + part
    return place


_COUNTS: Final = (1, 13, 32, 24, 60, 60, 1_000_000)
"""How many values each part of a moment may have, from the year on."""
