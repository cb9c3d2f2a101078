"""Patches as a test applies them, around a case that is run on the original."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from tracetwin.drawing.environment.uses import CHECKS, MAKES
from tracetwin.model.recipes import Recipe, evaluate, lookup, of_value

Evaluate = Callable[[Recipe], Any]


class Applied:
    """The patches of one case, as a context.

    Attributes:
        spent: the names of functions that were called more often than there are results.
    """

    def __init__(self, patches: Iterable[Any], evaluate: Evaluate = evaluate) -> None:
        """Nothing is patched before it is entered."""
        self._patches = list(patches)
        self._evaluate = evaluate
        self._stack = ExitStack()
        self.spent: list[str] = []
        self._files: dict[str, Any] = {}
        self._told: dict[str, Any] = {}

    def __enter__(self) -> Applied:  # noqa: PYI034 - `Self` came with Python 3.11
        for place, how, what in self._patches:
            put = self._stack.enter_context(_HOW[how](self, place, what))
            if how == "told":
                self._told[place] = put
        return self

    def __exit__(self, *raised: object) -> None:
        self._stack.close()

    def results(self, place: str, outcomes: Sequence[Any]) -> Any:
        """A function that answers its calls in order."""
        from unittest import mock

        if same(outcomes):
            how, recipe = outcomes[0]
            value = self._evaluate(recipe)
            if how == "nothing":
                return mock.patch(place)
            if how == "pick":
                return mock.patch(place, side_effect=lambda options, *_: options[value])
            if how in ("file", "sink"):
                self._files[place] = mock.mock_open(read_data=value)
                return mock.patch(place, self._files[place])
            return mock.patch(place, **{"return_value" if how == "return" else "side_effect": value})
        return mock.patch(place, side_effect=self._in_order(place, list(map(self._outcome, outcomes))))

    def _outcome(self, outcome: tuple[str, Recipe]) -> Any:
        from unittest import mock

        value = self._evaluate(outcome[1])
        return mock.mock_open(read_data=value)() if outcome[0] in ("file", "sink") else value

    def told(self) -> list[tuple[str, str, Any]]:
        """The calls that a test can make assertions about, by the name of the patch.

        ``written``: the recipes of what was written, part by part; ``called``: those of the arguments of the
        one call, by position and by name.
        """
        found: list[tuple[str, str, Any]] = []
        for place, opened in self._files.items():
            parts = [call.args[0] for call in opened.return_value.write.call_args_list if call.args]
            if parts and all(isinstance(part, (str, bytes)) for part in parts):
                found.append((place, "written", [("lit", part) for part in parts]))
        for place, put in self._told.items():
            if len(put.call_args_list) == 1:
                args, kwargs = put.call_args_list[0]
                by_name = [(name, of_value(value)) for name, value in kwargs.items()]
                given = [of_value(value) for value in args], by_name
                if None not in [*given[0], *(part for _, part in by_name)]:
                    found.append((place, "called", given))
        return found

    def stdin(self, place: str, recipe: Recipe) -> Any:
        """The content of standard input."""
        from unittest import mock

        return mock.patch(place, io.StringIO(self._evaluate(recipe)))

    def replaced(self, place: str, owner: tuple[str, str, tuple[str, ...]]) -> Any:
        """A subclass in the place of a class written in C."""
        from unittest import mock

        return mock.patch(place, patchable(lookup(*owner[:2]), owner[2]))

    def awake(self, place: str, holder: str) -> Any:
        """A function that sleeps, wherever a module finds it: nobody is to wait for it."""
        from unittest import mock

        stack = ExitStack()
        module, _, name = place.partition(".")
        if module not in sys.modules:  # nobody has it
            return stack
        real = lookup(module, name)
        names = [name for name, value in vars(sys.modules.get(holder, sys)).items() if value is real]

        def refused(delay: Any, *args: Any, **kwargs: Any) -> Any:
            if delay > 0:
                self.spent.append(place)
                delay = 0
            return real(delay, *args, **kwargs)

        for where in (place, *(f"{holder}.{name}" for name in names)):
            stack.enter_context(mock.patch(where, refused))
        return stack

    def environ(self, _place: str, what: tuple[dict[str, str], bool]) -> Any:
        """Variables of the environment."""
        from unittest import mock

        values, alone = what
        return mock.patch.dict("os.environ", values, clear=alone)

    def _in_order(self, place: str, values: Sequence[Any]) -> Iterator[Any]:
        yield from values
        self.spent.append(place)


def same(outcomes: Sequence[Any]) -> bool:
    """True if all calls of a function end alike."""
    return all(repr(outcome) == repr(outcomes[0]) for outcome in outcomes)


def patchable(cls: Any, uses: Sequence[str]) -> Any:
    """A class whose methods can be patched, which otherwise is like another that is written in C.

    Args:
        cls: the other.
        uses: how it is used besides these methods, see `uses_of`.
    """
    original = cls

    class Like(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, original)

    def new(_cls: Any, *args: Any, **kwargs: Any) -> Any:
        return cls(*args, **kwargs)

    made = Like if CHECKS in uses else type
    return made(f"Patchable{cls.__name__.title()}", (cls,), {"__new__": new} if MAKES in uses else {})


def preload(case: dict[str, Any]) -> None:
    """Import what patches need, for all cases to come."""
    if case.get("patches"):
        import unittest.mock  # noqa: F401 - slow


_HOW: dict[str, Callable[[Applied, str, Any], Any]] = {
    "results": Applied.results,
    "told": Applied.results,
    "environ": Applied.environ,
    "class": Applied.replaced,
    "stdin": Applied.stdin,
    "awake": Applied.awake,
}
