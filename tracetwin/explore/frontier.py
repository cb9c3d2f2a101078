"""Which open branch side is tried next."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from runtime.trace import Kind
from tracetwin.explore.tree import Flip


@dataclass
class Side:
    """The open flips that promise one (site, outcome) by one kind of condition, shallowest first."""

    site: int
    outcome: int
    kind: int
    attempts: int = 0
    heap: list[tuple[int, int, Flip]] = field(default_factory=list)


class Frontier:
    """Open sides in order: promised uncovered sites first, then untried checks and inputs, then the rest.

    Within a tier the side tried least often comes first, and of its flips the shallowest: a loop that opens
    hundreds of flips of one side can't starve the others. The order follows the coverage as it grows.
    """

    UNCOVERED, UNTRIED, KNOWN, PINNED = range(4)

    def __init__(self, covered: set[int]) -> None:
        self._covered = covered
        self._sides: dict[tuple[object, int, int], Side] = {}
        self._order = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, flip: Flip) -> None:
        """Put in an open side."""
        site, outcome = flip.goal
        # What decides the input has no site: each of its variables gets its turn.
        where = site or min(flip.step.node.names, default="")
        key = (where, outcome, flip.step.kind)
        side = self._sides.get(key)
        if side is None:
            side = self._sides[key] = Side(site, outcome, flip.step.kind)
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
        self._size -= 1
        return best_rank[0], heapq.heappop(best.heap)[2]

    def pending_goals(self) -> set[tuple[int, int]]:
        """The (site, outcome) pairs that some open side promises."""
        return {(side.site, side.outcome) for side in self._sides.values() if side.heap}

    def _tier(self, side: Side) -> int:
        if side.kind == Kind.PIN:
            return self.PINNED
        if side.site > 0:
            return self.KNOWN if side.site * 2 + side.outcome in self._covered else self.UNCOVERED
        if side.kind == Kind.HINT:
            return self.UNTRIED
        if side.kind == Kind.INPUT:
            return self.UNTRIED if side.attempts < 12 else self.KNOWN
        return self.UNTRIED if side.attempts < 2 else self.KNOWN
