"""Which open branch side is tried next."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Final

from runtime.trace import Kind
from tracetwin.explore.tree import Flip

_LONGEST_SLEEP: Final = 6

_PATIENCE: Final = 12
"""Attempts at a side that only lies on the way, before it waits its turn as others do."""


@dataclass
class Side:
    """The open flips that promise one (site, outcome) by one kind of condition, shallowest first.

    Attributes:
        unbuilt: they stem from runs in which an object could not be built.
        towards: a wanted side that none of them promises, but shortly before which they were decided.
        given_up: questions in a row that had no answer.
        asleep: until which question it waits, as its last ones had none.
    """

    site: int
    outcome: int
    kind: int
    unbuilt: bool = False
    towards: int | None = None
    attempts: int = 0
    given_up: int = 0
    asleep: int = 0
    heap: list[tuple[int, int, Flip]] = field(default_factory=list)


class Frontier:
    """Open sides in order: promised uncovered sites first, then untried checks and inputs, then the rest.

    Within a tier the side tried least often comes first, and of its flips the shallowest: a loop that opens
    hundreds of flips of one side can't starve the others. The order follows the coverage as it grows.
    """

    UNCOVERED, UNTRIED, KNOWN, PINNED = range(4)

    def __init__(self, covered: set[int]) -> None:
        self._covered = covered
        self._sides: dict[tuple[object, int, int, bool, int | None], Side] = {}
        self._built = False
        self._order = 0
        self._size = 0
        self._popped = 0
        self._last: Side | None = None

    def __len__(self) -> int:
        return self._size

    def add(self, flip: Flip, towards: int | None = None) -> None:
        """Put in an open side; `towards` as in `Side`."""
        site, outcome = flip.goal
        # What decides the input has no site: each of its variables gets its turn.
        where = site or min(flip.step.node.names, default="")
        unbuilt = flip.run.status == "setup"
        self._built |= not unbuilt
        key = (where, outcome, flip.step.kind, unbuilt, towards)
        side = self._sides.get(key)
        if side is None:
            side = self._sides[key] = Side(site, outcome, flip.step.kind, unbuilt, towards)
        self._order += 1
        self._size += 1
        heapq.heappush(side.heap, (flip.index, self._order, flip))

    def pop(self) -> tuple[int, Flip] | None:
        """The best open side and its tier, or None."""
        best: Side | None = None
        best_rank = (0, 0, 0)
        for side in self._sides.values():
            if side.heap:
                rank = (self._tier(side), side.attempts, side.heap[0][0])
                if best is None or rank < best_rank:
                    best, best_rank = side, rank
        if best is None:
            return None
        best.attempts += 1
        self._last = best
        self._popped += 1
        self._size -= 1
        return best_rank[0], heapq.heappop(best.heap)[2]

    def answered(self, *, given_up: bool) -> None:
        """Whether the solver gave up on what was popped last: its side then waits, longer each time.

        The next turn of a loop poses the question that was too hard in this one.
        """
        side = self._last
        if side is None:
            return
        side.given_up = side.given_up + 1 if given_up else 0
        side.asleep = self._popped + (1 << min(side.given_up, _LONGEST_SLEEP)) if given_up else 0

    def wants(self) -> bool:
        """Whether the best open side leads to what is not covered."""
        return any(side.heap and self._tier(side) == self.UNCOVERED for side in self._sides.values())

    def pending_goals(self) -> set[tuple[int, int]]:
        """The (site, outcome) pairs that some open side promises."""
        return {(side.site, side.outcome) for side in self._sides.values() if side.heap}

    def _tier(self, side: Side) -> int:
        if side.kind == Kind.PIN:
            return self.PINNED
        if side.asleep > self._popped or (side.unbuilt and self._built):
            return self.KNOWN  # what is known to come to the target leads further
        if side.towards is not None and side.towards not in self._covered and side.attempts < _PATIENCE:
            return self.UNCOVERED
        if side.site > 0:
            return self.KNOWN if side.site * 2 + side.outcome in self._covered else self.UNCOVERED
        if side.kind == Kind.HINT:
            return self.UNTRIED
        if side.kind == Kind.INPUT:
            return self.UNTRIED if side.attempts < 12 else self.KNOWN
        return self.UNTRIED if side.attempts < 2 else self.KNOWN
