"""Values that nobody would write, and tidier ones: for floats of 17 digits, odd letters and far years.

A solver stops at the first value that leads where it should, and a float next to another has all its digits.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from tracetwin.model.recipe import ScalarValue

MOST_DIGITS: Final = 6
"""Digits of a float that a person writes."""

_DAY: Final = re.compile(r"(?<![0-9])([0-9]{4})(-[0-9]{2}-[0-9]{2})(?![0-9])")

FIRST_YEAR, LAST_YEAR, CYCLE = 1900, 2100, 400
"""Years of which a test should speak, and the years after which the calendar is the same."""


def tidier(value: ScalarValue, name: str = "") -> Iterator[ScalarValue]:
    """Give tidier values in the place of one, the plainest first: none where it is tidy.

    `name` is the parameter that it is for, "" where that is not known.
    """
    found: list[ScalarValue] = []
    if type(value) is float and _digits(value) > MOST_DIGITS:
        found = [round(value, places) + 0.0 for places in (0, 1, 2, 3)]
    elif type(value) is int and name.rpartition("_")[2] == "year" and not FIRST_YEAR <= value <= LAST_YEAR:
        found = [_near(value)]
    elif type(value) is str:
        found = [_as_written(value), _DAY.sub(_in_our_time, value), "".join(map(_plain, value))]
    yield from (one for one in dict.fromkeys(found) if one != value)


def _as_written(text: str) -> str:
    """A day as people write it, where a text is one that only a standard knows: `1101W01`."""
    try:
        day = dt.date.fromisoformat(text).isoformat()
    except ValueError:
        return text
    return _DAY.sub(_in_our_time, day)


def _in_our_time(found: re.Match[str]) -> str:
    year, rest = int(found[1]), found[2]
    return found[0] if FIRST_YEAR <= year <= LAST_YEAR else f"{_near(year)}{rest}"


def _near(year: int) -> int:
    """The year of our time with the same calendar."""
    after = year % CYCLE
    return after + (2000 if after <= LAST_YEAR - 2000 else 1600)


def _digits(value: float) -> int:
    if not math.isfinite(value) or (abs(value) >= 1e6 and value.is_integer()):
        return 0
    return len(repr(value).partition("e")[0].replace(".", "").strip("-0"))


def _plain(letter: str) -> str:
    """A letter or digit like one that not all keyboards have, `-` for a sign of that kind."""
    if letter.isascii() and (letter.isprintable() or letter.isspace()):
        return letter
    if not letter.isascii() and letter.isdigit() and letter.isdecimal():
        return str(unicodedata.decimal(letter))
    if letter.isalpha():
        return "E" if letter.isupper() else "e"
    return " " if letter.isspace() else "-"
