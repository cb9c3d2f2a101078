"""The source of an input's values: the interface between plans and the running worker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from runtime import class_choices
from runtime.class_choices import Alternative
from runtime.pool import Pool


class Draw(Protocol):
    """Hands out the solved values of one input, by name.

    A name that the input does not speak of gets the default. Names are unique within one input, except
    that `choice` may be asked twice under one name (type variables): it answers the same, without a branch.

    Attributes:
        pool: the objects of this input that may be used once more.
        homes: values that read better than any simpler one, by the variables that start there.
    """

    pool: Pool
    homes: dict[str, object]

    def integer(self, name: str, default: int = 0, low: int | None = None, high: int | None = None) -> int:
        """A traced int within the inclusive bounds."""

    def boolean(self, name: str, default: bool = False) -> bool:
        """A traced bool."""

    def floating(self, name: str, default: float = 0.0, most: float | None = None) -> float:
        """A traced float, no further from zero than `most`."""

    def text(self, name: str, default: str = "", max_length: int | None = None) -> str:
        """A traced str."""

    def octets(self, name: str, default: bytes = b"") -> bytes:
        """A traced bytes."""

    def choice(self, name: str, count: int, default: int = 0) -> int:
        """A concrete number below `count`; recorded as a branch that the search may negate."""

    def decided(self, value: Any, choice: str, chosen: int, alternatives: Sequence[Alternative]) -> None:
        """Note that a choice, if it has a name, made a value the one of the alternatives that it is."""

    def among(self, choice: str, values: Sequence[Any]) -> None:
        """Note the constants that a choice is between."""

    def wanted(self, name: str) -> list[str]:
        """The classes, as ``module:qualname``, that the input wants the mock of that name to derive from."""

    def length(self, name: str, default: int, maximum: int) -> tuple[int, object]:
        """A concrete length, and the token that stands for its expression."""

    def listed(self, values: Sequence[Any], token: object) -> list[Any]:
        """A traced list whose length is the token's; without a token (None) the length is concrete."""

    def mapping(self, pairs: Iterable[tuple[Any, Any]], token: object) -> dict[Any, Any]:
        """A traced dict; the keys are distinct."""

    def setof(self, values: Iterable[Any], token: object) -> set[Any]:
        """A traced set; the values are distinct."""

    def compound(self, real: Any, imaginary: Any) -> Any:
        """A complex number of two floats that were drawn."""

    def concrete(self, value: Any) -> Any:
        """The exact, untraced value: what a recipe holds."""

    def lost(self, label: str, values: Sequence[Any]) -> None:
        """Note that an argument was made of these by code that can't be followed."""

    def is_new(self, value: Any, others: Sequence[Any]) -> bool:
        """True if a value differs from all the others: assumed where it does, a decision where it doesn't."""


class PlainDraw:
    """A `Draw` of plain Python values out of a dict; drawn names are remembered in `asked`."""

    def __init__(self, assignment: dict[str, Any] | None = None) -> None:
        self.assignment = dict(assignment or {})
        self.asked: dict[str, str] = {}
        self.pool = Pool()
        self.homes: dict[str, object] = {}

    def _take(self, kind: str, name: str, default: Any) -> Any:
        self.asked[name] = kind
        return self.assignment.get(name, default)

    def integer(self, name: str, default: int = 0, low: int | None = None, high: int | None = None) -> int:
        """An int, moved into the bounds."""
        value = int(self._take("int", name, default))
        value = value if low is None else max(low, value)
        return value if high is None else min(high, value)

    def boolean(self, name: str, default: bool = False) -> bool:
        return bool(self._take("bool", name, default))

    def floating(self, name: str, default: float = 0.0, most: float | None = None) -> float:
        """A float, the default in the place of one that is too large."""
        value = float(self._take("float", name, default))
        return value if most is None or -most <= value <= most else default

    def text(self, name: str, default: str = "", max_length: int | None = None) -> str:
        """A str, cut to the maximal length."""
        return str(self._take("str", name, default))[:max_length]

    def octets(self, name: str, default: bytes = b"") -> bytes:
        return bytes(self._take("bytes", name, default))

    def choice(self, name: str, count: int, default: int = 0) -> int:
        return int(self._take("choice", name, default)) % count

    def decided(self, value: Any, choice: str, chosen: int, alternatives: Sequence[Alternative]) -> None:
        """Nothing: nobody asks."""

    def among(self, choice: str, values: Sequence[Any]) -> None:
        """Nothing: nobody asks."""

    def wanted(self, name: str) -> list[str]:
        """The classes that a mock shall derive from."""
        return class_choices.wanted(self.assignment, name)

    def length(self, name: str, default: int, maximum: int) -> tuple[int, object]:
        """A length up to the maximum; the token is its name."""
        return min(maximum, max(0, int(self._take("length", name, default)))), name

    def listed(self, values: Sequence[Any], token: object) -> list[Any]:
        return list(values)

    def mapping(self, pairs: Iterable[tuple[Any, Any]], token: object) -> dict[Any, Any]:
        return dict(pairs)

    def setof(self, values: Iterable[Any], token: object) -> set[Any]:
        return set(values)

    def compound(self, real: Any, imaginary: Any) -> Any:
        return complex(real, imaginary)

    def concrete(self, value: Any) -> Any:
        return value

    def lost(self, label: str, values: Sequence[Any]) -> None:
        """Nothing: plain values have nothing to lose."""

    def is_new(self, value: Any, others: Sequence[Any]) -> bool:
        """True if a value differs from all the others."""
        return value not in others
