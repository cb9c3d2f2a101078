"""The calendar's clock: `datetime.now()` and its kin, drawn by their parts."""

from __future__ import annotations

import sys
import time
from typing import Any, Final

from runtime.inputs import UnfitInput
from runtime.values import pin, plain
from tracetwin.drawing.environment.sources import EnvironmentRead, NotDrawn, reads
from tracetwin.model.recipe import Reference, tuple_of
from tracetwin.model.recipes import NotNameable, Recipe, call, lit, reference

START: Final = (2024, 1, 1, 12, 0, 0)
"""The default date: the noon of a first of January, which was a Monday."""

MONDAY: Final = 0

BOUNDS: Final = (("year", 1970, 2100), ("month", 1, 12), ("day", 1, 31))
TIME: Final = (("hour", 0, 23), ("minute", 0, 59), ("second", 0, 59))
LONGEST: Final = 10 * 366 * 86_400
"""Seconds between two looks at the clock."""


@reads("datetime.now", "datetime:datetime.now")
def now(reading: EnvironmentRead, cls: Any, tz: Any = None) -> tuple[Any, Recipe]:
    """The moment in a time zone."""
    return _moment(reading, cls, tz)


@reads("datetime.now", "datetime:datetime.utcnow", "datetime:datetime.today")
def naive_now(reading: EnvironmentRead, cls: Any) -> tuple[Any, Recipe]:
    """The moment without a time zone."""
    return _moment(reading, cls, None)


@reads("datetime.now", "datetime:date.today")
def today(reading: EnvironmentRead, cls: Any) -> tuple[Any, Recipe]:
    """The day."""
    if cls is not _module().date:
        raise NotDrawn
    value = reading.memory.get("today")
    if value is None:
        value = reading.memory["today"] = _drawn(reading, cls, BOUNDS)
    return value, _call("date", [value.year, value.month, value.day])


@reads("time", "time:localtime", "time:gmtime")
def broken_down(reading: EnvironmentRead, seconds: Any = None) -> tuple[Any, Recipe]:
    """The moment as its parts, where none is given."""
    if seconds is not None:
        raise NotDrawn
    parts = _parts(reading, (*BOUNDS, *TIME))
    day = time.localtime(time.mktime((*map(plain, parts), 0, 0, -1)))
    if day[:3] != tuple(map(plain, parts[:3])):  # the 30th of February is the 1st of March here
        raise UnfitInput
    rest = (day.tm_wday, day.tm_yday, 0)
    written = tuple_of(*(lit(plain(part)) for part in (*parts, *rest)))
    return time.struct_time((*parts, *rest)), call("time", "struct_time", written)


@reads("time", "time:strftime", "time:asctime", "time:ctime")
def formatted(reading: EnvironmentRead, *args: Any) -> tuple[Any, Recipe]:
    """The moment in a text, where none is given."""
    name = reading.title.rpartition(".")[2]
    if len(args) != (1 if name == "strftime" else 0):
        raise NotDrawn
    moment = time.struct_time((*START, MONDAY, 1, 0))
    text = time.strftime(pin(args[0]), moment) if args else time.asctime(moment)
    return text, lit(text)


def _moment(reading: EnvironmentRead, cls: Any, tz: Any) -> tuple[Any, Recipe]:
    if cls is not _module().datetime:
        raise NotDrawn
    zone, key = _zone(tz), ("moment", repr(_zone(tz)))
    before = reading.memory.get(key)
    if before is None:
        value = _drawn(reading, cls, (*BOUNDS, *TIME))
    else:
        elapsed = reading.inputs.integer(f"{reading.name}-", 0, 0, LONGEST)
        value = before + _module().timedelta(seconds=elapsed)
    reading.memory[key] = value
    parts = [value.year, value.month, value.day, value.hour, value.minute, value.second]
    recipe = _call("datetime", parts if plain(value.second) else parts[:-1], zone)
    return (value if tz is None else value.replace(tzinfo=tz)), recipe


def _module() -> Any:
    return sys.modules["datetime"]


def _drawn(reading: EnvironmentRead, cls: Any, bounds: Any) -> Any:
    """A date or moment of drawn parts."""
    try:
        return cls(*_parts(reading, bounds))
    except ValueError:  # the 30th of February
        raise UnfitInput from None


def _parts(reading: EnvironmentRead, bounds: Any) -> list[Any]:
    parts = []
    for (part, low, high), start in zip(bounds, START, strict=False):
        name = f"{reading.name}.{part}"
        reading.inputs.homes[name] = start
        parts.append(reading.inputs.integer(name, start, low, high))
    return parts


def _zone(tz: Any) -> Recipe | None:
    """The name that a test has for a time zone.

    Raises:
        NotDrawn: it can't.
    """
    if tz is None:
        return None
    kinds = _module()
    if tz is kinds.timezone.utc:
        return Reference("datetime", "timezone.utc")
    key = getattr(tz, "key", None)
    try:
        if isinstance(key, str):
            return call(*reference(type(tz)), lit(key))
    except NotNameable:
        pass
    raise NotDrawn


def _call(name: str, parts: list[Any], zone: Recipe | None = None) -> Recipe:
    others = {} if zone is None else {"tzinfo": zone}
    return call("datetime", name, *(lit(plain(part)) for part in parts), **others)
