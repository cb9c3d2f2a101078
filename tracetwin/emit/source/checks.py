"""Assertions about a value that was seen, independent of the test framework."""

from __future__ import annotations

import builtins
import math
import re
import types
from enum import Enum, auto
from typing import Final

from tracetwin.emit.exhibit import Mark
from tracetwin.emit.source.identifiers import Unwritable, is_name
from tracetwin.emit.source.layout import Atom, LaidOut, call
from tracetwin.emit.source.literals import Writer, is_plain
from tracetwin.emit.source.standard import is_standard
from tracetwin.model.recipe import (
    NONE,
    Dictionary,
    MockNumber,
    Reference,
    Scalar,
    ScalarValue,
    Series,
    SeriesKind,
    Variable,
    list_of,
)
from tracetwin.model.snapshot import Attributes, Built, Iterated, Shuffled, Snapshot
from tracetwin.replay.stability import type_of
from tracetwin.support.data import dataclass

_FUNCTION: Final = re.compile(
    r"(bool|bytes|complex|dict|float|frozenset|int|len|list|set|str|tuple)\(\)", re.ASCII
)
_METHOD: Final = re.compile(r"\.(\w+)\((\*?|-?\d+|True|False|\"[\w .-]*\")\)", re.ASCII)
_TAKING: Final = re.compile(r"\.(\w+)\(\)\*(?:len|\.(\w+))\(\)", re.ASCII)


def is_emptying(name: str) -> bool:
    """Return whether a part is what an object gives out until nothing is left: to be asked for last."""
    return name.startswith(".") and "()*" in name


def part_of(value: str, name: str) -> LaidOut | None:
    """The expression of a part as an ``object`` snapshot calls it; None where that can't be written.

    That is an attribute, ``"list()"`` for a function of it, ``".size()"`` for a method, ``".get(*)"`` for
    what a method says of each of its items, or ``".pop()*len()"`` for what it gives out so many times.
    An attribute can have any text for a name, so nothing is taken for one of these that only begins so.
    """
    if is_name(name):
        return Atom(f"{value}.{name}")
    if function := _FUNCTION.fullmatch(name):
        return call(function.group(1), [Atom(value)])
    if taking := _TAKING.fullmatch(name):
        method, counter = taking.groups()
        number = f"{value}.{counter}()" if counter else f"len({value})"
        return Atom(f"[{value}.{method}() for _ in range({number})]")
    if not (asking := _METHOD.fullmatch(name)):
        return None
    method, given = asking.groups()
    if given != "*":
        return Atom(value + name)
    source = f"{value}[key]" if method == "__getitem__" else f"{value}.{method}(key)"
    return Atom(f"{{key: {source} for key in {value}}}")


MOST_CHECKS = 8
ABSENT = 12
"""By how much an attribute that is None ranks below others: behind those one level deeper."""



class CheckKind(Enum):
    """How the two sides of a check are compared."""

    EQUAL = auto()
    SAME = auto()  # identity
    DISTINCT = auto()  # not the same, though it may be equal
    NONE = auto()
    NAN = auto()
    INSTANCE = auto()  # expected is a class
    MEMBERS = auto()  # equal but for the order
    SAID = auto()  # what is seen asserts something itself


@dataclass(frozen=True)
class Check:
    """One assertion: `actual` is an expression that may be evaluated again.

    Attributes:
        kind: how the sides are compared.
        actual: what is seen.
        expected: what it must be, for kinds with two sides.
        orderable: whether its members can be sorted.
        mark: which of a test's assertions it is, however the test is written.
        uses_up: whether it goes through an iterator: the code of that runs in no test without it.
    """

    kind: CheckKind
    actual: LaidOut
    expected: LaidOut | None = None
    orderable: bool = True
    mark: Mark = ()
    uses_up: bool = False


# Equal to a value of another type, which one comparison would not tell apart.
_HIDDEN_TYPES = {("builtins", "bytearray"), ("collections", "OrderedDict"), ("collections", "Counter")}


_IN_TYPES: Final = {
    kind.__qualname__: name
    for name, kind in reversed(vars(types).items())  # the first of several names is the one that is meant
    if isinstance(kind, type) and kind.__module__ == "builtins" and not hasattr(builtins, kind.__qualname__)
}
"""The names in `types` of classes that are builtin and have no name among the builtins: of functions, say."""


class Checker:
    """Makes the checks of snapshots."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def checks(self, actual: LaidOut, snap: Snapshot, most: int = MOST_CHECKS) -> list[Check]:
        """At most so many checks, the strongest first; none where nothing is known."""
        ranked = sorted(self.ranked(actual, snap), key=lambda pair: pair[0])
        return [check for _, check in ranked][:most]

    def ranked(self, actual: LaidOut, snap: Snapshot, *, whole: bool = True) -> list[tuple[int, Check]]:
        """All there is to check, each with its rank: lower tells a reader more.

        What lies deep ranks below what lies on top, and what is not there below what is.

        `whole`: the class of an object is worth an assertion beside its attributes.
        """
        return self._ranked(actual, snap, 0, whole=whole)

    def _ranked(self, actual: LaidOut, snap: Snapshot, depth: int, *, whole: bool) -> list[tuple[int, Check]]:
        try:
            if is_plain(snap):
                rank = depth * 10 + (ABSENT if depth and snap == NONE else 0)
                return [(rank, check) for check in self._plain(actual, snap)]
        except Unwritable:
            pass  # some part has no source: say what can be said about the others
        own, parts = self._parts(actual, snap)
        is_object = isinstance(snap, (Attributes, Built))
        inner: list[tuple[int, Check]] = []
        for place, part in parts:
            found = self._ranked(place, part, depth + 1, whole=False)
            # Of an attribute's plain value the value is enough to read.
            inner += found[:1] if isinstance(part, Scalar) and is_object else found
        if not whole and (inner or not is_object):
            # What its parts are shows what it is.
            own = [check for check in own if check.kind is not CheckKind.INSTANCE]
        return [*((depth * 10, check) for check in own), *inner]

    def _parts(self, actual: LaidOut, snap: Snapshot) -> tuple[list[Check], list[tuple[LaidOut, Snapshot]]]:
        """Return what there is to say about a value itself, and its parts, about which more can be said."""
        match snap:
            case Series(SeriesKind.LIST | SeriesKind.TUPLE):
                return self._sequence(actual, snap)
            case Dictionary():
                return self._mapping(actual, snap)
            case Attributes(module, qualname, attributes) | Built(module, qualname, (), attributes):
                named = ((part_of(actual.flat(), key) if key else actual, part) for key, part in attributes)
                places = [(place, part) for place, part in named if place is not None]
                return self._instance(actual, module, qualname), places
            case Shuffled():
                return self._shuffled(actual, snap), []
            case Iterated():
                return self._view(actual, snap), []
            case Scalar(value):
                return ([Check(CheckKind.NAN, actual)] if isinstance(value, float) else []), []
            case _:
                module, _, qualname = type_of(snap).partition(":")
                return self._instance(actual, module, qualname), []

    def _plain(self, actual: LaidOut, snap: Snapshot) -> list[Check]:
        expected = self.writer.snap(snap)
        equal = Check(CheckKind.EQUAL, actual, expected)
        match snap:
            case Reference() | MockNumber() | Variable():
                return [Check(CheckKind.SAME, actual, expected)]
            case Built(module, qualname, args):  # data classes, told by keyword, equal none of another class
                hidden = (module, qualname) in _HIDDEN_TYPES or (bool(args) and not is_standard(module))
                return [equal, *(self._instance(actual, module, qualname) if hidden else [])]
            case Series(SeriesKind.FROZENSET):
                return [equal, *self._instance(actual, "builtins", "frozenset")]
            case Scalar(value):
                return self._literal(actual, value, equal)
            case _:
                return [equal]

    def _literal(self, actual: LaidOut, value: ScalarValue, equal: Check) -> list[Check]:
        if value is None:
            return [Check(CheckKind.NONE, actual)]
        if isinstance(value, bool):
            return [Check(CheckKind.SAME, actual, equal.expected)]
        if isinstance(value, float) and value.is_integer():
            checks = [equal, Check(CheckKind.INSTANCE, actual, Atom("float"))]
            if value == 0 and math.copysign(1.0, value) < 0:
                sign = call(self.writer.name("math", "copysign"), [Atom("1.0"), actual])
                checks.append(Check(CheckKind.EQUAL, sign, Atom("-1.0")))
            return checks
        return [equal]

    def _instance(self, actual: LaidOut, module: str, qualname: str) -> list[Check]:
        if (module, qualname) in (("builtins", "object"), ("", "")):
            return []
        if module == "builtins" and qualname in _IN_TYPES:
            module, qualname = "types", _IN_TYPES[qualname]
        try:
            return [Check(CheckKind.INSTANCE, actual, Atom(self.writer.name(module, qualname)))]
        except Unwritable:
            return []

    def _sequence(
        self, actual: LaidOut, snap: Series[Snapshot]
    ) -> tuple[list[Check], list[tuple[LaidOut, Snapshot]]]:
        checks = self._instance(actual, "builtins", snap.kind.value)
        checks.append(Check(CheckKind.EQUAL, call("len", [actual]), Atom(str(len(snap.items)))))
        return checks, [(Atom(f"{actual.flat()}[{number}]"), item) for number, item in enumerate(snap.items)]

    def _mapping(
        self, actual: LaidOut, snap: Dictionary[Snapshot]
    ) -> tuple[list[Check], list[tuple[LaidOut, Snapshot]]]:
        checks = self._instance(actual, "builtins", "dict")
        places: list[tuple[LaidOut, Snapshot]] = []
        if not all(is_plain(key) for key, _ in snap.pairs):
            return checks, places
        try:
            keys = self.writer.snap(list_of(*(key for key, _ in snap.pairs)))
            checks.append(Check(CheckKind.EQUAL, call("list", [actual]), keys))
            for key, value in snap.pairs:
                places.append((Atom(f"{actual.flat()}[{self.writer.snap(key).flat()}]"), value))
        except Unwritable:
            pass  # a key without a source: what was found so far is right
        return checks, places

    def _shuffled(self, actual: LaidOut, snap: Shuffled) -> list[Check]:
        checks = self._instance(actual, "builtins", snap.kind.value)
        if all(is_plain(part) for part in snap.items):
            kinds = {type(part.value) if isinstance(part, Scalar) else None for part in snap.items}
            orderable = kinds <= {int, bool, float} or kinds in ({str}, {bytes})
            checks.append(Check(CheckKind.MEMBERS, actual, self.writer.snap(list_of(*snap.items)), orderable))
        return checks

    def _view(self, actual: LaidOut, snap: Iterated) -> list[Check]:
        items = list_of(*snap.items)
        if not snap.exhausted:
            return []
        is_view = snap.type_name.startswith("dict_")
        actual = actual if is_view and not is_plain(items) else call("list", [actual])
        if not is_plain(items):
            actual, expected = call("len", [actual]), Atom(str(len(snap.items)))
            return [Check(CheckKind.EQUAL, actual, expected, uses_up=not is_view)]
        return [Check(CheckKind.EQUAL, actual, self.writer.snap(items), uses_up=not is_view)]
