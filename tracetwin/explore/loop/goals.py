"""The sides to be reached, and the verdict on each that was not: infeasible, gave up, spent, not found."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from tracetwin.analysis.misuse import CLUMSY, Speaking, is_of_module, is_of_own_making
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.explore.loop.run import Run

Side = int
"""``site * 2 + outcome``."""


class Goals:
    """The sides that an exploration wants to take; shared by all explorers of one invokable.

    Attributes:
        covered: every side passed so far, of whatever function.
        misused: sides that runs passed which only showed that a guess at a type was wrong, and how.
        main: sides of conditions that are jumps of the program (coverage.py counts them).
        entered: the sites that the invokable's own calls passed, in whatever function.
        own: the sides of the invokable's own body, whatever else is wanted.
        finer: sides of operands and conditional expressions, wanted too but not at any price.
        borders: of how many inputs at the borders of comparisons a case is wanted, too.
        all_borders: the floats next to a border, and borders of comparisons that are no conditions, are
            wanted as well.
        paths: each path is wanted, with loops that turn up to twice.
        vectors: each way in which operands decide a condition is wanted.
        flows: the definitions and uses of variables that are wanted, as entries of runs.
        by_path: runs are told apart by their paths, whether each of these is wanted or what happens on it.
        origins: the names of parameters and attributes that come to the condition at a site, with the steps.
        handles: whether the invokable's own body handles errors: to a handler leads no condition.
    """

    def __init__(
        self,
        main: Iterable[Side],
        finer: Iterable[Side],
        helpers: Mapping[int, tuple[Side, ...]] | None = None,
        operands: Mapping[int, Sequence[int]] | None = None,
        *,
        borders: int = 0,
        all_borders: int = False,
        paths: int = False,
        vectors: int = False,
        flows: frozenset[str] = frozenset(),
        by_path: bool = False,
        speaking: Speaking | None = None,
        target: str = "",
        origins: Callable[[int], Mapping[str, int]] = lambda _: {},
        handles: bool = False,
    ) -> None:
        """Start with nothing covered.

        Args:
            main: see the class.
            finer: see the class.
            helpers: for sites of functions that no test calls directly the sides that become goals where the
                site is reached, since only callers can take them.
            operands: the sites of the operands of each condition made of `and`, `or` and `not`.
            borders: see the class.
            all_borders: see the class.
            paths: see the class.
            vectors: see the class.
            flows: see the class.
            by_path: see the class; so it is where paths are wanted.
            speaking: what the module says of errors that wrong types lead to, where types were guessed and
                such errors are not wanted.
            target: the qualified name of the invokable.
            origins: see the class.
            handles: see the class.
        """
        self.covered: set[Side] = set()
        self.misused: dict[Side, str] = {}
        self.entered = set[int]()
        self.main = set(main)
        self.finer = set(finer)
        self.own = frozenset(self.main)
        self.operands = operands or {}
        self.borders = borders
        self.all_borders = bool(all_borders)
        self.paths = bool(paths)
        self.vectors = vectors
        self.flows = flows
        self.by_path = by_path or self.paths
        self.origins = origins
        self.handles = handles
        self._helpers = dict(helpers or {})
        self._speaking = speaking
        self._target = target

    @property
    def keeps_others(self) -> bool:
        """Return whether a run that only combines what is known in its own way makes a case."""
        return self.paths or not self.by_path

    def is_misuse(self, run: Run) -> bool:
        """Return whether the exception that ended a run only shows that a guess at a type was wrong."""
        speaking, kind = self._speaking, run.detail
        if speaking is None or kind not in CLUMSY or run.is_stated:
            return False
        if is_of_module(kind, run.said) or is_of_own_making(run.said):
            return False
        return not speaking.expects(kind, run.line, self._target)

    def note(self, outcomes: frozenset[Side], latest: frozenset[Side] | None = None) -> None:
        """Take in the sides that a run passed; `latest` are those of the invokable's own call."""
        for side in outcomes if latest is None else latest:
            site = side >> 1
            if site not in self.entered:
                self.entered.add(site)
                self.main.update(self._helpers.get(site, ()))
        self.covered |= outcomes

    def want_too(self, sides: Iterable[Side]) -> None:
        """Want sides that explorations of other functions missed, where calls of this one pass the site."""
        for side in sides:
            site, wanted = side >> 1, self._helpers.get(side >> 1, ())
            if side not in wanted:
                self._helpers[site] = (*wanted, side)
            if site in self.entered:
                self.main.add(side)

    def note_unbuilt(self, outcomes: frozenset[Side], misuse: str = "") -> None:
        """Take in the sides that a run passed of which no test will exist: it never came to its target, say.

        What is wanted stays so; the rest is no news any more. `misuse` is the error that was one, see
        `Run.stop`.
        """
        wanted = self.all()
        if misuse:
            self.misused.update((side, misuse) for side in outcomes if side not in self.misused)
        self.covered |= {side for side in outcomes if side not in wanted and side >> 1 not in self._helpers}

    def met(self) -> bool:
        """Return whether nothing is missing."""
        return self.main <= self.covered and self.finer <= self.covered

    def main_met(self) -> bool:
        """Return whether nothing but finer sides is missing."""
        return self.main <= self.covered

    def all(self) -> set[Side]:
        return self.main | self.finer


class Obstacle(enum.Enum):
    """Reasons why a side of a condition was not taken."""

    INFEASIBLE = "infeasible (proved)"
    BOUNDED = "no input within the limits of generated inputs"
    ASSUMED = "no input that keeps the preconditions was found to lead here"
    GAVE_UP = "solver gave up"
    SPENT = "budget spent"
    REFUTED = "excluded on each path that was asked about; not all paths are known"
    NOT_FOUND = "no input or sequence of calls that was tried leads here"
    CONCRETE = "condition did not depend on the arguments in any run"


@dataclass
class SideAttempts:
    """The answers to all attempts at one side; `vain` ones are those that had time and no answer."""

    unsat: int = 0
    vain: int = 0
    bounded: int = 0
    assumed: int = 0
    diverged: int = 0
    in_a_row: int = 0
    unknown: list[str] = field(default_factory=list)


class GoalLedger:
    """Book of attempts by (site, outcome)."""

    def __init__(self, operands: Mapping[int, Sequence[int]]) -> None:
        self._attempts: dict[tuple[int, int], SideAttempts] = defaultdict(SideAttempts)
        self._symbolic: set[int] = set()
        self._operands = operands

    def met(self, site: int) -> None:
        """The condition at this site was symbolic once."""
        self._symbolic.add(site)

    def attempt(self, goal: tuple[int, int]) -> SideAttempts:
        """The record of one side."""
        return self._attempts[goal]

    def unanswered(self) -> dict[tuple[int, int], int]:
        """Return the sides of the program to which the solver had no answer, with how often that was so."""
        return {goal: one.vain for goal, one in self._attempts.items() if one.vain and goal[0] > 0}

    def fate(
        self, goal: tuple[int, int], pending: set[tuple[int, int]], exhausted: bool
    ) -> tuple[Obstacle, str]:
        """The fate of an untaken side of a site that was reached, with a detail.

        `exhausted` says that every path was explored and no value was lost on the way: only then is an
        unsatisfiable side proved infeasible.
        """
        site, _ = goal
        operands = self._operands.get(site, ())
        sides = [goal, *((operand, outcome) for operand in operands for outcome in (0, 1))]
        tried = [self._attempts[side] for side in sides if side in self._attempts]
        for attempts in tried:
            if attempts.unknown:
                return Obstacle.GAVE_UP, attempts.unknown[-1]
        if any(side in pending for side in sides):
            return Obstacle.SPENT, ""
        if not self._symbolic.intersection((site, *operands)):
            return Obstacle.CONCRETE, ""
        if any(attempts.bounded for attempts in tried):
            return Obstacle.BOUNDED, ""
        if any(attempts.assumed for attempts in tried):
            return Obstacle.ASSUMED, ""
        refuted = any(attempts.unsat for attempts in tried) and not any(a.diverged for a in tried)
        if refuted:
            return (Obstacle.INFEASIBLE if exhausted else Obstacle.REFUTED), ""
        return Obstacle.NOT_FOUND, ""
