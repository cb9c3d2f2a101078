"""The switch that the meta-program asks at each site: whether it is the one that is changed now."""

from __future__ import annotations

from typing import Final

AT, WHICH = "__tracetwin_at__", "__tracetwin_which__"
"""The names under which a meta-program finds what it asks."""

ENDLESS: Final = 10_000
"""Sites that a run may pass beyond ten times as many as without a change."""


class Endless(BaseException):
    """A mutant goes on and on. No `Exception`, so that the target does not take it for one of its own."""


class Switch:
    """Which mutant is on, and which sites a run passes.

    Attributes:
        reached: the sites that were passed since `off`.
        steps: how many sites were passed.
    """

    def __init__(self) -> None:
        self.reached: set[int] = set()
        self.steps = 0
        self._site = -1
        self._choice = 0
        self._most = 0

    def off(self) -> None:
        """From now on the program is the original, and the sites that it passes are noted."""
        self.reached = set()
        self.steps = 0
        self._site = -1
        self._most = 0

    def on(self, site: int, choice: int, steps: int) -> None:
        """From now on one site is changed."""
        self._site, self._choice = site, choice
        self.steps = 0
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
        return site == self._site

    def which(self, choice: int) -> bool:
        """Return whether it is that change of the site."""
        return choice == self._choice
