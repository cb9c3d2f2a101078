"""Evidence for days and moments: from what is added to them, and from what lies between two of them."""

from __future__ import annotations

import ast
from typing import Final

from tracetwin.analysis.scopes import module_of, qualname_of

_OF_DAYS: Final = frozenset(("days", "weeks"))

DAYS, MOMENTS = "date > datetime", "datetime > date"
"""The kinds of things that days lie between, and that hours do."""

KINDS_BETWEEN: Final = {
    "days": DAYS,
    **dict.fromkeys(("seconds", "microseconds", "total_seconds"), MOMENTS),
}
"""By the members of a distance in time, the kinds of what it lies between: ``(end - start).days``."""


def is_distance(cls: type | None) -> bool:
    """Return whether a class is `timedelta`, or the twin of it."""
    return cls is not None and (module_of(cls), qualname_of(cls)) == ("datetime", "timedelta")


def kinds_moved(distance: ast.expr, value: object) -> str:
    """Return the kinds of what a distance in time is added to; `value` is that of a constant.

    Days are added to days, hours to moments.
    """
    return DAYS if _is_of_days(distance, value) else MOMENTS


def _is_of_days(distance: ast.expr, value: object) -> bool:
    if is_distance(type(value)):
        return not any(getattr(value, name, 0) for name in ("seconds", "microseconds"))
    match distance:
        case ast.Call(args=[_], keywords=[]):
            return True
        case ast.Call(args=[], keywords=[*given]):
            return bool(given) and all(item.arg in _OF_DAYS for item in given)
        case _:
            return False
