"""The standard library's values: numbers, dates, paths, texts and streams, made of drawn parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from runtime.containers.bytearrays import bytearray_of
from runtime.containers.streams import stream_over
from runtime.models import callee1
from tracetwin.drawing.adapters.interface import TableAdapter
from tracetwin.drawing.adapters.making import always, made
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.matches import MatchPlan
from tracetwin.drawing.plans.plans import (
    NONE,
    BoolPlan,
    Built,
    BytesPlan,
    ComplexPlan,
    FixedPlan,
    FloatPlan,
    IntPlan,
    MadePlan,
    Plan,
    StrPlan,
    fixed,
    members,
    one_of,
)
from tracetwin.model.recipe import Recipe, Reference
from tracetwin.model.recipes import call, evaluate, is_traced, lit, lookup
from tracetwin.support.data import dataclass


def _decimal() -> Plan:
    def make(digits: int, places: int) -> Built:
        sign, figures = "-" if digits < 0 else "", str(abs(digits)).rjust(places + 1, "0")
        text = f"{sign}{figures[:-places]}.{figures[-places:]}" if places else f"{sign}{figures}"
        recipe = call("decimal", "Decimal", lit(text))
        return evaluate(recipe), recipe

    def remake(digits: Any, places: int) -> Any:
        if digits < 0:
            return lookup("decimal", "_dec_from_triple")(1, callee1(str)(-digits), -places)
        return lookup("decimal", "_dec_from_triple")(0, callee1(str)(digits), -places)

    parts = (("digits", IntPlan()), ("places", members([0, 1, 2], "places")))
    return MadePlan("Decimal", parts, make, "decimal", remake)


def _fraction() -> Plan:
    parts = (("numerator", IntPlan()), ("denominator", IntPlan(1, low=1)))
    return made("Fraction", "fractions", "Fraction", *parts)


def _date_parts() -> tuple[tuple[str, Plan], ...]:
    """Year, month and day; all months have the days that are offered, unless it shows which have not."""
    last = 31 if is_traced("datetime") else 28
    return ("year", IntPlan(2000, 1, 9999)), ("month", IntPlan(1, 1, 12)), ("day", IntPlan(1, 1, last))


_TIME: tuple[tuple[str, Plan], ...] = (
    ("hour", IntPlan(0, 0, 23)),
    ("minute", IntPlan(0, 0, 59)),
    ("second", IntPlan(0, 0, 59)),
)


def _timedelta() -> Plan:
    parts = (("days", IntPlan(0, -999999, 999999)), ("seconds", IntPlan(0, 0, 86399)))
    return made("timedelta", "datetime", "timedelta", *parts)


_UTC: Reference = Reference("datetime", "timezone.utc")


def _utc() -> Plan:
    return FixedPlan(lambda: evaluate(_UTC), _UTC, "timezone.utc")


def _datetime() -> Plan:
    """Without a time zone, or with one: those of one call are alike, since others can't be compared."""
    parts = (*_date_parts(), *_TIME)
    return one_of([made("datetime", "datetime", "datetime", *parts), _aware(parts)], topic="~tzinfo")


def _aware(parts: tuple[tuple[str, Plan], ...]) -> Plan:
    def make(*drawn: int) -> Built:
        recipe = call("datetime", "datetime", *map(lit, drawn[:-1]), tzinfo=_zone(drawn[-1]))
        return evaluate(recipe), recipe

    def remake(*drawn: Any) -> Any:
        return lookup("datetime", "datetime")(*drawn[:-1], tzinfo=evaluate(_zone(drawn[-1])))

    return MadePlan("datetime", (*parts, ("tzinfo", members([0, 2, -5], "tzinfo"))), make, "datetime", remake)


def _zone(hours: int) -> Recipe:
    return call("datetime", "timezone", call("datetime", "timedelta", hours=lit(hours))) if hours else _UTC


_PATHLIB = ("pathlib", "pathlib._local")
_PURE_PATHS = ("PurePath", "PurePosixPath", "PureWindowsPath")


def _path_of(name: str) -> Callable[[], Plan]:
    return lambda: made(name, "pathlib", name, ("text", StrPlan("a")))


def _pattern() -> Plan:
    return made("Pattern", "re", "compile", ("pattern", members(["a", "[0-9]+", "^$", "(a)(b)?"], "pattern")))


def _match() -> Plan:
    return MatchPlan("(.*)", "a")


def _uuid() -> Plan:
    def make(number: int) -> Built:
        recipe = call("uuid", "UUID", int=lit(number))
        return evaluate(recipe), recipe

    def remake(number: Any) -> Any:
        return lookup("uuid", "UUID")(int=number)

    return MadePlan("UUID", (("int", IntPlan(0, 0, 2**128 - 1)),), make, "uuid", remake)


def _range() -> Plan:
    parts = (("start", IntPlan()), ("stop", IntPlan(3)), ("step", members([1, 2, -1], "step")))
    return made("range", "builtins", "range", *parts)


class _SlicePlan(Plan):
    """A slice, whose bounds stay what was drawn: what is subscripted with it depends on them."""

    _BOUND: ClassVar[Plan] = one_of([IntPlan(), NONE])
    _PARTS: ClassVar[tuple[tuple[str, Plan], ...]] = (
        ("start", _BOUND),
        ("stop", _BOUND),
        ("step", one_of([NONE, members([1, 2, -1], "step")])),
    )
    HASHABLE = False  # before Python 3.12

    def build(self, draw: Draw, name: str) -> Built:
        built = [plan.build(draw, f"{name}.{part}") for part, plan in self._PARTS]
        recipe = call("builtins", "slice", *(part for _, part in built))
        return slice(*(value for value, _ in built)), recipe

    def describe(self) -> str:
        return "slice"

    def takes(self, value: Any) -> bool:
        return type(value) is slice


@dataclass(frozen=True)
class BytearrayPlan(Plan):
    """A bytearray whose octets are drawn."""

    OF = bytearray
    HASHABLE = False

    def build(self, draw: Draw, name: str) -> Built:
        value, recipe = BytesPlan().build(draw, f"{name}.bytes")
        made = bytearray(value) if type(value) is bytes else bytearray_of(value)
        return made, call("builtins", "bytearray", recipe)

    def describe(self) -> str:
        return "bytearray"

    def takes(self, value: Any) -> bool:
        return type(value) is bytearray


_TEXT_STREAMS = ("StringIO", "TextIOBase", "_TextIOBase", "TextIOWrapper", "IOBase", "_IOBase")
_BYTE_STREAMS = ("BytesIO", "BufferedIOBase", "BufferedReader", "RawIOBase", "FileIO", "BufferedRandom")


@dataclass(frozen=True)
class StreamPlan(Plan):
    """A stream in memory over drawn contents; what is read from it depends on them."""

    label: str
    part: str
    contents: Plan
    HASHABLE = False

    def build(self, draw: Draw, name: str) -> Built:
        value, recipe = self.contents.build(draw, f"{name}.{self.part}")
        return stream_over(value), call("io", self.label, recipe)

    def describe(self) -> str:
        return self.label

    def takes(self, value: Any) -> bool:
        return type(value).__module__ in ("_io", "io") and type(value).__name__ == self.label


def _text_stream() -> Plan:
    return StreamPlan("StringIO", "text", StrPlan())


def _byte_stream() -> Plan:
    return StreamPlan("BytesIO", "bytes", BytesPlan())


def _number() -> Plan:
    return one_of([IntPlan(), FloatPlan()])


class _Values(TableAdapter):
    name = "values of the standard library"


ADAPTER = _Values(
    {
        "builtins.complex": ComplexPlan,
        "builtins.bytearray": BytearrayPlan,
        "builtins.memoryview": lambda: made("memoryview", "builtins", "memoryview", ("bytes", BytesPlan())),
        "builtins.range": _range,
        "builtins.slice": _SlicePlan,
        "collections.abc.ByteString": BytesPlan,
        "collections.abc.Buffer": BytesPlan,
        "collections.abc.Hashable": lambda: one_of([IntPlan(), StrPlan(), NONE, BoolPlan()]),
        "decimal.Decimal": _decimal,
        "fractions.Fraction": _fraction,
        "datetime.date": lambda: made("date", "datetime", "date", *_date_parts()),
        "datetime.time": lambda: made("time", "datetime", "time", *_TIME),
        "datetime.datetime": _datetime,
        "datetime.timedelta": _timedelta,
        "datetime.tzinfo": _utc,
        "datetime.timezone": _utc,
        **{f"{home}.{name}": _path_of("Path") for home in _PATHLIB for name in ("Path", "PosixPath")},
        **{f"{home}.{name}": _path_of(name) for home in _PATHLIB for name in _PURE_PATHS},
        "os.PathLike": _path_of("Path"),
        "re.Pattern": _pattern,
        "re.Match": _match,
        "uuid.UUID": _uuid,
        **{f"{home}.{name}": _text_stream for home in ("_io", "io") for name in _TEXT_STREAMS},
        **{f"{home}.{name}": _byte_stream for home in ("_io", "io") for name in _BYTE_STREAMS},
        "typing.TextIO": _text_stream,
        "typing.IO": _text_stream,
        "typing.BinaryIO": _byte_stream,
        "numbers.Number": _number,
        "numbers.Complex": _number,
        "numbers.Real": _number,
        "numbers.Rational": IntPlan,
        "numbers.Integral": IntPlan,
        "typing.SupportsInt": _number,
        "typing.SupportsFloat": lambda: one_of([FloatPlan(), IntPlan()]),
        "typing.SupportsComplex": ComplexPlan,
        "typing.SupportsIndex": IntPlan,
        "typing.SupportsAbs": _number,
        "typing.SupportsRound": lambda: one_of([FloatPlan(), IntPlan()]),
        "typing.SupportsBytes": lambda: fixed(b"a"),
        "contextlib.AbstractContextManager": always("contextlib", "nullcontext"),
        "types.SimpleNamespace": always("types", "SimpleNamespace"),
        "argparse.Namespace": always("argparse", "Namespace"),
        "argparse.ArgumentParser": always("argparse", "ArgumentParser"),
        "logging.Logger": always("logging", "getLogger", "tests"),
        "random.Random": lambda: made("Random", "random", "Random", ("seed", IntPlan())),
    }
)
