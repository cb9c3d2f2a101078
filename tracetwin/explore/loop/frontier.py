"""Which open branch side is tried next."""

from __future__ import annotations

import heapq
from dataclasses import field
from typing import Final

from runtime.trace import MEMBERS, Kind
from tracetwin.explore.loop.tree import Flip
from tracetwin.model.status import Status
from tracetwin.support.data import dataclass

_LONGEST_SLEEP: Final = 6

_TURNS: Final = 4
_BUILDING: Final = 2
"""The turn of so many that is for the making of objects that arguments need."""

_LAST: Final = 3
"""Conditions at the end of a path that are taken for what an object failed for."""

_ALTERNATIVES: Final = 1
"""The turn that is for what else an argument of the target could be: handlers of errors have no condition."""

_NEW_PLACES: Final = 3
"""The turn that is for runs which were the first to pass some side, of whatever function."""

_PATIENCE: Final = 12
"""Attempts at a side that only lies on the way, before it waits its turn as others do."""

_QUIET: Final = 30
"""Attempts without a newly covered side after which members of tables have their turns."""

_INNER: Final = 4
"""Attempts at what else an argument could be before one at what it is made of, where it did not do."""


@dataclass
class Side:
    """The open flips that promise one (site, outcome) by one kind of condition, shallowest first.

    Attributes:
        unbuilt: they stem from runs in which an object could not be built.
        towards: a wanted side that none of them promises, but shortly before which they were decided.
        early: they were decided before the call that is explored: while its receiver was made.
        novel: which run they stem from, where that was the first to pass some side, of whatever function.
        mends: they were decided last before an object could not be built; the latest such flip comes first.
        misuse: they stem from runs that only showed that a guess at a type was wrong.
        nesting: how deep in its argument lies what they decide, where another argument is what is wanted:
            what else it could be gets more attempts than what it is made of.
        given_up: questions in a row that had no answer.
        asleep: until which question it waits, as its last ones had none.
        is_alternative: they make an argument of the target, and no part of one, something else.
    """

    site: int
    outcome: int
    kind: int
    unbuilt: bool = False
    towards: int | None = None
    early: bool = False
    novel: int = 0
    mends: bool = False
    misuse: bool = False
    nesting: int = 1
    attempts: int = 0
    given_up: int = 0
    asleep: int = 0
    is_alternative: bool = False
    heap: list[tuple[int, int, Flip]] = field(default_factory=list)


def _is_alternative(kind: int, where: object) -> bool:
    """Return whether a choice is of what an argument of the target is."""
    return kind == Kind.INPUT and isinstance(where, str) and where.removesuffix("?").isidentifier()


class Frontier:
    """Open sides in order: promised uncovered sites first, then untried checks and inputs, then the rest.

    Within a tier the side tried least often comes first, and of its flips the shallowest: a loop that opens
    hundreds of flips of one side can't starve the others. The order follows the coverage as it grows.
    """

    UNCOVERED, UNTRIED, KNOWN, PINNED = range(4)

    def __init__(self, covered: set[int], *, alternatives: bool = False) -> None:
        """Take the sides that are covered, as they grow.

        Args:
            covered: those.
            alternatives: whether what else an argument of the target could be has turns of its own.
        """
        self._covered = covered
        self._alternatives = alternatives
        self._sides: dict[tuple[object, ...], Side] = {}
        self._built = False
        self._fit = False
        self._order = 0
        self._size = 0
        self._popped = 0
        self._last: Side | None = None
        self._since = self._reached = 0

    def __len__(self) -> int:
        return self._size

    def add(self, flip: Flip, towards: int | None = None, novel: int = 0, *, misuse: bool = False) -> None:
        """Put in an open side; `towards`, `novel` and `misuse` as in `Side`."""
        site, outcome = flip.goal
        # What decides the input has no site: each of its variables gets its turn.
        where = site or min(flip.step.node.names, default="")
        unbuilt = flip.run.status is Status.SETUP
        self._built |= not unbuilt
        self._fit |= not (unbuilt or misuse)
        early = bool(flip.run.stages) and flip.index < flip.run.stages[-1]
        # What was decided last is what the object failed for: an `assert`, the `if` around a `raise`.
        mends = unbuilt and flip.depth >= flip.run.depths[-1] - _LAST
        key = (where, outcome, flip.step.kind, unbuilt, towards, early, novel, mends, misuse)
        side = self._sides.get(key)
        if side is None:
            made = Side(site, outcome, flip.step.kind, unbuilt, towards, early, novel, mends, misuse)
            side = self._sides[key] = made
            counts = self._alternatives and not (unbuilt or misuse or early)
            made.is_alternative = counts and _is_alternative(flip.step.kind, where)
            if (unbuilt or misuse) and flip.step.kind == Kind.INPUT and isinstance(where, str):
                made.nesting += _INNER * sum(where.count(part) for part in ".[")
        self._order += 1
        self._size += 1
        heapq.heappush(side.heap, (-self._order if mends else flip.depth, self._order, flip))

    def pop(self, *, late: bool = False) -> tuple[int, Flip] | None:
        """The best open side and its tier, or None.

        `late`: once some run came to the call itself, only those decided in it, and every few times one
        decided before it on which a wanted side hangs.
        """
        if len(self._covered) != self._reached:
            self._since, self._reached = self._popped, len(self._covered)
        best: Side | None = None
        best_rank: tuple[int, ...] = ()
        turn = self._popped % _TURNS
        for side in self._sides.values():
            waits = late and self._built and side.early and not (turn == _BUILDING and self._leads(side))
            if side.heap and not waits:
                rank = self._rank(side, turn)
                if best is None or rank < best_rank:
                    best, best_rank = side, rank
        if best is None:
            return None
        tier = self._tier(best)
        best.attempts += 1
        self._last = best
        self._popped += 1
        self._size -= 1
        return tier, heapq.heappop(best.heap)[2]

    def _rank(self, side: Side, turn: int) -> tuple[int, ...]:
        """The order of sides in a turn: mostly by tier, but new places and objects to be built get theirs."""
        depth = side.heap[0][2].depth
        if turn == _NEW_PLACES and side.novel and not side.attempts and side.asleep <= self._popped:
            return (0, -side.novel, -depth)  # what was decided last led there
        if turn == _ALTERNATIVES and side.is_alternative and not side.attempts:
            return (0, depth)
        if turn == _BUILDING and side.unbuilt:
            return (0, not side.mends, side.attempts, -depth if side.mends else depth)
        return (1, self._tier(side), (side.attempts + 1) * side.nesting, depth)

    def answered(self, *, given_up: bool) -> None:
        """Return whether the solver gave up on what was popped last: its side then waits, longer each time.

        The next turn of a loop poses the question that was too hard in this one.
        """
        side = self._last
        if side is None:
            return
        side.given_up = side.given_up + 1 if given_up else 0
        side.asleep = self._popped + (1 << min(side.given_up, _LONGEST_SLEEP)) if given_up else 0

    def wants(self) -> bool:
        """Return whether the best open side leads to what is not covered."""
        return any(side.heap and self._tier(side) == self.UNCOVERED for side in self._sides.values())

    def pending_goals(self) -> set[tuple[int, int]]:
        """The (site, outcome) pairs that some open side promises."""
        return {(side.site, side.outcome) for side in self._sides.values() if side.heap}

    def _tier(self, side: Side) -> int:
        if side.kind == Kind.PIN:
            return self.PINNED
        if side.asleep > self._popped or (side.unbuilt and self._built):
            return self.KNOWN  # what is known to come to the target leads further
        if side.misuse and side.kind == Kind.INPUT and side.attempts < _PATIENCE:
            return self.UNCOVERED  # where a guess was wrong, the next one may be right
        if side.misuse and self._fit:
            return self.KNOWN
        if self._leads(side):
            return self.UNCOVERED
        if side.site > 0:
            return self.KNOWN if side.site * 2 + side.outcome in self._covered else self.UNCOVERED
        if side.early and side.site < 0 and side.kind != Kind.HINT:
            return self.KNOWN  # how a library makes what it is given, or refuses it, is not what is tested
        if side.kind == Kind.HINT:
            return self._tier_of_member() if side.site in MEMBERS else self.UNTRIED
        if side.kind == Kind.INPUT:
            return self.UNTRIED if side.attempts < 12 else self.KNOWN
        return self.UNTRIED if side.attempts < 2 else self.KNOWN

    def _tier_of_member(self) -> int:
        """Return that of a member of a table: only mutants ask for it, so it waits for what is wanted."""
        return self.KNOWN if self._popped - self._since > _QUIET else self.PINNED

    def _leads(self, side: Side) -> bool:
        """Return whether it is on the way to a wanted side, and was not tried often."""
        return side.towards is not None and side.towards not in self._covered and side.attempts < _PATIENCE
