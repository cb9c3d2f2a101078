"""Plans: how one argument value is drawn. Scalars, choices and the base class."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Final, TypeAlias

from runtime.class_choices import Alternative
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.homes import asked_here
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import Reference, Scalar
from tracetwin.model.recipes import Recipe, lit
from tracetwin.support.data import dataclass

Built: TypeAlias = tuple[Any, Recipe]


class SetupFailed(Exception):
    """A constructor raised while an argument was built; the cause holds what it raised."""


def told(error: BaseException) -> str:
    """The message of an exception, shortened; its words are made plain, and nothing counts as lost."""
    return "".join((str(error),))[:80]


class Plan(ABC):
    """The way to build one value. Plans are immutable and may be shared."""

    OF: ClassVar[type | None] = None
    HASHABLE: ClassVar[bool] = True
    """True if its values can be keys."""
    COMPOSITE: ClassVar[bool] = False
    """True if building it calls a constructor, which may nest."""

    @abstractmethod
    def build(self, draw: Draw, name: str) -> Built:
        """Draw the value called `name`, and the recipe that rebuilds the concrete one.

        Raises:
            SetupFailed: code of the target or a library refused the drawn arguments.
        """

    @abstractmethod
    def describe(self) -> str:
        """A short text for people."""

    def starting_at(self, value: Any) -> Plan | None:
        """The same plan whose first value is `value`, or None when it can't produce that."""
        return None

    def holding(self, _held: Callable[[str], Plan | None]) -> Plan:
        """Return the plan of an object whose attributes hold such values, as far as it is known how."""
        return self

    def in_place_of(self, _value: Any) -> Plan:
        """The same plan for values that are always passed in the place of a default."""
        return self

    def produces(self) -> type | None:
        """The class of its values, `OF` them all; None where that is not known before they are made."""
        return self.OF

    def alternative(self, name: str) -> Alternative:
        """The answers to a program that asks for the class of the value called `name`."""
        return Alternative(self.produces())

    def is_composite(self) -> bool:
        """True if building it, or a part of it, calls a constructor."""
        return self.COMPOSITE

    def hashable(self) -> Plan | None:
        """The part of this plan whose values can be keys: all of it, some alternatives, or None."""
        return self if self.HASHABLE else None

    def takes(self, value: Any) -> bool:
        """True if what a call returned is as good as what this plan draws."""
        return False

    def shares(self, value: Any) -> bool:
        """True if the plan itself offers objects like this one wherever they exist already."""
        return False


@dataclass(frozen=True)
class FixedPlan(Plan):
    """One constant: `make` gives a new value each time, so that mutable ones are not shared."""

    make: Callable[[], Any]
    recipe: Recipe
    label: str

    def build(self, draw: Draw, name: str) -> Built:
        return self.make(), self.recipe

    def describe(self) -> str:
        return self.label

    def produces(self) -> type | None:
        return type(self.make()) if isinstance(self.recipe, (Scalar, Reference)) else None

    def starting_at(self, value: Any) -> Plan | None:
        return self if recipes.of_value(value) == self.recipe else None


MOST_CHOICES: Final = 24
"""Plans of one value among which the input chooses, unless it is said otherwise."""

NONE = FixedPlan(lambda: None, lit(None), "None")


def fixed(value: Any) -> FixedPlan:
    """The plan of one plain constant.

    Raises:
        Unbuildable: the value can't be written down.
    """
    recipe = recipes.of_value(value)
    if recipe is None:
        raise Unbuildable(f"the value {value!r:.60} can't be written down")
    make = (lambda: value) if isinstance(recipe, (Scalar, Reference)) else (lambda: recipes.evaluate(recipe))
    return FixedPlan(make, recipe, "None" if value is None else repr(value)[:60])


@dataclass(frozen=True)
class ScalarPlan(Plan):
    """A value of one builtin type, the default at first."""

    default: Any

    def describe(self) -> str:
        return getattr(self.OF, "__name__", "")

    def starting_at(self, value: Any) -> Plan | None:
        return replace(self, default=value) if type(value) is self.OF else None


@dataclass(frozen=True)
class IntPlan(ScalarPlan):
    """An int, between bounds where the annotation gives some."""

    default: int = 0
    low: int | None = None
    high: int | None = None
    OF = int

    def build(self, draw: Draw, name: str) -> Built:
        start = self.default if self.low is None else max(self.default, self.low)
        start = start if self.high is None else min(start, self.high)
        value = draw.integer(name, start, self.low, self.high)
        return value, lit(draw.concrete(value))

    def takes(self, value: Any) -> bool:
        return type(value) is int


UNTOLD: Final = IntPlan()
"""The plan of the parts of a bare class, of which an annotation says nothing."""


@dataclass(frozen=True)
class BoolPlan(ScalarPlan):
    """A bool."""

    default: bool = False
    OF = bool

    def build(self, draw: Draw, name: str) -> Built:
        value = draw.boolean(name, self.default)
        return value, lit(bool(draw.concrete(value)))


@dataclass(frozen=True)
class FloatPlan(ScalarPlan):
    """A float, no further from zero than `most`: neither infinite nor no number at all."""

    default: float = 0.0
    most: float | None = None
    OF = float

    def build(self, draw: Draw, name: str) -> Built:
        value = draw.floating(name, self.default, self.most)
        return value, lit(draw.concrete(value))

    def starting_at(self, value: Any) -> Plan | None:
        if type(value) is int and abs(value) < 2**53:
            value = float(value)
        return replace(self, default=value) if type(value) is float else None


@dataclass(frozen=True)
class StrPlan(ScalarPlan):
    """A str."""

    default: str = ""
    max_length: int | None = None
    OF = str

    def build(self, draw: Draw, name: str) -> Built:
        value = draw.text(name, self.default, self.max_length)
        return value, lit(draw.concrete(value))

    def takes(self, value: Any) -> bool:
        return type(value) is str


@dataclass(frozen=True)
class BytesPlan(ScalarPlan):
    """A bytes."""

    default: bytes = b""
    OF = bytes

    def build(self, draw: Draw, name: str) -> Built:
        value = draw.octets(name, self.default)
        return value, lit(draw.concrete(value))

    def takes(self, value: Any) -> bool:
        return type(value) is bytes


@dataclass(frozen=True)
class ComplexPlan(ScalarPlan):
    """A complex of two floats."""

    default: complex = 0j
    OF = complex

    def build(self, draw: Draw, name: str) -> Built:
        real = draw.floating(f"{name}.real", self.default.real)
        imaginary = draw.floating(f"{name}.imag", self.default.imag)
        value = complex(draw.concrete(real), draw.concrete(imaginary))
        return draw.compound(real, imaginary), lit(value)

    def starting_at(self, value: Any) -> Plan | None:
        return replace(self, default=complex(value)) if type(value) in (int, float, complex) else None


@dataclass(frozen=True)
class MadePlan(Plan):
    """A value that library code makes of parts.

    Attributes:
        make: gets the concrete parts and returns value and recipe.
        home: the module of that code; where it is a twin, `remake` gets the parts as they were drawn.
        remake: returns the same value, which then depends on the parts.
    """

    label: str
    parts: tuple[tuple[str, Plan], ...]
    make: Callable[..., Built]
    home: str = ""
    remake: Callable[..., Any] | None = None

    def build(self, draw: Draw, name: str) -> Built:
        parts = [plan.build(draw, f"{name}.{part}")[0] for part, plan in self.parts]
        drawn = [draw.concrete(part) for part in parts]
        try:
            if self.remake is None or not recipes.is_traced(self.home):
                draw.lost(self.label, parts)
                return self.make(*drawn)
            value = self.remake(*parts)
            return value, self.make(*drawn)[1]
        except Exception as error:
            raise SetupFailed(f"{self.label} refused {drawn!r:.80}: {told(error)}") from error

    def takes(self, value: Any) -> bool:
        return type(value).__module__ == self.home and type(value).__name__ == self.label

    def describe(self) -> str:
        return self.label

    def produces(self) -> type | None:
        found = getattr(sys.modules.get(self.home), self.label, None)
        return found if isinstance(found, type) else None


@dataclass(frozen=True)
class UnionPlan(Plan):
    """One of several plans, by choice; most likely first. At least two, never nested unions.

    Where a mock answers, a dict that the asking function is known to look into is likelier than the first.
    With a `topic` the choice is shared by all plans of that topic (one type variable is one type).
    """

    plans: tuple[Plan, ...]
    default: int = 0
    topic: str | None = None

    def build(self, draw: Draw, name: str) -> Built:
        default = self.default
        if not default and draw.pool.answering:
            default = asked_here(self.plans) or default
        chosen = draw.choice(self.topic or f"{name}?", len(self.plans), default)
        # Alternatives are of different sorts, so that each draws under a name of its own.
        names = [f"{name}|{place}" if place else name for place in range(len(self.plans))]
        value, recipe = self.plans[chosen].build(draw, names[chosen])
        kinds = [plan.alternative(own) for plan, own in zip(self.plans, names, strict=True)]
        draw.decided(value, self.topic or f"{name}?", chosen, kinds)
        return value, recipe

    def describe(self) -> str:
        return " | ".join(plan.describe() for plan in self.plans)

    def starting_at(self, value: Any) -> Plan | None:
        for index, plan in enumerate(self.plans):
            started = plan.starting_at(value)
            if started is not None:
                plans = (*self.plans[:index], started, *self.plans[index + 1 :])
                return replace(self, plans=plans, default=index)
        return None

    def holding(self, held: Callable[[str], Plan | None]) -> Plan:
        plans = tuple(plan.holding(held) for plan in self.plans)
        same = all(new is old for new, old in zip(plans, self.plans, strict=True))
        return self if same else replace(self, plans=plans)

    def takes(self, value: Any) -> bool:
        return any(plan.takes(value) for plan in self.plans)

    def shares(self, value: Any) -> bool:
        return any(plan.shares(value) for plan in self.plans)

    def is_composite(self) -> bool:
        return any(plan.is_composite() for plan in self.plans)

    def hashable(self) -> Plan | None:
        kept = [part for plan in self.plans if (part := plan.hashable()) is not None]
        return one_of(kept, topic=self.topic) if kept else None


def one_of(plans: list[Plan], *, topic: str | None = None, most: int = MOST_CHOICES) -> Plan:
    """The choice among plans: flattened, without duplicates.

    Raises:
        Unbuildable: there are none.
    """
    flat: list[Plan] = []
    alike: dict[type, list[Plan]] = {}
    for plan in plans:
        for part in plan.plans if isinstance(plan, UnionPlan) and plan.topic is None else (plan,):
            known = alike.setdefault(type(part), [])
            if part not in known:
                known.append(part)
                flat.append(part)
    if not flat:
        raise Unbuildable("nothing to choose from")
    return flat[0] if len(flat) == 1 else UnionPlan(tuple(flat[:most]), 0, topic)


@dataclass(frozen=True)
class MemberPlan(Plan):
    """One of given constants: the members of an enum, the values of a `Literal`, classes."""

    values: tuple[Any, ...]
    recipes: tuple[Recipe, ...]
    label: str
    default: int = 0

    def build(self, draw: Draw, name: str) -> Built:
        if len(self.values) < 2:
            return self.values[0], self.recipes[0]
        chosen = draw.choice(f"{name}?", len(self.values), self.default)
        draw.among(f"{name}?", self.values)
        return self.values[chosen], self.recipes[chosen]

    def describe(self) -> str:
        return self.label

    def produces(self) -> type | None:
        kinds = {id(type(value)): type(value) for value in self.values}
        return kinds.popitem()[1] if len(kinds) == 1 else None

    def starting_at(self, value: Any) -> Plan | None:
        for index, mine in enumerate(self.values):
            if mine is value or (type(mine) is type(value) and mine == value):
                return replace(self, default=index)
        return None


def members(values: list[Any], label: str) -> MemberPlan:
    """The choice among constants that can be written down.

    Raises:
        Unbuildable: none can.
    """
    pairs = [(value, recipe) for value in values if (recipe := recipes.of_value(value)) is not None]
    if not pairs:
        raise Unbuildable(f"{label} has no value that can be written down")
    return MemberPlan(tuple(v for v, _ in pairs), tuple(r for _, r in pairs), label)
