"""What a target stores on mocks, apart from what they were given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tracetwin.model import recipes
from tracetwin.model.flatten import children
from tracetwin.replay.observe.snap import Camera, Snap, key

_READ = ("attribute", "property")


def mocks_of(case: dict[str, Any]) -> Iterator[Any]:
    """The recipes of the mocks of a case, also of those that others hand out."""
    for step in case["steps"]:
        for part in [*step["args"], *(value for _, value in step["kwargs"])]:
            yield from _within(part)


def _within(recipe: Any) -> Iterator[Any]:
    if recipe[0] == "mock" and not isinstance(recipe[1], int):
        yield recipe
    for part in children(recipe):
        yield from _within(part)


class Stored:
    """Looks at the attributes of mocks.

    Args:
        case: what the mocks belong to.
        bound: its values.
    """

    def __init__(self, case: dict[str, Any], bound: recipes.Bound) -> None:
        self._bound = bound
        self._given = {
            (recipe[1]["number"], name): member["value"]
            for recipe in mocks_of(case)
            for name, member in recipe[2].items()
            if member["kind"] in _READ and member["value"] is not None
        }

    def picture(self, value: Any, camera: Camera) -> Snap:
        """The snapshot of a value; of a mock, what was stored on it."""
        number = camera.number_of(value)
        if number is None:
            return camera.take(value)
        held = getattr(value, "__dict__", {})
        taken = [(name, camera.take(part)) for name, part in held.items()]
        return ("object", "", "", [pair for pair in taken if self._is_new(number, *pair, camera)])

    def reads(self) -> list[tuple[int, str]]:
        """The attributes that each mock was asked for, or given: number and name."""
        mocks = self._bound.mocks.items()
        return [(number, name) for number, mock in mocks for name in getattr(mock, "__dict__", {})]

    def _is_new(self, number: int, name: str, snap: Snap, camera: Camera) -> bool:
        """Whether an attribute is not what the mock has from the beginning, and keeps once it was asked."""
        given = self._given.get((number, name))
        return given is None or key(camera.take(recipes.evaluate(given, self._bound))) != key(snap)
