"""The mocks of one case: how they are built, how often they are used, and which a test has to speak of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from tracetwin.emit.exhibit import Called, Exhibit
from tracetwin.model.case import Case, Step
from tracetwin.model.observation import DescribedMember, Interface, MockCall, Root, ValuePath
from tracetwin.model.recipe import MockNumber, MockRecipe, Recipe, children, walk
from tracetwin.model.snapshot import Snapshot, within


class Mocked:
    """The mocks of a case, and the interfaces that they stand for.

    Attributes:
        recipes: those of the mocks, by number.
        interfaces: what is known of the classes that they stand for.
        calls: those made on each member, in order.
        told: the members whose calls the test asserts.
        silent: the members of which it asserts that they were not called.
        stored: the attributes that the target gives to each mock.
        unused: those whose results nobody uses.
    """

    def __init__(self, case: Case, seen: Exhibit) -> None:
        mocks = [part for recipe in case.given() for part in walk(recipe) if is_mock(part)]
        self.recipes: dict[int, MockRecipe] = {}
        for part in mocks:
            if isinstance(part, MockRecipe):
                self.recipes.setdefault(part.number, part)
        self.uses = Counter(part.number for part in mocks)
        self.interfaces = {(told.module, told.qualname): told for told in seen.interfaces}
        self.as_class = seen.as_class
        self.calls: dict[Called, list[MockCall]] = {}
        for call in seen.calls:
            self.calls.setdefault((call.number, call.member), []).append(call)
        self.told = [*seen.told, *seen.asked]
        self.silent = list(seen.silent)
        self.unused = seen.unused
        self.stored: dict[int, list[str]] = {}
        for path, _ in seen.changed:
            if path.attribute is not None:
                for number in _at(case.last, path):
                    self.stored.setdefault(number, []).append(path.attribute)
        places = [seen.same, *seen.spoken_of]
        spoken = {number for snap in _shown(seen) for number in _numbers(snap)}
        spoken |= {number for place in places if place is not None for number in _at(case.last, place)}
        self.spoken = spoken | {number for number, _ in [*self.told, *self.silent]}

    def asserted(self, number: int) -> list[str]:
        """The members of a mock whose calls, or that there were none, are asserted."""
        return [member for one, member in [*self.told, *self.silent] if one == number]

    def needs_name(self, number: int) -> bool:
        """Return whether a test speaks of the mock more than once."""
        return number in self.spoken or self.uses[number] > 1

    def described(self, recipe: MockRecipe) -> list[Interface]:
        """Return what is known of its bases, in their order."""
        blank = (Interface(*base, starts=False, members={}) for base in recipe.bases)
        return [self.interfaces.get((one.module, one.qualname), one) for one in blank]

    def member(self, recipe: MockRecipe, name: str) -> DescribedMember | None:
        """Return what is known of a member."""
        return next((one.members[name] for one in self.described(recipe) if name in one.members), None)

    def parameters(self, number: int, name: str) -> list[str]:
        """Return the names of a member's parameters, as far as they are known."""
        known = self.member(self.recipes[number], name)
        return [] if known is None else [parameter.name for parameter in known.parameters]


def is_mock(part: object) -> TypeGuard[MockRecipe | MockNumber]:
    """Return whether a recipe is a mock, or speaks of one."""
    return isinstance(part, (MockRecipe, MockNumber))


def has_mocks(case: Case) -> bool:
    """Return whether there are any in a case."""
    return any(is_mock(part) for recipe in case.given() for part in walk(recipe))


def _shown(seen: Exhibit) -> Iterator[Snapshot]:
    """All snapshots that a test may speak of."""
    yield seen.value
    yield from (snap for _, snap in (*seen.left_behind, *seen.state))
    for call in seen.calls:
        yield from (*call.args, *(snap for _, snap in call.kwargs))


def _numbers(snap: Snapshot) -> Iterator[int]:
    """The mocks that a snapshot speaks of."""
    return (part.number for part in within(snap) if isinstance(part, MockNumber))


def _at(step: Step, path: ValuePath) -> list[int]:
    """The mocks in the argument at the place of an observation, those in the answers of mocks left out."""
    recipe: Recipe | None = None
    if path.root is Root.ARG and isinstance(path.key, int):
        recipe = step.args[path.key]
    elif path.root is Root.KWARG:
        recipe = dict(step.kwargs)[str(path.key)]
    return [] if recipe is None else list(_outermost(recipe))


def _outermost(recipe: Recipe) -> Iterator[int]:
    if is_mock(recipe):
        yield recipe.number
        return
    for part in children(recipe):
        yield from _outermost(part)
