"""The end of a run: mocks, numbers until then, become recipes of what the run made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from tracetwin.model.case import Step
from tracetwin.model.patch import FunctionPatch, Patch, PatchedCall, StdinPatch
from tracetwin.model.recipe import Change, MockNumber, PreparedObject, PreparingCall, Recipe, replace_children


class RunMock(Protocol):
    """A mock of a run."""

    def recipe(self, settled: Change) -> Recipe:
        """Its recipe after the run; `settled` finishes the recipes inside."""
        ...


class Settling:
    """Finishes the recipes of one run.

    Inside of its own recipe, where a mock gives itself out, the number stays.

    Args:
        mocks: those of the input, by their numbers.
    """

    def __init__(self, mocks: Sequence[RunMock]) -> None:
        self._mocks = mocks
        self._done: dict[int, Recipe] = {}
        self._under_way: set[int] = set()
        self._prepared: dict[int, PreparedObject] = {}

    def steps(self, steps: Iterable[Step]) -> list[Step]:
        """Steps with what the run made of each mock in the place of its number."""
        if not self._mocks:
            return list(steps)
        return [replace(step, args=self._all(step.args), kwargs=self._named(step.kwargs)) for step in steps]

    def patches(self, patches: Iterable[Patch]) -> list[Patch]:
        return list(map(self._patch, patches)) if self._mocks else list(patches)

    def recipe(self, recipe: Recipe) -> Recipe:
        if isinstance(recipe, MockNumber):
            return self._mock(recipe)
        if isinstance(recipe, PreparedObject):
            return self._object(recipe)
        return replace_children(recipe, self.recipe)

    def _patch(self, patch: Patch) -> Patch:
        if isinstance(patch, FunctionPatch):
            calls = tuple(PatchedCall(call.way, self.recipe(call.recipe)) for call in patch.calls)
            return replace(patch, calls=calls)
        return replace(patch, text=self.recipe(patch.text)) if isinstance(patch, StdinPatch) else patch

    def _all(self, recipes: tuple[Recipe, ...]) -> tuple[Recipe, ...]:
        return tuple(map(self.recipe, recipes))

    def _named(self, kwargs: tuple[tuple[str, Recipe], ...]) -> tuple[tuple[str, Recipe], ...]:
        return tuple((name, self.recipe(part)) for name, part in kwargs)

    def _object(self, made: PreparedObject) -> PreparedObject:
        if made.number not in self._prepared:
            found = PreparedObject(made.number, made.hint, self.recipe(made.construction))
            self._prepared[made.number] = found  # what its calls return may be an argument of later ones
            for call in made.calls:
                kwargs = self._named(call.kwargs)
                found.calls.append(PreparingCall(call.name, self._all(call.args), kwargs))
        return self._prepared[made.number]

    def _mock(self, number: MockNumber) -> Recipe:
        place = number.number
        if place in self._under_way:
            return number
        if place not in self._done:
            self._under_way.add(place)
            self._done[place] = self._mocks[place].recipe(self.recipe)
            self._under_way.discard(place)
        return self._done[place]
