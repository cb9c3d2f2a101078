"""Source of values: recipes (how a value is built) and snapshots (how it looked) as expressions."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Protocol

from tracetwin.emit.source.identifiers import Unwritable, keyword_argument
from tracetwin.emit.source.layout import Atom, Group, KeyValue, LaidOut, Prefixed, Quoted, call, quoted
from tracetwin.emit.source.spans import microseconds_of, span_parts
from tracetwin.model.codec import key
from tracetwin.model.recipe import (
    Call,
    CallResult,
    Dictionary,
    Lambda,
    MockNumber,
    MockRecipe,
    PreparedObject,
    Recipe,
    Reference,
    Scalar,
    Series,
    SeriesKind,
    Variable,
    subscripted,
)
from tracetwin.model.snapshot import Built, Snapshot, parts

LONGEST_NUMBER = 60  # digits of an int that are still written as they are

LONGEST_LAMBDA = 30
SHORTEST_STRETCH = 30  # letters, all the same
SHORTEST_RUN = 8  # items

_EMPTY = {"[]": "list", "{}": "dict", "()": "tuple"}


class MockWriter(Protocol):
    """Who writes mocks."""

    def node(self, recipe: MockRecipe | MockNumber) -> LaidOut:
        """The expression of a mock."""

    def name(self, number: int) -> str:
        """Return the name of the mock of that number; raises `Unwritable` where it has none."""


class _NoMocks:
    def node(self, recipe: MockRecipe | MockNumber) -> LaidOut:
        raise Unwritable(f"no mock of {recipe.number} can stand here")

    def name(self, number: int) -> str:
        raise Unwritable(f"mock {number} can't be spoken of here")


class Writer:
    """Writes values in a file whose imports it asks for.

    Args:
        name: gives the name under which a thing of a module is imported, or raises `Unwritable`.
        local: gives the local name of a variable of the case.
        define: defines a local function with those parameters and that result, and gives its name.
    """

    def __init__(
        self,
        name: Callable[[str, str], str],
        local: Callable[[str], str],
        define: Callable[[str, LaidOut], str],
    ) -> None:
        self.name = name
        self.local = local
        self.define = define
        self.mocks: MockWriter = _NoMocks()

    def recipe(self, recipe: Recipe) -> LaidOut:
        """Return the expression that builds what a recipe says."""
        match recipe:
            case Scalar(value):
                return self.scalar(value)
            case Series(kind, items):
                kept = items if kind.has_order else _distinct(items)
                return _run(kind, items) or self._collection(kind, [self.recipe(part) for part in kept])
            case Dictionary(pairs):
                last = {key(name): value for name, value in pairs}
                names = _distinct(name for name, _ in pairs)
                written = (KeyValue(self.recipe(name), self._value(last[key(name)])) for name in names)
                return Group("{", tuple(written), "}")
            case Reference(module, qualname):
                return Atom(self.name(module, qualname))
            case Call():
                return self._call(recipe)
            case Variable(name):
                return Atom(self.local(name))
            case Lambda():
                return self._lambda(recipe)
            case MockRecipe() | MockNumber():
                return self.mocks.node(recipe)
            case PreparedObject() | CallResult():
                raise Unwritable(f"no source for {recipe.hint}, which is drawn by steps")

    def _call(self, recipe: Call) -> LaidOut:
        if (length := microseconds_of(recipe)) is not None:
            return self._span(length)
        arguments = [*map(self.recipe, recipe.args), *self.keywords(recipe.kwargs)]
        return self._made(recipe.module, recipe.qualname, arguments)

    def _value(self, recipe: Recipe) -> LaidOut:
        """A value in a dict: behind a long key there is no room for a lambda."""
        if isinstance(recipe, Lambda):
            return Atom(self.define(*self.function(recipe)))
        return self.recipe(recipe)

    def _lambda(self, recipe: Lambda) -> LaidOut:
        """A lambda; formatters break long ones in ways of their own, so those get a `def`."""
        parameters, result = self.function(recipe)
        if not parameters and result.flat() in ("[]", "{}"):
            return Atom(_EMPTY[result.flat()])
        if len(result.flat()) > LONGEST_LAMBDA or "lambda" in result.flat():
            return Atom(self.define(parameters, result))
        return Prefixed(f"lambda {parameters}: " if parameters else "lambda: ", result)

    def function(self, recipe: Lambda) -> tuple[str, LaidOut]:
        """Return the parameters and the result of what a lambda's recipe describes, for one with a name."""
        return parameters_of(recipe.parameters), self.recipe(recipe.result)

    def keywords(self, pairs: Iterable[tuple[str, Recipe]]) -> list[LaidOut]:
        return [keyword_argument(name, self.recipe(part)) for name, part in pairs]

    def snap(self, snap: Snapshot) -> LaidOut:
        """Return the expression of an equal value; `is_plain` must hold."""
        match snap:
            case Scalar(value):
                return self.scalar(value)
            case Series(kind, items):
                return _run(kind, items) or self._collection(kind, [self.snap(part) for part in items])
            case Dictionary(pairs):
                return Group("{", tuple(KeyValue(self.snap(k), self.snap(v)) for k, v in pairs), "}")
            case Reference(module, qualname):
                return Atom(self.name(module, qualname))
            case Built(module, qualname, args, kwargs):
                if (length := microseconds_of(snap)) is not None:
                    return self._span(length)
                named = [keyword_argument(name, self.snap(part)) for name, part in kwargs]
                return self._made(module, qualname, [*(self.snap(part) for part in args), *named])
            case MockNumber(number):
                return Atom(self.mocks.name(number))
            case Variable(name):
                return Atom(self.local(name))
            case _:
                raise Unwritable(f"no source for {type(snap).__name__.lower()}")

    def _span(self, length: int) -> LaidOut:
        """A length of time, in microseconds."""
        parts = [keyword_argument(unit, self.scalar(number)) for unit, number in span_parts(length).items()]
        return call(self.name("datetime", "timedelta"), parts)

    def _made(self, module: str, qualname: str, arguments: list[LaidOut]) -> LaidOut:
        """The call of a class or function, in its plainest form."""
        if module == "builtins" and not arguments and qualname in _EMPTY.values():
            return Atom(next(empty for empty, name in _EMPTY.items() if name == qualname))
        if (module, qualname) == ("decimal", "Decimal") and len(arguments) == 1:
            only = arguments[0]
            if isinstance(only, Quoted) and isinstance(only.value, str) and _is_integer(only.value):
                arguments = [Atom(only.value)]
        if holder := subscripted(qualname):
            inside = arguments[0].flat()
            inner = inside[1:-1] if inside.startswith("(") else inside
            return Atom(f"{self.name(module, holder)}[{inner}]")
        if (module, qualname) == ("types", "GeneratorType"):
            (items,) = arguments
            if isinstance(items, Group):
                return Group("(item for item in [", items.items, "])")
            return Atom(f"(item for item in {items.flat()})")
        return call(self.name(module, qualname), arguments)

    def _collection(self, kind: SeriesKind, items: Sequence[LaidOut]) -> LaidOut:
        if kind.has_order:
            opening, closing = "[]" if kind is SeriesKind.LIST else "()"
            return Group(opening, tuple(items), closing)
        if kind is SeriesKind.SET:
            return Group("{", tuple(items), "}") if items else call(self.name("builtins", "set"), [])
        inner = [Group("{", tuple(items), "}")] if items else []
        return call(self.name("builtins", "frozenset"), inner)

    def scalar(self, value: Any) -> LaidOut:
        """A literal, or for numbers without one a short expression."""
        if type(value) in (str, bytes):
            if len(value) >= SHORTEST_STRETCH and len(set(value)) == 1:
                return Atom(f"{quoted(value[:1])} * {len(value)}")
            return Quoted(value)
        if type(value) is int:
            return self._integer(value)
        if type(value) is float:
            return Atom(self._floating(value))
        if type(value) is complex:
            return self._complex(value)
        if value is None or type(value) is bool:
            return Atom(repr(value))
        raise Unwritable(f"no literal is of type {type(value).__name__}")

    def _integer(self, value: int) -> LaidOut:
        if abs(value) < 10**LONGEST_NUMBER:
            return Atom(str(value))
        power = abs(value).bit_length() - 1
        for base, exponent in ((2, power), (2, power + 1), (10, round(power * math.log10(2)))):
            rest = abs(value) - base**exponent
            if abs(rest) < 1000:
                sum_ = f"{base}**{exponent}" + (f" {'-' if rest < 0 else '+'} {abs(rest)}" if rest else "")
                return Atom(sum_ if value > 0 else f"-({sum_})")
        return call(self.name("builtins", "int"), [Quoted(f"{value:x}"), Atom("16")])

    def _floating(self, value: float) -> str:
        if math.isnan(value) or math.isinf(value):
            name = self.name("math", "nan" if math.isnan(value) else "inf")
            return f"-{name}" if math.copysign(1.0, value) < 0 and not math.isnan(value) else name
        return repr(value).replace("e+", "e")

    def _complex(self, value: complex) -> LaidOut:
        parts = [value.real, value.imag]
        positive = all(math.copysign(1.0, part) > 0 for part in parts)
        if value.real == 0 and math.isfinite(value.imag) and positive:
            return Atom(repr(value).replace("e+", "e"))
        return call(self.name("builtins", "complex"), [Atom(self._floating(part)) for part in parts])


def _is_integer(text: str) -> bool:
    return text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() and str(int(text)) == text


def _distinct(recipes: Iterable[Recipe]) -> list[Recipe]:
    """The first of equal ones."""
    seen: set[object] = set()
    kept = []
    for recipe in recipes:
        # As values, where True and 1 are the same; what is no literal is told apart by how it looks.
        mark = recipe if isinstance(recipe, Scalar) else key(recipe)
        if mark not in seen:
            seen.add(mark)
            kept.append(recipe)
    return kept


def _run(kind: SeriesKind, items: Sequence[Recipe | Snapshot]) -> LaidOut | None:
    """A long list or tuple of equal or evenly spaced literals in a few words."""
    scalars = [part for part in items if isinstance(part, Scalar)]
    if not kind.has_order or len(items) < SHORTEST_RUN or len(scalars) < len(items):
        return None
    values: list[Any] = [part.value for part in scalars]
    if len(set(map(key, scalars))) == 1:
        one = repr(values[0]) if values[0] is None or type(values[0]) in (bool, int) else None
        one = quoted(values[0]) if type(values[0]) in (str, bytes) and len(values[0]) <= 20 else one
        whole = f"[{one}]" if kind is SeriesKind.LIST else f"({one},)"
        return Atom(f"{whole} * {len(values)}") if one else None
    distance = values[1] - values[0] if all(type(value) is int for value in values) else 0
    if distance and all(b - a == distance for a, b in pairwise(values)):
        steps = [values[0], values[-1] + (1 if distance > 0 else -1)]
        steps = steps[1:] if steps[0] == 0 and distance == 1 else steps
        steps += [distance] if distance != 1 else []
        return call(kind.value, [call("range", [Atom(str(step)) for step in steps])])
    return None


def parameters_of(count: int) -> str:
    """The parameters of a function that takes so many arguments, -1 for any."""
    if count < 0:
        return "*args, **kwargs"
    return ", ".join("abcdefgh"[:count]) if count <= 8 else ", ".join(f"a{i}" for i in range(count))


def is_plain(snap: Snapshot) -> bool:
    """Return whether an equal value can be written, so that one comparison says it all."""
    if isinstance(snap, Scalar):
        return not _is_nan(snap.value)
    plain = isinstance(snap, (Series, Dictionary, Built, Reference, MockNumber, Variable))
    return plain and all(map(is_plain, parts(snap)))


def _is_nan(value: object) -> bool:
    return isinstance(value, (float, complex)) and cmath.isnan(value)
