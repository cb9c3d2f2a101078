"""Plans of containers: drawn elements, and a length that the search can change."""

from __future__ import annotations

import collections
import enum
from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

from runtime.classes import bases_of
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import (
    BoolPlan,
    Built,
    BytesPlan,
    FloatPlan,
    IntPlan,
    MemberPlan,
    Plan,
    StrPlan,
    UnionPlan,
)
from tracetwin.model import recipes
from tracetwin.model.recipe import Dictionary, Series, SeriesKind, list_of
from tracetwin.model.recipes import Recipe, call, lit
from tracetwin.support.data import dataclass

MANY = 12
FEW = 4


def most_of(element: Plan | None) -> int:
    """The longest container drawn: long ones only of cheap elements."""
    if element is None:
        return 0
    return MANY if isinstance(element, (IntPlan, FloatPlan, StrPlan, BytesPlan)) else FEW


def _started(element: Plan | None, values: list[Any]) -> tuple[Plan, ...] | None:
    """Plans of the first elements that start at `values`, or None when one can't."""
    if not values:
        return ()
    if element is None:
        return None
    plans = [element.starting_at(value) for value in values[:MANY]]
    return None if None in plans or len(values) > MANY else tuple(p for p in plans if p is not None)


@dataclass(frozen=True)
class ListPlan(Plan):
    """A list; `element` is None where only the empty one can be built."""

    element: Plan | None
    length: int = 1
    firsts: tuple[Plan, ...] = ()
    homes: frozenset[str] = field(default=frozenset(), compare=False)
    OF = list
    HASHABLE = False

    def build(self, draw: Draw, name: str) -> Built:
        if self.element is None:
            return [], list_of()
        maximum = max(most_of(self.element), self.length)
        count, token = draw.length(f"{name}#", self.length, maximum)
        built = [self._part(index).build(draw, f"{name}[{index}]") for index in range(count)]
        return draw.listed([value for value, _ in built], token), list_of(*(recipe for _, recipe in built))

    def _part(self, index: int) -> Plan:
        assert self.element is not None
        return self.firsts[index] if index < len(self.firsts) else self.element

    def describe(self) -> str:
        return f"list[{self.element.describe()}]" if self.element else "empty list"

    def starting_at(self, value: Any) -> Plan | None:
        if type(value) not in (list, tuple):
            return None
        firsts = _started(self.element, list(value))
        return None if firsts is None else replace(self, length=len(value), firsts=firsts)


@dataclass(frozen=True)
class SeriesPlan(Plan):
    """A container made of a drawn sequence by a constructor: its length is a choice of its own.

    `make` turns the list of values into the container, `recipe` the list of their recipes.
    """

    label: str
    element: Plan | None
    make: Callable[[list[Any]], Any]
    recipe: Callable[[list[Recipe]], Recipe]
    length: int = 1
    hashed: bool = False
    types: tuple[type, ...] = ()
    firsts: tuple[Plan, ...] = ()

    def build(self, draw: Draw, name: str) -> Built:
        if self.element is None:
            return self.make([]), self.recipe([])
        count = draw.choice(f"{name}#", max(FEW, self.length) + 1, self.length)
        plans = list(self.firsts[:count]) + [self.element] * (count - len(self.firsts))
        if self.hashed:
            built = distinct(draw, plans, lambda index: f"{name}[{index}]")
        else:
            built = [plan.build(draw, f"{name}[{index}]") for index, plan in enumerate(plans)]
        return self.make([v for v, _ in built]), self.recipe([r for _, r in built])

    def takes(self, value: Any) -> bool:
        has = {"iterator": "__next__", "generator": "send"}.get(self.label)
        return has is not None and any(has in vars(base) for base in bases_of(type(value)))

    def describe(self) -> str:
        return f"{self.label}[{self.element.describe()}]" if self.element else f"empty {self.label}"

    def produces(self) -> type | None:
        return type(self.make([]))

    def hashable(self) -> Plan | None:
        if self.element is None or self.label == "deque":
            return None if self.label == "deque" else self
        return replace(self, element=self.element.hashable())

    def starting_at(self, value: Any) -> Plan | None:
        if type(value) not in self.types:
            return None
        firsts = _started(self.element, list(value))
        return None if firsts is None else replace(self, length=len(value), firsts=firsts)


@dataclass(frozen=True)
class SetPlan(Plan):
    """A set of distinct values."""

    element: Plan | None
    length: int = 1
    firsts: tuple[Plan, ...] = ()
    OF = set
    HASHABLE = False

    def build(self, draw: Draw, name: str) -> Built:
        if self.element is None:
            return set(), Series(SeriesKind.SET, ())
        count, token = draw.length(f"{name}#", self.length, max(FEW, self.length))
        plans = list(self.firsts[:count]) + [self.element] * (count - len(self.firsts))
        built = distinct(draw, plans, lambda index: f"{name}[{index}]")
        value = draw.setof([value for value, _ in built], token if len(built) == count else None)
        return value, Series(SeriesKind.SET, tuple(recipe for _, recipe in built))

    def describe(self) -> str:
        return f"set[{self.element.describe()}]" if self.element else "empty set"

    def starting_at(self, value: Any) -> Plan | None:
        if type(value) not in (set, frozenset):
            return None
        firsts = _started(self.element, sorted(value, key=repr))
        return None if firsts is None else replace(self, length=len(value), firsts=firsts)


@dataclass(frozen=True)
class DictPlan(Plan):
    """A dict with distinct keys."""

    key: Plan | None
    value: Plan | None
    length: int = 1
    keys: tuple[Plan, ...] = ()
    values: tuple[Plan, ...] = ()
    OF = dict
    HASHABLE = False

    def build(self, draw: Draw, name: str) -> Built:
        if self.key is None or self.value is None:
            return {}, Dictionary(())
        count, token = draw.length(f"{name}#", self.length, max(FEW, self.length))
        plans = list(self.keys[:count]) + [self.key] * (count - len(self.keys))
        keys = distinct(draw, plans, lambda index: f"{name}.key{index}")
        pairs = []
        for index, key in enumerate(keys):
            plan = self.values[index] if index < len(self.values) else self.value
            pairs.append((key, plan.build(draw, f"{name}.value{index}")))
        made = draw.mapping([(k, v) for (k, _), (v, _) in pairs], token if len(keys) == count else None)
        return made, Dictionary(tuple((k, v) for (_, k), (_, v) in pairs))

    def describe(self) -> str:
        if self.key is None or self.value is None:
            return "empty dict"
        return f"dict[{self.key.describe()}, {self.value.describe()}]"

    def starting_at(self, value: Any) -> Plan | None:
        if type(value) is not dict:
            return None
        keys, values = _started(self.key, list(value)), _started(self.value, list(value.values()))
        if keys is None or values is None:
            return None
        return replace(self, length=len(value), keys=keys, values=values)


def distinct(draw: Draw, plans: list[Plan], name_of: Callable[[int], str]) -> list[Built]:
    """Build values that differ: fresh ones start apart, and what was solved stays apart by assumption.

    A value that all the same equals an earlier one is left out, as a set or dict literal would do: a decision
    that the search may take differently.
    """
    built: list[Built] = []
    kept: list[Any] = []
    seen: list[Any] = []
    for index, plan in enumerate(plans):
        value, recipe = _apart(plan, seen).build(draw, name_of(index))
        concrete = draw.concrete(value)
        if isinstance(concrete, _COMPARED):
            if not draw.is_new(value, kept):
                continue
            kept.append(value)
            seen.append(concrete)
        built.append((value, recipe))
    return built


# Objects of other types may run code of the target when compared.
_COMPARED = (type(None), int, float, complex, str, bytes, tuple, enum.Enum)

_FRESH: dict[type[Plan], tuple[Any, ...]] = {
    IntPlan: tuple(range(MANY + 1)),
    FloatPlan: tuple(float(n) for n in range(MANY + 1)),
    StrPlan: ("", *"abcdefghijkl"),
    BytesPlan: (b"", *(bytes([97 + n]) for n in range(MANY))),
    BoolPlan: (False, True),
}


def _apart(plan: Plan, seen: list[Any]) -> Plan:
    """The same plan, starting at a value that is not among the ones seen."""
    if not seen:
        return plan
    if isinstance(plan, UnionPlan):
        chosen = _apart(plan.plans[plan.default], seen)
        plans = (*plan.plans[: plan.default], chosen, *plan.plans[plan.default + 1 :])
        return replace(plan, plans=plans)
    if isinstance(plan, TuplePlan) and plan.items:
        firsts = [other[0] for other in seen if isinstance(other, tuple) and other]
        return TuplePlan((_apart(plan.items[0], firsts), *plan.items[1:]))
    values = plan.values if isinstance(plan, MemberPlan) else _FRESH.get(type(plan), ())
    start = values[plan.default] if isinstance(plan, MemberPlan) else getattr(plan, "default", None)
    if start not in seen:
        return plan
    fresh = next((value for value in values if value not in seen), start)
    return plan.starting_at(fresh) or plan


@dataclass(frozen=True)
class TuplePlan(Plan):
    """A tuple of fixed shape."""

    items: tuple[Plan, ...]
    OF = tuple

    def build(self, draw: Draw, name: str) -> Built:
        built = [plan.build(draw, f"{name}[{index}]") for index, plan in enumerate(self.items)]
        return tuple(value for value, _ in built), Series(
            SeriesKind.TUPLE, tuple(recipe for _, recipe in built)
        )

    def describe(self) -> str:
        return f"tuple[{', '.join(plan.describe() for plan in self.items)}]"

    def hashable(self) -> Plan | None:
        items = [item.hashable() for item in self.items]
        return None if None in items else TuplePlan(tuple(item for item in items if item is not None))

    def starting_at(self, value: Any) -> Plan | None:
        if type(value) is not tuple or len(value) != len(self.items):
            return None
        plans = [plan.starting_at(item) for plan, item in zip(self.items, value, strict=True)]
        return None if None in plans else TuplePlan(tuple(plan for plan in plans if plan is not None))

    def is_composite(self) -> bool:
        return any(plan.is_composite() for plan in self.items)


@dataclass(frozen=True)
class RecordPlan(Plan):
    """A dict with known keys; optional ones are in or out by choice. `missing` ones start out.

    `homes` are the functions that ask for these keys, where that is known.
    """

    fields: tuple[tuple[Any, Plan], ...]
    optional: frozenset[Any] = field(default=frozenset())
    label: str = "dict"
    missing: bool = False
    homes: frozenset[str] = field(default=frozenset(), compare=False)
    OF = dict
    HASHABLE = False

    def build(self, draw: Draw, name: str) -> Built:
        value: dict[Any, Any] = {}
        pairs: list[tuple[Recipe, Recipe]] = []
        for key, plan in self.fields:
            if key in self.optional and not draw.choice(f"{name}.{key}?in", 2, 0 if self.missing else 1):
                continue
            value[key], recipe = plan.build(draw, f"{name}.{key}")
            pairs.append((lit(key), recipe))
        return value, Dictionary(tuple(pairs))

    def describe(self) -> str:
        return f"{self.label} with {', '.join(map(repr, (key for key, _ in self.fields)))}"


@dataclass(frozen=True)
class ConvertedPlan(Plan):
    """A value passed through a one-argument function or constructor of a library: `deque(list)`."""

    label: str
    inner: Plan
    module: str
    qualname: str
    types: tuple[type, ...] = ()
    HASHABLE = False

    def build(self, draw: Draw, name: str) -> Built:
        value, recipe = self.inner.build(draw, name)
        return recipes.lookup(self.module, self.qualname)(value), call(self.module, self.qualname, recipe)

    def describe(self) -> str:
        return f"{self.label} of {self.inner.describe()}"

    def produces(self) -> type | None:
        maker = recipes.lookup(self.module, self.qualname)
        return maker if isinstance(maker, type) else None

    def starting_at(self, value: Any) -> Plan | None:
        if type(value) not in self.types:
            return None
        plain: Any = dict(value) if isinstance(value, dict) else list(value)
        inner = self.inner.starting_at(plain)
        return None if inner is None else replace(self, inner=inner)


def _series(kind: SeriesKind) -> Callable[[list[Recipe]], Recipe]:
    return lambda parts: Series(kind, tuple(parts))


def tuple_of(element: Plan | None, length: int = 1) -> SeriesPlan:
    """A tuple of any length."""
    return SeriesPlan("tuple", element, tuple, _series(SeriesKind.TUPLE), length, types=(tuple, list))


def frozenset_of(element: Plan | None, length: int = 1) -> SeriesPlan:
    """A frozenset."""
    return SeriesPlan(
        "frozenset", element, frozenset, _series(SeriesKind.FROZENSET), length, True, (frozenset, set)
    )


def iterator_of(element: Plan | None, length: int = 1) -> SeriesPlan:
    """An iterator over a list."""
    return SeriesPlan(
        "iterator", element, iter, lambda parts: call("builtins", "iter", list_of(*parts)), length
    )


def generator_of(element: Plan | None, length: int = 1) -> SeriesPlan:
    """A generator that yields the items of a list, whatever is sent into it."""
    return SeriesPlan(
        "generator",
        element,
        lambda items: (item for item in items),
        lambda parts: call("types", "GeneratorType", list_of(*parts)),
        length,
    )


def deque_of(element: Plan | None, length: int = 1) -> SeriesPlan:
    """A deque."""
    return SeriesPlan(
        "deque",
        element,
        collections.deque,
        lambda parts: call("collections", "deque", list_of(*parts)),
        length,
        types=(collections.deque,),
    )
