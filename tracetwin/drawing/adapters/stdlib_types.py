"""Plans of standard-library types that are no containers: made of drawn parts by their constructors."""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from runtime.containers.streams import stream_over
from runtime.models import callee1
from tracetwin.drawing.adapters.stdlib_objects import OBJECTS
from tracetwin.drawing.plans.containers import DictPlan
from tracetwin.drawing.plans.draw import Draw
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
from tracetwin.model.recipes import Recipe, call, evaluate, is_traced, lit, lookup


def plan(cls: type) -> Plan | None:
    """The plan of a known type of the standard library."""
    name = f"{cls.__module__}.{cls.__qualname__}"
    maker = _MAKERS.get(name) or OBJECTS.get(name)
    if maker is not None and sys.modules.get(cls.__module__.partition(".")[0]) is not None:
        return maker()
    if cls.__module__ == "builtins" and issubclass(cls, BaseException):
        return _exception(cls)
    return None


def default_dict(plain: DictPlan) -> Plan:
    """A defaultdict whose factory fits its values."""
    return _DefaultDictPlan(plain)


class _DefaultDictPlan(Plan):
    _FACTORIES: tuple[tuple[type[Plan], type], ...] = ((IntPlan, int), (FloatPlan, float), (StrPlan, str))

    def __init__(self, plain: DictPlan) -> None:
        self._plain = plain
        self._factory: type | None = None
        label = plain.value.describe() if plain.value is not None else ""
        for kind, factory in self._FACTORIES:
            if isinstance(plain.value, kind):
                self._factory = factory
        for prefix, factory in (("list[", list), ("set[", set), ("dict[", dict), ("empty list", list)):
            if label.startswith(prefix):
                self._factory = factory

    def build(self, draw: Any, name: str) -> Built:
        value, recipe = self._plain.build(draw, name)
        factory = lit(None) if self._factory is None else ("ref", "builtins", self._factory.__name__)
        made: Any = collections.defaultdict(self._factory, value)
        return made, call("collections", "defaultdict", factory, recipe)

    def describe(self) -> str:
        return f"default{self._plain.describe()}"

    def starting_at(self, value: Any) -> Plan | None:
        inner = self._plain.starting_at(dict(value)) if type(value) is collections.defaultdict else None
        return _DefaultDictPlan(inner) if isinstance(inner, DictPlan) else None


def _made(label: str, module: str, qualname: str, *parts: tuple[str, Plan]) -> Plan:
    """The plan of calling an importable constructor or function with positional parts."""

    def make(*values: Any) -> Built:
        return _call(module, qualname, [lit(value) for value in values])

    def remake(*values: Any) -> Any:
        return lookup(module, qualname)(*values)

    return MadePlan(label, parts, make, module, remake)


def _call(module: str, qualname: str, args: list[Recipe]) -> Built:
    recipe: Recipe = ("call", module, qualname, args, [])
    return evaluate(recipe), recipe


def _decimal() -> Plan:
    def make(digits: int, places: int) -> Built:
        sign, figures = "-" if digits < 0 else "", str(abs(digits)).rjust(places + 1, "0")
        text = f"{sign}{figures[:-places]}.{figures[-places:]}" if places else f"{sign}{figures}"
        return _call("decimal", "Decimal", [lit(text)])

    def remake(digits: Any, places: int) -> Any:
        figures = callee1(str)(callee1(abs)(digits))
        return lookup("decimal", "_dec_from_triple")(1 if digits < 0 else 0, figures, -places)

    parts = (("digits", IntPlan()), ("places", members([0, 1, 2], "places")))
    return MadePlan("Decimal", parts, make, "decimal", remake)


def _fraction() -> Plan:
    parts = (("numerator", IntPlan()), ("denominator", IntPlan(1, low=1)))
    return _made("Fraction", "fractions", "Fraction", *parts)


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
    return _made("timedelta", "datetime", "timedelta", *parts)


def _utc() -> Plan:
    recipe = ("ref", "datetime", "timezone.utc")
    return FixedPlan(lambda: evaluate(recipe), recipe, "timezone.utc")


_PATHLIB = ("pathlib", "pathlib._local")
_PURE_PATHS = ("PurePath", "PurePosixPath", "PureWindowsPath")


def _path_of(name: str) -> Callable[[], Plan]:
    return lambda: _made(name, "pathlib", name, ("text", StrPlan("a")))


def _pattern() -> Plan:
    return _made(
        "Pattern", "re", "compile", ("pattern", members(["a", "[0-9]+", "^$", "(a)(b)?"], "pattern"))
    )


def _match() -> Plan:
    def make(text: str) -> Built:
        return _call("re", "match", [lit("(.*)"), lit(text)])

    return MadePlan("Match", (("text", StrPlan("a")),), make)


def _uuid() -> Plan:
    def make(number: int) -> Built:
        recipe = call("uuid", "UUID", int=lit(number))
        return evaluate(recipe), recipe

    def remake(number: Any) -> Any:
        return lookup("uuid", "UUID")(int=number)

    return MadePlan("UUID", (("int", IntPlan(0, 0, 2**128 - 1)),), make, "uuid", remake)


def _range() -> Plan:
    parts = (("start", IntPlan()), ("stop", IntPlan(3)), ("step", members([1, 2, -1], "step")))
    return _made("range", "builtins", "range", *parts)


class _SlicePlan(Plan):
    """A slice, whose bounds stay what was drawn: what is subscripted with it depends on them."""

    _BOUND: ClassVar[Plan] = one_of([IntPlan(), NONE])
    _PARTS: ClassVar[tuple[tuple[str, Plan], ...]] = (
        ("start", _BOUND),
        ("stop", _BOUND),
        ("step", one_of([NONE, members([1, 2, -1], "step")])),
    )

    def build(self, draw: Draw, name: str) -> Built:
        built = [plan.build(draw, f"{name}.{part}") for part, plan in self._PARTS]
        recipe = call("builtins", "slice", *(part for _, part in built))
        return slice(*(value for value, _ in built)), recipe

    def describe(self) -> str:
        return "slice"

    def hashable(self) -> Plan | None:
        return None  # before Python 3.12

    def takes(self, value: Any) -> bool:
        return type(value) is slice


_TEXT_STREAMS = ("StringIO", "TextIOBase", "_TextIOBase", "TextIOWrapper", "IOBase", "_IOBase")
_BYTE_STREAMS = ("BytesIO", "BufferedIOBase", "BufferedReader", "RawIOBase", "FileIO", "BufferedRandom")


@dataclass(frozen=True)
class StreamPlan(Plan):
    """A stream in memory over drawn contents; what is read from it depends on them."""

    label: str
    part: str
    contents: Plan

    def build(self, draw: Draw, name: str) -> Built:
        value, recipe = self.contents.build(draw, f"{name}.{self.part}")
        return stream_over(value), call("io", self.label, recipe)

    def describe(self) -> str:
        return self.label

    def takes(self, value: Any) -> bool:
        return type(value).__module__ in ("_io", "io") and type(value).__name__ == self.label

    def hashable(self) -> Plan | None:
        return None


def _text_stream() -> Plan:
    return StreamPlan("StringIO", "text", StrPlan())


def _byte_stream() -> Plan:
    return StreamPlan("BytesIO", "bytes", BytesPlan())


def _constant_call(module: str, name: str, *values: Any) -> Callable[[], Plan]:
    """The plan of one constant call."""

    def plan_of() -> Plan:
        recipe = call(module, name, *[lit(value) for value in values])
        return FixedPlan(lambda: evaluate(recipe), recipe, name)

    return plan_of


def _number() -> Plan:
    return one_of([IntPlan(), FloatPlan()])


def _exception(cls: type[BaseException]) -> Plan | None:
    """A builtin exception with a message; those of Unicode errors need more."""
    if issubclass(cls, UnicodeError) and cls is not UnicodeError:
        return None
    return _made(cls.__name__, "builtins", cls.__name__, ("message", StrPlan()))


# By name: a type can only be asked for when its module is loaded, and few modules load many of these.
_MAKERS: dict[str, Callable[[], Plan]] = {
    "builtins.complex": ComplexPlan,
    "builtins.bytearray": lambda: _made("bytearray", "builtins", "bytearray", ("bytes", BytesPlan())),
    "builtins.memoryview": lambda: _made("memoryview", "builtins", "memoryview", ("bytes", BytesPlan())),
    "builtins.range": _range,
    "builtins.slice": _SlicePlan,
    "collections.abc.ByteString": BytesPlan,
    "collections.abc.Buffer": BytesPlan,
    "collections.abc.Hashable": lambda: one_of([IntPlan(), StrPlan(), NONE, BoolPlan()]),
    "decimal.Decimal": _decimal,
    "fractions.Fraction": _fraction,
    "datetime.date": lambda: _made("date", "datetime", "date", *_date_parts()),
    "datetime.time": lambda: _made("time", "datetime", "time", *_TIME),
    "datetime.datetime": lambda: _made("datetime", "datetime", "datetime", *_date_parts(), *_TIME),
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
    "contextlib.AbstractContextManager": _constant_call("contextlib", "nullcontext"),
    "types.SimpleNamespace": _constant_call("types", "SimpleNamespace"),
    "argparse.Namespace": _constant_call("argparse", "Namespace"),
    "argparse.ArgumentParser": _constant_call("argparse", "ArgumentParser"),
    "logging.Logger": _constant_call("logging", "getLogger", "tests"),
    "random.Random": lambda: _made("Random", "random", "Random", ("seed", IntPlan())),
}
