"""Recipes as trees: their parts, and the same recipe with other parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tracetwin.model import mock_recipes as tree

_COLLECTIONS = ("list", "tuple", "set", "frozenset")


def parts_of(recipe: Any) -> list[Any]:
    """The recipes directly inside one."""
    kind = recipe[0]
    if kind in _COLLECTIONS:
        return list(recipe[1])
    if kind == "dict":
        return [part for pair in recipe[1] for part in pair]
    if kind == "call":
        return [*recipe[3], *(part for _, part in recipe[4])]
    if kind == "lambda":
        return [recipe[2]]
    return list(tree.parts(recipe)) if kind == "mock" else []


def walk(recipe: Any) -> Iterator[Any]:
    """The recipe and all that is inside, from left to right."""
    yield recipe
    for part in parts_of(recipe):
        yield from walk(part)


def rebuilt(recipe: Any, change: Callable[[Any], Any]) -> Any:
    """The recipe with everything in it changed, from the outside; what became another stays as it is."""
    changed = change(recipe)
    if changed is not recipe:
        return changed
    kind = recipe[0]
    if kind in _COLLECTIONS:
        return (kind, [rebuilt(part, change) for part in recipe[1]])
    if kind == "dict":
        return (kind, [(rebuilt(name, change), rebuilt(part, change)) for name, part in recipe[1]])
    if kind == "call":
        args = [rebuilt(part, change) for part in recipe[3]]
        return (*recipe[:3], args, [(name, rebuilt(part, change)) for name, part in recipe[4]])
    if kind == "lambda":
        return (*recipe[:2], rebuilt(recipe[2], change), *recipe[3:])
    return tree.rebuilt(recipe, lambda part: rebuilt(part, change)) if kind == "mock" else recipe


def given(step: dict[str, Any]) -> list[Any]:
    """The recipes of a step's arguments."""
    return [*step["args"], *(part for _, part in step["kwargs"])]


def given_to(case: dict[str, Any]) -> Iterator[Any]:
    """The recipes of a case: arguments of its steps, results of what is patched."""
    for step in case["steps"]:
        yield from given(step)
    for _, how, what in case.get("patches") or ():
        if how in ("results", "told"):
            yield from (recipe for _, recipe in what)


def mentions(recipe: Any, name: str) -> bool:
    """Whether a bound value is used somewhere inside."""
    return any(part[0] == "var" and part[1] == name for part in walk(recipe))


def speaks_of(step: dict[str, Any], name: str | None) -> bool:
    """Whether a step uses the value bound to that name."""
    if name is None:
        return False
    acts = step["do"][0] != "call" and step["do"][1] == name
    return bool(acts or any(mentions(part, name) for part in given(step)))
