"""Dates in years that a reader knows: all of a test are moved by the same number of calendar cycles.

A solver leaves a year at 1 where it does not matter. After 400 years of 146,097 days, which are whole weeks,
the calendar is the same: differences, weekdays and leap years stay.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from tracetwin.emit.select.plainer_mocks import changed_step
from tracetwin.emit.select.select import goals_of
from tracetwin.emit.select.shorten import Improving, Seen, ends_alike
from tracetwin.model.case import Case
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import Call, Recipe, Scalar, walk

CYCLE: Final = 400
NOW: Final = 2010
"""The year that the moved dates lie around."""

KNOWN: Final = range(1900, 2101)
"""Years of which a test may speak."""

_DATED: Final = (("datetime", "date"), ("datetime", "datetime"))


def with_known_years(work: Improving) -> list[Seen]:
    """Return each case with its observation, with dates of our time where the call then goes the same way."""
    now = list(work.chosen)
    moved = {
        position: case
        for position, (old, _) in enumerate(work.chosen)
        if position not in work.settled and (case := in_our_time(old)) is not None
    }
    if moved and time.monotonic() < work.until:
        for (position, case), seen in zip(moved.items(), work.run(list(moved.values())), strict=True):
            if _goes_the_same_way(work, now[position], (case, seen)):
                now[position] = (case, seen)
    return now


def in_our_time(case: Case) -> Case | None:
    """Return the case with its dates in our time, None where they are or can't be.

    All are moved alike; each by itself only where they lie so far apart that this leaves some elsewhere.
    """
    years = [year for recipe in case.given() for part in walk(recipe) if (year := _year(part)) is not None]
    if not years or all(year in KNOWN for year in years):
        return None
    distance = _distance((min(years) + max(years)) // 2)
    alike = min(years) + distance in KNOWN and max(years) + distance in KNOWN
    if case.patches or not any(map(_distance, years)):
        return None

    def change(part: Recipe) -> Recipe:
        year = _year(part)
        if year is None or not isinstance(part, Call):
            return part
        moved = year + (distance if alike else _distance(year))
        return replace(part, args=(Scalar(moved), *part.args[1:]))

    return replace(case, steps=tuple(changed_step(step, change) for step in case.steps))


def _distance(year: int) -> int:
    """By how much a year is moved, in whole cycles."""
    return CYCLE * round((NOW - year) / CYCLE)


def _year(part: Recipe) -> int | None:
    """The year of a date, None for anything else."""
    if not isinstance(part, Call) or (part.module, part.qualname) not in _DATED or not part.args:
        return None
    first = part.args[0]
    return first.value if isinstance(first, Scalar) and type(first.value) is int else None


def _goes_the_same_way(work: Improving, old: Seen, new: Seen) -> bool:
    (case, before), (_, after) = old, new
    if not ends_alike(before, after, case) or set(before.own_arcs) != set(after.own_arcs):
        return False
    return _reached(work, case, before) <= _reached(work, case, after)


def _reached(work: Improving, case: Case, seen: Observation) -> set[object]:
    return set(goals_of(replace(case, shows=()), seen, work.coverable, work.criteria))
