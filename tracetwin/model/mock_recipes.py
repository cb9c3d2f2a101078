"""The recipe of a mock as a tree: the recipes inside, the same with others, and the end of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tracetwin.model.recipes import Recipe

MADE = ("builtins", "mock")
"""What a step calls that only binds a mock, its argument; there is no such function."""

Change = Callable[[Recipe], Recipe]


def parts(recipe: Recipe) -> Iterator[Recipe]:
    """The recipes of values and results in a mock's recipe, in order, after what its constructor gets.

    The arguments of calls are no parts.
    """
    if isinstance(recipe[1], int):
        return
    args, kwargs = recipe[1].get("arguments") or ((), ())
    yield from args
    yield from (part for _, part in kwargs)
    for member in recipe[2].values():
        if member["value"] is not None:
            yield member["value"]
        for call in member["calls"]:
            yield call["outcome"][1]
            yield from (part for _, part in call["effects"])


def rebuilt(recipe: Recipe, change: Change) -> Recipe:
    """The same mock with every part changed."""
    if isinstance(recipe[1], int):
        return recipe
    spec = recipe[1]
    if spec.get("arguments"):
        args, kwargs = spec["arguments"]
        named = [[name, change(part)] for name, part in kwargs]
        spec = {**spec, "arguments": [[change(part) for part in args], named]}
    return (recipe[0], spec, {name: _member(member, change) for name, member in recipe[2].items()})


def _member(member: dict[str, Any], change: Change) -> dict[str, Any]:
    value = member["value"]
    calls = [_call(call, change) for call in member["calls"]]
    return {**member, "value": None if value is None else change(value), "calls": calls}


def _call(call: dict[str, Any], change: Change) -> dict[str, Any]:
    way, outcome = call["outcome"]
    effects = [[place, change(part)] for place, part in call["effects"]]
    return {**call, "outcome": [way, change(outcome)], "effects": effects}


def settled(thing: Any, mocks: Sequence[Any]) -> Any:
    """Steps or recipes with what the run made of each mock in the place of its number.

    Inside of its own recipe, where a mock gives itself out, the number stays.

    Args:
        thing: tuples, lists and dicts that hold recipes.
        mocks: those of the input, by their numbers.
    """
    return _Settling(mocks).settle(thing) if mocks else thing


class _Settling:
    def __init__(self, mocks: Sequence[Any]) -> None:
        self._mocks = mocks
        self._done: dict[int, Recipe] = {}
        self._under_way: set[int] = set()

    def settle(self, thing: Any) -> Any:
        if isinstance(thing, tuple):
            if len(thing) == 2 and thing[0] == "mock" and isinstance(thing[1], int):
                return self._mock(thing[1])
            return thing if thing[:1] == ("lit",) else tuple(map(self.settle, thing))
        if isinstance(thing, list):
            return list(map(self.settle, thing))
        if isinstance(thing, dict):
            return {key: self.settle(value) for key, value in thing.items()}
        return thing

    def _mock(self, number: int) -> Recipe:
        if number in self._under_way:
            return ("mock", number)
        if number not in self._done:
            self._under_way.add(number)
            self._done[number] = self._mocks[number].recipe(self.settle)
            self._under_way.discard(number)
        return self._done[number]
