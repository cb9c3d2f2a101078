"""The mocks of one case: how they are built, how often they are used, and which a test has to speak of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tracetwin.model.recipe_tree import given_to, walk

Called = tuple[int, str]
"""The number of a mock, and a member."""

_SEEN = ("value", "changed", "state", "held", "calls")


class Mocked:
    """What is known of the mocks of a case.

    Args:
        case: its steps.
        seen: what two runs of it had in common.

    Attributes:
        recipes: those of the mocks, by number.
        interfaces: what is known of the classes that they stand for.
        calls: those made on each member, in order.
        told: the members whose calls the test asserts.
        silent: the members of which it asserts that they were not called.
        stored: the attributes that the target gives to each mock.
        unused: those whose results nobody uses.
    """

    def __init__(self, case: dict[str, Any], seen: Mapping[str, Any]) -> None:
        found = [part for recipe in given_to(case) for part in walk(recipe)]
        mocks = [part for part in found if part[0] == "mock"]
        self.recipes: dict[int, Any] = {}
        for part in mocks:
            if not isinstance(part[1], int):
                self.recipes.setdefault(part[1]["number"], part)
        self.uses = Counter(number_of(part) for part in mocks)
        self.interfaces = {tuple(place): told for place, told in seen.get("interfaces", ())}
        self.style = seen.get("mock_style")
        self.calls: dict[Called, list[Any]] = {}
        for call in seen.get("calls", ()):
            self.calls.setdefault((call[0], call[1]), []).append(call)
        self.told: list[Called] = [tuple(one) for one in seen.get("told", ())]
        self.silent: list[Called] = [tuple(one) for one in seen.get("silent", ())]
        self.unused: set[Called] = {tuple(one) for one in seen.get("unused", ())}
        spoken = {number for part in _SEEN for number in _numbers(seen.get(part, ()))}
        same = seen.get("same")
        places = [same, *(path[:2] for part in ("changed", "held") for path, _ in seen.get(part, ()))]
        last = case["steps"][-1]
        self.stored: dict[int, list[str]] = {}
        for path, _ in seen.get("changed", ()):
            for number in _numbers(_at(last, path[:2])) if len(path) > 2 else ():
                self.stored.setdefault(number, []).append(path[2])
        spoken |= {number for place in places if place for number in _numbers(_at(last, place))}
        self.spoken = spoken | {number for number, _ in [*self.told, *self.silent]}

    def asserted(self, number: int) -> list[str]:
        """The members of a mock whose calls, or that there were none, are asserted."""
        return [member for one, member in [*self.told, *self.silent] if one == number]

    def needs_name(self, number: int) -> bool:
        """Whether a test speaks of the mock more than once."""
        return number in self.spoken or self.uses[number] > 1

    def described(self, recipe: Any) -> list[Any]:
        """What is known of its bases, in their order."""
        return [self.interfaces.get(tuple(base), BLANK) for base in recipe[1]["bases"]]

    def member(self, recipe: Any, name: str) -> dict[str, Any] | None:
        """What is known of a member."""
        return next((one["members"][name] for one in self.described(recipe) if name in one["members"]), None)

    def parameters(self, number: int, name: str) -> list[str]:
        """The names of a member's parameters, as far as they are known."""
        known = self.member(self.recipes[number], name)
        return [] if known is None else [row[0] for row in known["parameters"]]


BLANK: dict[str, Any] = {"starts": False, "members": {}}
"""A class of which nothing is known."""


def has_mocks(case: dict[str, Any]) -> bool:
    """Whether there are any in a case."""
    parts = (part for recipe in given_to(case) for part in walk(recipe))
    return any(part[0] == "mock" for part in parts)


def number_of(recipe: Any) -> int:
    """The number of a mock."""
    return int(recipe[1] if isinstance(recipe[1], int) else recipe[1]["number"])


def _numbers(thing: Any) -> Iterator[int]:
    """The mocks that pictures, or recipes, speak of."""
    if isinstance(thing, (list, tuple)):
        if len(thing) in (2, 3) and thing[0] == "mock":
            yield number_of(thing)
        else:
            for part in thing:
                yield from _numbers(part)


def _at(step: dict[str, Any], place: Any) -> Any:
    """The recipe of the argument at a place of an observation."""
    kind, name = place
    if kind == "arg":
        return step["args"][name]
    return dict(step["kwargs"])[name] if kind == "kwarg" else ()
