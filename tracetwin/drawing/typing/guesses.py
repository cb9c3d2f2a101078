"""Guesses: what an unannotated value may be, and the plan of each; namespaces with guessed attributes."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import Any, Final, TypeAlias, TypeGuard

from tracetwin.analysis.scopes import Scope, text_of
from tracetwin.analysis.sources import MOST_READ, walk
from tracetwin.drawing.plans import containers
from tracetwin.drawing.plans.containers import DictPlan, ListPlan, RecordPlan, SetPlan, TuplePlan
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import NONE, Built, FixedPlan, FloatPlan, IntPlan, Plan, StrPlan, one_of
from tracetwin.drawing.plans.wrapped import ASYNC_FUNCTION, WrappedPlan
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import Call
from tracetwin.model.recipes import Recipe
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class TypeGuess:
    """A type, or anything else that may stand in an annotation.

    Attributes:
        annotation: that.
        held: what attributes of its instances may be, where the code uses some.
    """

    annotation: Any
    held: tuple[tuple[str, tuple[Guess, ...]], ...] = ()

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
        return f"object with {', '.join(names)}" if names else "object"


@dataclass(frozen=True)
class FunctionGuess:
    """A function of so many parameters, with what it returns, or what awaiting that gives."""

    count: int
    results: tuple[Guess, ...] = ()
    is_async: bool = False

    def __str__(self) -> str:
        return f"{'async ' if self.is_async else ''}function of {self.count}"


@dataclass(frozen=True)
class WrappedGuess:
    """Something that is entered or awaited for a value."""

    kind: str
    values: tuple[Guess, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind} of {_joined(self.values)}"


Guess: TypeAlias = (
    TypeGuess | SeriesGuess | DictGuess | RecordGuess | TupleGuess | DuckGuess | FunctionGuess | WrappedGuess
)


def _joined(guesses: tuple[Guess, ...]) -> str:
    return " | ".join(map(str, guesses)) or "?"


@dataclass(frozen=True)
class DuckPlan(Plan):
    """A `types.SimpleNamespace`, or another namespace, with drawn attributes."""

    attributes: tuple[tuple[str, Plan], ...]
    module: str = "types"
    qualname: str = "SimpleNamespace"
    COMPOSITE = True
    HASHABLE = False

    def build(self, draw: Draw, name: str) -> Built:
        values: dict[str, Any] = {}
        parts: list[tuple[str, Recipe]] = []
        for attribute, plan in self.attributes:
            values[attribute], recipe = plan.build(draw, f"{name}.{attribute}")
            parts.append((attribute, recipe))
        made = recipes.lookup(self.module, self.qualname)(**values)
        return made, Call(self.module, self.qualname, (), tuple(parts))

    def describe(self) -> str:
        names = ", ".join(name for name, _ in self.attributes)
        return f"object with {names}" if names else "object"

    def produces(self) -> type | None:
        found: type = recipes.lookup(self.module, self.qualname)
        return found


_MOST: Final = 2.0**53
"""The largest of floats that are only guessed: as far as all whole numbers are floats."""

_MOST_HELD: Final = 4

_ODD_FLOATS: Final = frozenset(("nan", "inf", "isnan", "isinf", "isfinite", "-inf", "infinity"))


def is_telling(guess: Guess) -> bool:
    """True if a guess is an object of a class, or one with known members."""
    if isinstance(guess, TypeGuess):
        return isinstance(guess.annotation, type) and guess.annotation.__module__ != "builtins"
    return isinstance(guess, (DuckGuess, RecordGuess))


@functools.lru_cache(maxsize=MOST_READ)
def _speaks_of_odd_floats(tree: ast.Module) -> bool:
    """True if code tells infinity or what is no number from other floats, by name or by ``x != x``."""
    for node in walk(tree):
        match node:
            case ast.Attribute(attr=str(word)) | ast.Name(id=str(word)) | ast.Constant(value=str(word)):
                if word.lower() in _ODD_FLOATS:
                    return True
            case ast.Compare(left=left, comparators=[right]) if ast.dump(left) == ast.dump(right):
                return True
            case _:
                pass
    return False


def plan_guess(guess: Guess, resolver: Any, scope: Scope, depth: int) -> Plan:
    """The plan of one guess.

    Raises:
        Unbuildable: with the reason.
    """
    if isinstance(guess, TypeGuess):
        plan: Plan = resolver.plan(guess.annotation, scope, depth)
        if isinstance(plan, FloatPlan) and not _speaks_of_odd_floats(scope.source.tree):
            return replace(plan, most=_MOST)
        return holding(plan, guess, resolver, scope, depth) if guess.held else plan

    def choice(guesses: tuple[Guess, ...], otherwise: Plan | None = None) -> Plan:
        plans = []
        for item in guesses:
            try:
                plans.append(plan_guess(item, resolver, scope, depth))
            except Unbuildable:
                continue
        if not plans or plans == [NONE]:  # that it may be None does not say what it is else
            return one_of([*plans, otherwise or IntPlan()])
        return one_of(plans, most=4)

    if isinstance(guess, DuckGuess) and guess.methods:
        return _duck(guess, choice, resolver, scope)
    return _shaped(guess, choice, resolver, 1 if depth == 0 else 0)


def holding(plan: Plan, guess: TypeGuess, resolver: Any, scope: Scope, depth: int) -> Plan:
    """The plan of objects of a class with what guesses say that their attributes hold."""
    guessed = dict(guess.held)

    @functools.cache
    def held(name: str) -> Plan | None:
        plans = []
        for item in guessed.get(name, ()):
            with suppress(Unbuildable):
                plans.append(plan_guess(item, resolver, scope, depth + 1))
        return one_of(plans, most=_MOST_HELD) if plans and plans != [NONE] else None

    return plan.holding(held)


def _duck(guess: DuckGuess, choice: Callable[..., Plan], resolver: Any, scope: Scope) -> Plan:
    """A mock; what is called is a method, even where the code also mentions it without calling it."""
    called = {name for name, _ in guess.methods}
    attributes = [(name, choice(values)) for name, values in guess.attributes if name not in called]
    methods = [(name, choice(values) if values else None) for name, values in guess.methods]
    plan: Plan = resolver.stand_ins.duck(attributes, methods, scope)
    return plan


def _shaped(guess: Guess, choice: Callable[..., Plan], resolver: Any, start: int) -> Plan:
    """The plan of a guess with parts; `choice` plans those."""
    match guess:
        case SeriesGuess(kind, elements):
            element = choice(elements)
            return _SERIES[kind](element.hashable() if kind in ("set", "frozenset") else element, start)
        case DictGuess(keys, values):
            return DictPlan(choice(keys, StrPlan()).hashable(), choice(values), start)
        case RecordGuess(fields):
            pairs = tuple((key, choice(values, one_of([StrPlan(), IntPlan()]))) for key, values in fields)
            return RecordPlan(pairs, frozenset(key for key, _ in fields))
        case TupleGuess(items):
            return TuplePlan(tuple(choice(item) for item in items))
        case DuckGuess(attributes):
            return DuckPlan(tuple((name, choice(values)) for name, values in attributes))
        case FunctionGuess(count, results, is_async):
            result = choice(results)
            if is_async:
                return WrappedPlan(ASYNC_FUNCTION, result)
            plan: Plan = resolver.stand_ins.function(count, result)
            return plan
        case WrappedGuess(kind, values):
            return WrappedPlan(kind, choice(values, NONE))
        case TypeGuess():
            raise Unbuildable("a type has no parts")


_SERIES: dict[str, Callable[[Plan | None, int], Plan]] = {
    "list": ListPlan,
    "set": SetPlan,
    "tuple": containers.tuple_of,
    "frozenset": containers.frozenset_of,
    "iterator": containers.iterator_of,
}


_NAMESPACES: Final = (("argparse", "Namespace"), ("types", "SimpleNamespace"))


def is_namespace(plan: Plan) -> TypeGuard[FixedPlan]:
    """True if a plan makes an empty namespace."""
    return isinstance(plan, FixedPlan) and _called(plan.recipe) in _NAMESPACES


def _called(recipe: Recipe) -> tuple[str, str] | None:
    """Module and qualified name of what a recipe calls, None for any other."""
    return (recipe.module, recipe.qualname) if isinstance(recipe, Call) else None


def namespace_plan(plan: FixedPlan, found: Sequence[Guess], resolver: Any, scope: Scope, depth: int) -> Plan:
    """The plan of a namespace with the attributes that a guess speaks of, empty without such a guess."""
    guess = next((item for item in found if isinstance(item, DuckGuess) and item.attributes), None)
    place = _called(plan.recipe)
    if guess is None or place is None:
        return plan
    made = plan_guess(DuckGuess(guess.attributes), resolver, scope, depth)
    module, qualname = place
    return replace(made, module=module, qualname=qualname) if isinstance(made, DuckPlan) else plan
