"""Objects of examples: what makes them, and what is done on them one call after the other. Nothing is run."""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import field
from types import MethodType
from typing import Any, Final, TypeAlias

from tracetwin.analysis.sources import FunctionNode, Source
from tracetwin.model import recipes
from tracetwin.model.recipe import Call, PreparedObject, PreparingCall, Variable
from tracetwin.model.recipes import Recipe
from tracetwin.support.data import dataclass

MOST_STEPS: Final = 16
"""Calls on one object that are kept."""

MOST_MET: Final = 3000
"""Objects of examples that are looked at."""

MOST_HISTORIES: Final = 60
"""Objects whose histories are kept."""

UNTOLD: Final = Variable("")
"""An argument that can't be told without running what makes it."""

_Key: TypeAlias = "tuple[Recipe, tuple[PreparingCall, ...]]"
"""What makes an object, and what is done on it."""

Told: TypeAlias = Callable[[ast.expr], "Recipe | None"]
"""The recipe of what an expression makes, None where it can't be told."""


@dataclass
class Histories:
    """The objects of a module's examples, on which something is done."""

    _met: dict[int, PreparedObject] = field(default_factory=dict)
    _numbered: dict[_Key, PreparedObject] = field(default_factory=dict)

    def add(self, made: PreparedObject) -> None:
        """Keep an object; more may be done on it later."""
        if len(self._met) < MOST_MET:
            self._met[id(made)] = made

    def distinct(self) -> list[PreparedObject]:
        """Return the objects as they are in the end, in order, none at an earlier point of another's."""
        begun: set[_Key] = set()
        kept: set[int] = set()
        for made in sorted(self._met.values(), key=lambda item: -len(item.calls)):
            steps = tuple(made.calls)
            if (made.construction, steps) not in begun:
                kept.add(id(made))
                begun.update((made.construction, steps[:length]) for length in range(1, len(steps) + 1))
        return [made for place, made in self._met.items() if place in kept][:MOST_HISTORIES]

    def numbered(self, made: PreparedObject) -> PreparedObject:
        """An object as it is now, as far as that is told; equal histories have the same number."""
        told = tuple(itertools.takewhile(lambda step: UNTOLD not in step.given, made.calls))
        number = len(self._numbered) + 1
        found = PreparedObject(number, "", made.construction, list(told))
        return self._numbered.setdefault((made.construction, told), found)


def begun(construction: Call) -> PreparedObject:
    """A new object, on which nothing was done yet."""
    return PreparedObject(0, "", construction, [])


def after(made: PreparedObject, step: PreparingCall) -> PreparedObject:
    """Another object with the same history and one more call."""
    return PreparedObject(0, "", made.construction, [*made.calls, step][:MOST_STEPS])


def copied(made: PreparedObject) -> PreparedObject:
    """Another object with the same history."""
    return PreparedObject(0, "", made.construction, list(made.calls))


def step_of(call: ast.Call, name: str, told: Told) -> PreparingCall | None:
    """Return a call as a step of its receiver, `UNTOLD` for arguments that can't be told; None with stars."""
    if any(isinstance(one, ast.Starred) for one in call.args) or not all(one.arg for one in call.keywords):
        return None
    args = tuple(told(one) or UNTOLD for one in call.args)
    named = ((str(one.arg), told(one.value) or UNTOLD) for one in call.keywords)
    return PreparingCall(name, args, tuple(named))


def parameters(function: FunctionNode) -> list[str]:
    """The names of the parameters of a function that take one value each."""
    spec = function.args
    return [one.arg for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]


def defaults(function: FunctionNode, told: Told) -> dict[str, Recipe]:
    """The defaults of a function's parameters, as far as they can be told."""
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args][::-1]
    pairs = [*zip(positional, spec.defaults[::-1], strict=False)]
    pairs += [(one, value) for one, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value]
    return {one.arg: value for one, node in pairs if (value := told(node)) is not None}


def stores(statement: ast.stmt, told: Told) -> Iterator[tuple[ast.expr, PreparingCall]]:
    """The objects into which a statement stores something, and how: attributes, items, what it deletes."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _stored(target, told(value), told)
        case ast.Delete(targets=targets):
            for target in targets:
                if isinstance(target, ast.Subscript) and (key := told(target.slice)) is not None:
                    yield target.value, PreparingCall("__delitem__", (key,))
        case _:
            return


def _stored(target: ast.expr, value: Recipe | None, told: Told) -> Iterator[tuple[ast.expr, PreparingCall]]:
    if value is None:
        return
    if isinstance(target, ast.Attribute):
        yield target.value, PreparingCall(f"{target.attr}=", (value,))
    elif isinstance(target, ast.Subscript) and (key := told(target.slice)) is not None:
        yield target.value, PreparingCall("__setitem__", (key, value))


def held(recipe: Call) -> Any:
    """Return the function or class that a call calls, None where that is not there."""
    if recipe.module not in sys.modules:
        return None
    try:
        return recipes.lookup(recipe.module, recipe.qualname)
    except AttributeError:
        return None


def owner_of(maker: Any) -> Any:
    """Return the class in the place of one of its class methods, anything else as it is."""
    return maker.__self__ if isinstance(maker, MethodType) else maker


def makes(construction: Recipe, cls: type) -> bool:
    """True if a call makes an instance of a class, as far as its name tells."""
    made = owner_of(held(construction)) if isinstance(construction, Call) else None
    return isinstance(made, type) and issubclass(made, cls)


def is_method(cls: Any, name: str) -> bool:
    """True if instances of a class have a method of that name, written in Python."""
    return inspect.isfunction(inspect.getattr_static(cls, name, None))


def is_fluent(cls: Any, name: str, source: Source, depth: int = 3) -> bool:
    """True if a method or property of a class always returns its receiver, by the text of its module."""
    bases = cls.__mro__ if isinstance(cls, type) else ()
    own = (base for base in bases if base.__module__ == cls.__module__)
    found = (source.function(f"{base.__qualname__}.{name}") for base in own)
    node = next((function for function in found if function is not None), None)
    if node is None or depth == 0:
        return False
    returned = list(_returns(node))
    return bool(returned) and all(_is_receiver(value, cls, source, depth) for value in returned)


def _is_receiver(value: ast.expr | None, cls: Any, source: Source, depth: int) -> bool:
    match value:
        case ast.Name("self"):
            return True
        case ast.Attribute(value=inner, attr=name) | ast.Call(func=ast.Attribute(value=inner, attr=name)):
            return _is_receiver(inner, cls, source, depth) and is_fluent(cls, name, source, depth - 1)
        case _:
            return False


def _returns(node: FunctionNode) -> Iterator[ast.expr | None]:
    """The values that a function returns, without those of functions in it."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        item = waiting.pop()
        if isinstance(item, ast.Return):
            yield item.value
        if not isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(item)
