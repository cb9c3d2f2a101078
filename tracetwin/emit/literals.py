"""Source of values: recipes (how a value is built) and snapshots (how it looked) as expressions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tracetwin.emit.layout import Atom, Group, Node, Pair, Prefixed, Text, call
from tracetwin.replay.snap import Snap

LONGEST_NUMBER = 60  # digits of an int that are still written as they are


class Unwritable(Exception):
    """There is no source for a value; the message says why."""


class Writer:
    """Writes values in a file whose imports it asks for.

    Args:
        name: gives the name under which a thing of a module is imported, or raises `Unwritable`.
        local: gives the local name of a variable of the case.
    """

    def __init__(self, name: Callable[[str, str], str], local: Callable[[str], str]) -> None:
        self.name = name
        self.local = local

    def recipe(self, recipe: Any) -> Node:
        """The expression that builds what a recipe says."""
        kind = recipe[0]
        if kind == "lit":
            return self.scalar(recipe[1])
        if kind in ("list", "tuple", "set", "frozenset"):
            return self._collection(kind, [self.recipe(part) for part in recipe[1]])
        if kind == "dict":
            return Group("{", tuple(Pair(self.recipe(k), self.recipe(v)) for k, v in recipe[1]), "}")
        if kind == "ref":
            return Atom(self.name(recipe[1], recipe[2]))
        if kind == "call":
            arguments = [self.recipe(part) for part in recipe[3]]
            return call(self.name(recipe[1], recipe[2]), arguments + self.keywords(recipe[4]))
        if kind == "var":
            return Atom(self.local(recipe[1]))
        if kind == "lambda":
            return Prefixed(_lambda_head(recipe[1]), self.recipe(recipe[2]))
        raise Unwritable(f"no source for {kind!r}")

    def keywords(self, pairs: Any) -> list[Node]:
        """``name=value`` arguments."""
        return [Prefixed(f"{name}=", self.recipe(part)) for name, part in pairs]

    def snap(self, snap: Snap) -> Node:
        """The expression of an equal value; `is_plain` must hold."""
        kind = snap[0]
        if kind == "lit":
            return self.scalar(snap[1])
        if kind in ("list", "tuple", "set", "frozenset"):
            return self._collection(kind, [self.snap(part) for part in snap[1]])
        if kind == "dict":
            return Group("{", tuple(Pair(self.snap(k), self.snap(v)) for k, v in snap[1]), "}")
        if kind == "ref":
            return Atom(self.name(snap[1], snap[2]))
        if kind == "built":
            named = [Prefixed(f"{name}=", self.snap(part)) for name, part in snap[4]]
            return call(self.name(snap[1], snap[2]), [self.snap(part) for part in snap[3]] + list[Node](named))
        raise Unwritable(f"no source for {kind!r}")

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
            return Text(value)
        if type(value) is int:
            return self._integer(value)
        if type(value) is float:
            return Atom(self._floating(value))
        if type(value) is complex:
            return self._complex(value)
        return Atom(repr(value))

    def _integer(self, value: int) -> Node:
        if abs(value) < 10**LONGEST_NUMBER:
            return Atom(str(value))
        power = abs(value).bit_length() - 1
        for base, exponent in ((2, power), (2, power + 1), (10, round(power * math.log10(2)))):
            rest = abs(value) - base**exponent
            if abs(rest) < 1000:
                sum_ = f"{base}**{exponent}" + (f" {'-' if rest < 0 else '+'} {abs(rest)}" if rest else "")
                return Atom(sum_ if value > 0 else f"-({sum_})" if rest else f"-({sum_})")
        return call(self.name("builtins", "int"), [Text(f"{value:x}"), Atom("16")])

    def _floating(self, value: float) -> str:
        if math.isnan(value) or math.isinf(value):
            name = self.name("math", "nan" if math.isnan(value) else "inf")
            return f"-{name}" if math.copysign(1.0, value) < 0 and not math.isnan(value) else name
        return repr(value).replace("e+", "e")

    def _complex(self, value: complex) -> Node:
        parts = [value.real, value.imag]
        if value.real == 0 and math.copysign(1.0, value.real) > 0 and math.isfinite(value.imag) and value.imag >= 0:
            if math.copysign(1.0, value.imag) > 0:
                return Atom(repr(value).replace("e+", "e"))
        return call(self.name("builtins", "complex"), [Atom(self._floating(part)) for part in parts])


def _lambda_head(count: int) -> str:
    if count < 0:
        return "lambda *args, **kwargs: "
    names = ", ".join("abcdefgh"[:count]) if count <= 8 else ", ".join(f"a{i}" for i in range(count))
    return f"lambda {names}: " if names else "lambda: "


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
    return bool(kind == "ref")


def _is_nan(value: object) -> bool:
    return isinstance(value, (float, complex)) and value != value
