"""Evidence for days and moments: from what is added to them, and from what lies between two of them."""

from __future__ import annotations

import ast
import datetime as dt
from typing import Final

from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.strength import Strength

_OF_DAYS: Final = frozenset(("days", "weeks"))

CLASS_BETWEEN: Final = {
    "days": dt.date,
    **dict.fromkeys(("seconds", "microseconds", "total_seconds"), dt.datetime),
}
"""By the members of a distance in time, the class of what it lies between: ``(end - start).days``."""

_LIKELY: Final = (1.0, 0.9, 0.4)
"""What the classes count that something may be to which a distance is added, the likeliest one first."""


def note_moved(facts: ValueFacts, distance: ast.expr, value: object) -> None:
    """Note what a value is that a `timedelta` is added to, or taken from; `value` is that of a constant.

    Days are added to days, hours to moments.
    """
    for cls, share in zip((*moved_by(distance, value), dt.timedelta), _LIKELY, strict=True):
        facts.name(cls, Strength.NEEDED, share)


def moved_by(distance: ast.expr, value: object) -> tuple[type, type]:
    """Return the classes of what a distance in time lies between, the likelier one first."""
    return (dt.date, dt.datetime) if _is_of_days(distance, value) else (dt.datetime, dt.date)


def _is_of_days(distance: ast.expr, value: object) -> bool:
    if isinstance(value, dt.timedelta):
        return not (value.seconds or value.microseconds)
    match distance:
        case ast.Call(args=[_], keywords=[]):
            return True
        case ast.Call(args=[], keywords=[*given]):
            return bool(given) and all(item.arg in _OF_DAYS for item in given)
        case _:
            return False
