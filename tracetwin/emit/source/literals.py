"""Source of values: recipes (how a value is built) and snapshots (how it looked) as expressions."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Protocol

from tracetwin.emit.source.identifiers import Unwritable, keyword_argument
from tracetwin.emit.source.layout import Atom, Group, Node, Pair, Prefixed, Text, call, quoted
from tracetwin.replay.observe.snap import Snap, key

LONGEST_NUMBER = 60  # digits of an int that are still written as they are

LONGEST_LAMBDA = 30
SHORTEST_STRETCH = 30  # letters, all the same
SHORTEST_RUN = 8  # items

_EMPTY = {"[]": "list", "{}": "dict", "()": "tuple"}


class Mocks(Protocol):
    """Who writes mocks."""

    def node(self, recipe: Any) -> Node:
        """The expression of a mock."""

    def name(self, number: int) -> str:
        """What the mock of that number is called; raises `Unwritable` where it has no name."""


class _NoMocks:
    def node(self, recipe: Any) -> Node:
        raise Unwritable(f"no mock of {recipe[1]} can stand here")

    def name(self, number: int) -> str:
        raise Unwritable(f"mock {number} can't be spoken of here")


class Writer:
    """Writes values in a file whose imports it asks for.

    Args:
        name: gives the name under which a thing of a module is imported, or raises `Unwritable`.
        local: gives the local name of a variable of the case.
        define: defines a local function with those parameters and that result, and gives its name.

    Attributes:
        mocks: who writes mocks.
    """

    def __init__(
        self,
        name: Callable[[str, str], str],
        local: Callable[[str], str],
        define: Callable[[str, Node], str],
    ) -> None:
        self.name = name
        self.local = local
        self.define = define
        self.mocks: Mocks = _NoMocks()

    def recipe(self, recipe: Any) -> Node:
        """The expression that builds what a recipe says."""
        kind = recipe[0]
        if kind == "lit":
            return self.scalar(recipe[1])
        if kind in ("list", "tuple"):
            return _run(kind, recipe[1]) or self._collection(kind, [self.recipe(part) for part in recipe[1]])
        if kind in ("set", "frozenset"):
            return self._collection(kind, [self.recipe(part) for part in _distinct(recipe[1])])
        if kind == "dict":
            last = {key(name): value for name, value in recipe[1]}
            names = _distinct([name for name, _ in recipe[1]])
            return Group("{", tuple(Pair(self.recipe(k), self._value(last[key(k)])) for k in names), "}")
        if kind == "ref":
            return Atom(self.name(recipe[1], recipe[2]))
        if kind == "call":
            arguments = [self.recipe(part) for part in recipe[3]] + self.keywords(recipe[4])
            return self._made(recipe[1], recipe[2], arguments)
        if kind == "var":
            return Atom(self.local(recipe[1]))
        if kind == "lambda":
            return self._lambda(recipe)
        if kind == "mock":
            return self.mocks.node(recipe)
        raise Unwritable(f"no source for {kind!r}")

    def _value(self, recipe: Any) -> Node:
        """A value in a dict: behind a long key there is no room for a lambda."""
        if recipe[0] == "lambda":
            return Atom(self.define(parameters_of(recipe[1]), self.recipe(recipe[2])))
        return self.recipe(recipe)

    def _lambda(self, recipe: Any) -> Node:
        """A lambda; formatters break long ones in ways of their own, so those get a `def`."""
        parameters, result = parameters_of(recipe[1]), self.recipe(recipe[2])
        if not parameters and result.flat() in ("[]", "{}"):
            return Atom(_EMPTY[result.flat()])
        if len(result.flat()) > LONGEST_LAMBDA or "lambda" in result.flat():
            return Atom(self.define(parameters, result))
        return Prefixed(f"lambda {parameters}: " if parameters else "lambda: ", result)

    def function(self, recipe: Any) -> tuple[str, Node]:
        """The parameters and the result of what a lambda's recipe describes, for one with a name."""
        return parameters_of(recipe[1]), self.recipe(recipe[2])

    def keywords(self, pairs: Any) -> list[Node]:
        """``name=value`` arguments."""
        return [keyword_argument(name, self.recipe(part)) for name, part in pairs]

    def snap(self, snap: Snap) -> Node:
        """The expression of an equal value; `is_plain` must hold."""
        kind = snap[0]
        if kind == "lit":
            return self.scalar(snap[1])
        if kind in ("list", "tuple"):
            return _run(kind, snap[1]) or self._collection(kind, [self.snap(part) for part in snap[1]])
        if kind in ("set", "frozenset"):
            return self._collection(kind, [self.snap(part) for part in snap[1]])
        if kind == "dict":
            return Group("{", tuple(Pair(self.snap(k), self.snap(v)) for k, v in snap[1]), "}")
        if kind == "ref":
            return Atom(self.name(snap[1], snap[2]))
        if kind == "built":
            named = [keyword_argument(name, self.snap(part)) for name, part in snap[4]]
            return self._made(snap[1], snap[2], [*(self.snap(part) for part in snap[3]), *named])
        if kind == "mock":
            return Atom(self.mocks.name(snap[1]))
        raise Unwritable(f"no source for {kind!r}")

    def _made(self, module: str, qualname: str, arguments: list[Node]) -> Node:
        """The call of a class or function, in its plainest form."""
        if module == "builtins" and not arguments and qualname in _EMPTY.values():
            return Atom(next(empty for empty, name in _EMPTY.items() if name == qualname))
        if (module, qualname) == ("decimal", "Decimal") and len(arguments) == 1:
            only = arguments[0]
            if isinstance(only, Text) and isinstance(only.value, str) and _is_integer(only.value):
                arguments = [Atom(only.value)]
        return call(self.name(module, qualname), arguments)

    def _collection(self, kind: str, items: list[Node]) -> Node:
        if kind in ("list", "tuple"):
            opening, closing = "[]" if kind == "list" else "()"
            return Group(opening, tuple(items), closing)
        if kind == "set":
            return Group("{", tuple(items), "}") if items else call(self.name("builtins", "set"), [])
        inner = [Group("{", tuple(items), "}")] if items else []
        return call(self.name("builtins", "frozenset"), inner)

    def scalar(self, value: Any) -> Node:
        """A literal, or for numbers without one a short expression."""
        if type(value) in (str, bytes):
            if len(value) >= SHORTEST_STRETCH and len(set(value)) == 1:
                return Atom(f"{quoted(value[:1])} * {len(value)}")
            return Text(value)
        if type(value) is int:
            return self._integer(value)
        if type(value) is float:
            return Atom(self._floating(value))
        if type(value) is complex:
            return self._complex(value)
        if value is None or type(value) is bool:
            return Atom(repr(value))
        raise Unwritable(f"no literal is of type {type(value).__name__}")

    def _integer(self, value: int) -> Node:
        if abs(value) < 10**LONGEST_NUMBER:
            return Atom(str(value))
        power = abs(value).bit_length() - 1
        for base, exponent in ((2, power), (2, power + 1), (10, round(power * math.log10(2)))):
            rest = abs(value) - base**exponent
            if abs(rest) < 1000:
                sum_ = f"{base}**{exponent}" + (f" {'-' if rest < 0 else '+'} {abs(rest)}" if rest else "")
                return Atom(sum_ if value > 0 else f"-({sum_})")
        return call(self.name("builtins", "int"), [Text(f"{value:x}"), Atom("16")])

    def _floating(self, value: float) -> str:
        if math.isnan(value) or math.isinf(value):
            name = self.name("math", "nan" if math.isnan(value) else "inf")
            return f"-{name}" if math.copysign(1.0, value) < 0 and not math.isnan(value) else name
        return repr(value).replace("e+", "e")

    def _complex(self, value: complex) -> Node:
        parts = [value.real, value.imag]
        positive = all(math.copysign(1.0, part) > 0 for part in parts)
        if value.real == 0 and math.isfinite(value.imag) and positive:
            return Atom(repr(value).replace("e+", "e"))
        return call(self.name("builtins", "complex"), [Atom(self._floating(part)) for part in parts])


def _is_integer(text: str) -> bool:
    return text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() and str(int(text)) == text


def _distinct(recipes: Any) -> list[Any]:
    """The first of equal ones."""
    seen: set[Any] = set()
    kept = []
    for recipe in recipes:
        # As values, where True and 1 are the same; what is no literal is told apart by how it looks.
        mark = ("lit", recipe[1]) if recipe[0] == "lit" else key(recipe)
        if mark not in seen:
            seen.add(mark)
            kept.append(recipe)
    return kept


def _run(kind: str, parts: Any) -> Node | None:
    """A long list of equal or evenly spaced literals in a few words."""
    if len(parts) < SHORTEST_RUN or any(part[0] != "lit" for part in parts):
        return None
    values = [part[1] for part in parts]
    if len({key(value) for value in values}) == 1:
        one = repr(values[0]) if values[0] is None or type(values[0]) in (bool, int) else None
        one = quoted(values[0]) if type(values[0]) in (str, bytes) and len(values[0]) <= 20 else one
        return Atom(f"{f'[{one}]' if kind == 'list' else f'({one},)'} * {len(values)}") if one else None
    distance = values[1] - values[0] if all(type(value) is int for value in values) else 0
    if distance and all(b - a == distance for a, b in pairwise(values)):
        steps = [values[0], values[-1] + (1 if distance > 0 else -1)]
        steps = steps[1:] if steps[0] == 0 and distance == 1 else steps
        steps += [distance] if distance != 1 else []
        return call(kind, [call("range", [Atom(str(step)) for step in steps])])
    return None


def parameters_of(count: int) -> str:
    """The parameters of a function that takes so many arguments, -1 for any."""
    if count < 0:
        return "*args, **kwargs"
    return ", ".join("abcdefgh"[:count]) if count <= 8 else ", ".join(f"a{i}" for i in range(count))


def is_plain(snap: Snap) -> bool:
    """Whether an equal value can be written, so that one comparison says it all."""
    kind = snap[0]
    if kind == "lit":
        return not _is_nan(snap[1])
    if kind in ("list", "tuple", "set", "frozenset"):
        return all(is_plain(part) for part in snap[1])
    if kind == "dict":
        return all(is_plain(key) and is_plain(value) for key, value in snap[1])
    if kind == "built":
        return all(is_plain(part) for part in snap[3]) and all(is_plain(part) for _, part in snap[4])
    return kind in ("ref", "mock")


def _is_nan(value: object) -> bool:
    return isinstance(value, (float, complex)) and cmath.isnan(value)
