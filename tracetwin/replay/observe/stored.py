"""Attributes that a target stores on mocks, apart from those that they were given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tracetwin.model import recipes
from tracetwin.model.case import Case
from tracetwin.model.codec import key
from tracetwin.model.recipe import MockRecipe, walk
from tracetwin.model.snapshot import Attributes, Snapshot
from tracetwin.replay.observe.snap import Camera

_READ = ("attribute", "property")


def mocks_of(case: Case) -> Iterator[MockRecipe]:
    """The recipes of the mocks of a case, also of those that others or patched functions hand out."""
    for recipe in case.given():
        yield from (part for part in walk(recipe) if isinstance(part, MockRecipe))


class Stored:
    """Looks at the attributes of mocks.

    Args:
        case: what the mocks belong to.
    """

    def __init__(self, case: Case, bound: recipes.NamedValues) -> None:
        self._bound = bound
        self._given = {
            (mock.number, name): member.value
            for mock in mocks_of(case)
            for name, member in mock.members.items()
            if member.kind in _READ and member.value is not None
        }

    def picture(self, value: Any, camera: Camera) -> Snapshot:
        """The snapshot of a value; of a mock, what was stored on it."""
        number = camera.number_of(value)
        if number is None:
            return camera.take(value)
        held = getattr(value, "__dict__", {})
        taken = [(name, camera.take(part)) for name, part in held.items()]
        return Attributes("", "", tuple(pair for pair in taken if self._is_new(number, *pair, camera)))

    def reads(self) -> tuple[tuple[int, str], ...]:
        """The attributes that each mock was asked for, or given: number and name."""
        mocks = self._bound.mocks.items()
        return tuple((number, name) for number, mock in mocks for name in getattr(mock, "__dict__", {}))

    def _is_new(self, number: int, name: str, snap: Snapshot, camera: Camera) -> bool:
        """True if an attribute is not what the mock has from the beginning, and keeps once it was asked."""
        given = self._given.get((number, name))
        return given is None or key(camera.take(recipes.evaluate(given, self._bound))) != key(snap)
