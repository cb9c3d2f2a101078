"""Dates and moments in words: `is_in_march`, `is_march_fifteenth`, `is_after_nine_o_clock`."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from typing import Final

from tracetwin.model.recipe import Call, Recipe, Scalar
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
        yield 0, f"is_{'after' if any(time[1:]) else 'at'}_{_hour(time[0])}"
    yield 3, f"is_in_{name}"
    yield 4, f"is_{name}_{ordinal(day)}"
    yield 5, f"is_on_a_{calendar.day_name[calendar.weekday(year, month, day)].lower()}"


def _hour(hour: int) -> str:
    return {0: "midnight", 12: "noon"}.get(hour) or f"{spelled(hour) or hour}_o_clock"
