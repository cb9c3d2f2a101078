"""Guesses: what an unannotated value may be, and the plan of each."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tracetwin.inputs import containers, recipes
from tracetwin.inputs.containers import DictPlan, ListPlan, RecordPlan, SetPlan, TuplePlan
from tracetwin.inputs.draw import Draw
from tracetwin.inputs.plans import (
    Built,
    CallablePlan,
    IntPlan,
    Plan,
    SetupFailed,
    StrPlan,
    Unbuildable,
    one_of,
)
from tracetwin.inputs.recipes import Recipe
from tracetwin.inputs.scopes import Scope, text_of


@dataclass(frozen=True)
class TypeGuess:
    """A type, or anything else that may stand in an annotation."""

    annotation: Any

    def __str__(self) -> str:
        return "None" if self.annotation is None else text_of(self.annotation)


@dataclass(frozen=True)
class SeriesGuess:
    """A list, set, tuple of any length or iterator of such elements."""

    kind: str
    elements: tuple[Guess, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}[{_joined(self.elements)}]" if self.elements else self.kind


@dataclass(frozen=True)
class DictGuess:
    """A dict of any keys."""

    keys: tuple[Guess, ...] = ()
    values: tuple[Guess, ...] = ()

    def __str__(self) -> str:
        return f"dict[{_joined(self.keys)}, {_joined(self.values)}]" if self.keys or self.values else "dict"


@dataclass(frozen=True)
class RecordGuess:
    """A dict with the keys that the code asks for."""

    fields: tuple[tuple[Any, tuple[Guess, ...]], ...]

    def __str__(self) -> str:
        return f"dict{{{', '.join(f'{key!r}: {_joined(values)}' for key, values in self.fields)}}}"


@dataclass(frozen=True)
class TupleGuess:
    """A tuple of known shape."""

    items: tuple[tuple[Guess, ...], ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(_joined, self.items))}]"


@dataclass(frozen=True)
class DuckGuess:
    """An object of no known class: attributes and methods that the code uses."""

    attributes: tuple[tuple[str, tuple[Guess, ...]], ...]
    methods: tuple[tuple[str, tuple[Guess, ...]], ...] = field(default=())

    def __str__(self) -> str:
        names = [name for name, _ in self.attributes] + [f"{name}()" for name, _ in self.methods]
        return f"object with {', '.join(names)}"


@dataclass(frozen=True)
class FunctionGuess:
    """A function of so many parameters, with what it returns, or may raise."""

    count: int
    results: tuple[Guess, ...] = ()
    failing: type[BaseException] | None = None

    def __str__(self) -> str:
        return f"function of {self.count}"


Guess: TypeAlias = TypeGuess | SeriesGuess | DictGuess | RecordGuess | TupleGuess | DuckGuess | FunctionGuess


def _joined(guesses: tuple[Guess, ...]) -> str:
    return " | ".join(map(str, guesses)) or "?"


@dataclass(frozen=True)
class DuckPlan(Plan):
    """A `types.SimpleNamespace` with drawn attributes; methods are functions that return a drawn value."""

    attributes: tuple[tuple[str, Plan], ...]

    def build(self, draw: Draw, name: str) -> Built:
        values: dict[str, Any] = {}
        parts: list[tuple[str, Recipe]] = []
        for attribute, plan in self.attributes:
            values[attribute], recipe = plan.build(draw, f"{name}.{attribute}")
            parts.append((attribute, recipe))
        return types.SimpleNamespace(**values), ("call", "types", "SimpleNamespace", [], parts)

    def describe(self) -> str:
        return f"object with {', '.join(name for name, _ in self.attributes)}"

    def is_composite(self) -> bool:
        return True

    def hashable(self) -> Plan | None:
        return None


@dataclass(frozen=True)
class RaisingPlan(Plan):
    """A function that raises, whatever it is called with: in a test, a `unittest.mock.Mock`."""

    error: type[BaseException]

    def build(self, draw: Draw, name: str) -> Built:
        def fail(*_arguments: Any, **_named: Any) -> None:
            raise self.error

        effect = recipes.of_value(self.error)
        if effect is None:
            raise SetupFailed(f"{self.error.__name__} can't be written down")
        return fail, recipes.call("unittest.mock", "Mock", side_effect=effect)

    def describe(self) -> str:
        return f"function raising {self.error.__name__}"


def plan_guess(guess: Guess, resolver: Any, scope: Scope, depth: int) -> Plan:
    """The plan of one guess.

    Raises:
        Unbuildable: with the reason.
    """
    if isinstance(guess, TypeGuess):
        plan: Plan = resolver.plan(guess.annotation, scope, depth)
        return plan

    def choice(guesses: tuple[Guess, ...], otherwise: Plan | None = None) -> Plan:
        plans = []
        for item in guesses:
            try:
                plans.append(plan_guess(item, resolver, scope, depth))
            except Unbuildable:
                continue
        return one_of(plans, most=4) if plans else otherwise or IntPlan()

    return _shaped(guess, choice, 1 if depth == 0 else 0)


def _shaped(guess: Guess, choice: Callable[..., Plan], start: int) -> Plan:
    """The plan of a guess with parts; `choice` plans those."""
    match guess:
        case SeriesGuess(kind, elements):
            element = choice(elements)
            return _SERIES[kind](element.hashable() if kind in ("set", "frozenset") else element, start)
        case DictGuess(keys, values):
            return DictPlan(choice(keys, StrPlan()).hashable(), choice(values), start)
        case RecordGuess(fields):
            pairs = tuple((key, choice(values)) for key, values in fields)
            return RecordPlan(pairs, frozenset(key for key, _ in fields))
        case TupleGuess(items):
            return TuplePlan(tuple(choice(item) for item in items))
        case DuckGuess(attributes, methods):
            # What is called is a method, even where the code also mentions it without calling it.
            called = {name for name, _ in methods}
            made = [(name, choice(values)) for name, values in attributes if name not in called]
            made += [(name, CallablePlan(-1, choice(values))) for name, values in methods]
            return DuckPlan(tuple(made))
        case FunctionGuess(count, results, failing):
            returning = CallablePlan(count, choice(results))
            return returning if failing is None else one_of([returning, RaisingPlan(failing)])
        case TypeGuess():
            raise Unbuildable("a type has no parts")


_SERIES: dict[str, Callable[[Plan | None, int], Plan]] = {
    "list": ListPlan,
    "set": SetPlan,
    "tuple": containers.tuple_of,
    "frozenset": containers.frozenset_of,
    "iterator": containers.iterator_of,
}
