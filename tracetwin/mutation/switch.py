"""The switch that the meta-program asks at each site: whether it is the one that is changed now."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, TypeVar

from tracetwin.mutation.watches import Key, Lookout, Watch

AT, WHICH, SEE = "__tracetwin_at__", "__tracetwin_which__", "__tracetwin_see__"
"""The names under which a meta-program finds what it asks."""

LEFT_OUT = "__tracetwin_left_out__"
"""The name of the mark that parameters have for a default."""

ENDLESS: Final = 10_000
"""Sites that a run may pass beyond ten times as many as without a change."""


_Value = TypeVar("_Value")


class Endless(BaseException):
    """A mutant goes on and on. No `Exception`, so that the target does not take it for one of its own."""


class Switch:
    """Which mutant is on, and which sites a run passes.

    Attributes:
        reached: the sites that were passed since `off`.
        steps: how many sites were passed.
        hits: how often the one that is changed was passed since `on`.
        places: what looks at values while no mutant is on, by number.
    """

    def __init__(self) -> None:
        self.reached: set[int] = set()
        self.steps = 0
        self.hits = 0
        self.places: Sequence[Lookout] = ()
        self._watches: set[Watch] = set()
        self._site = -1
        self._choice = 0
        self._most = 0

    def off(self) -> None:
        """From now on the program is the original, and the sites that it passes are noted."""
        self.reached = set()
        self.steps = 0
        self._site = -1
        self._most = 0
        for watch in self._watches:
            watch.begin()
        self._watches = set()

    def on(self, site: int, choice: int, steps: int) -> None:
        """From now on one site is changed."""
        self._site, self._choice = site, choice
        self.steps = self.hits = 0
        self._most = 10 * steps + ENDLESS

    def at(self, site: int) -> bool:
        """Return whether that site is changed now.

        Raises:
            Endless: the run has passed far more sites than it does without a change.
        """
        self.steps += 1
        if not self._most:
            self.reached.add(site)
            return False
        if self.steps > self._most:
            raise Endless
        if site == self._site:
            self.hits += 1
            return True
        return False

    def which(self, choice: int) -> bool:
        """Return whether it is that change of the site."""
        return choice == self._choice

    def see(self, number: int, value: _Value, *before: Any) -> _Value:
        """Return a value, which is looked at while no mutant is on."""
        if not self._most:
            place = self.places[number]
            place.see(value, before)
            self._watches.add(place.watch)
        return value

    def needless(self) -> set[Key]:
        """Return the mutants that gave no other value than the original since `off`: all goes as before."""
        for watch in self._watches:
            watch.end()
        return {key for watch in self._watches for key in watch.keys if key not in watch.other}

    def alike(self) -> dict[Key, Hashable]:
        """Return for mutants a mark: those of the same one go the same way, if they are passed only once."""
        return {key: (id(watch), mark) for watch in self._watches for key, mark in watch.alike()}
