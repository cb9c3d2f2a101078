"""Which open branch side is tried next."""

from __future__ import annotations

import heapq
from collections import Counter

from runtime.trace import Kind
from tracetwin.explore.tree import Flip

Priority = tuple[int, int, int, int]


class Frontier:
    """Open sides in order: promised uncovered sites first, then untried checks and inputs, then the rest.

    The order changes as coverage grows, so an entry is ranked again when it comes up.
    """

    UNCOVERED, UNTRIED, KNOWN, PINNED = range(4)

    def __init__(self, covered: set[int]) -> None:
        self._covered = covered
        self._attempts: Counter[tuple[int, int]] = Counter()
        self._heap: list[tuple[Priority, int, Flip]] = []
        self._order = 0

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, flip: Flip) -> None:
        """Put in an open side."""
        self._order += 1
        heapq.heappush(self._heap, (self._rank(flip), self._order, flip))

    def pop(self) -> tuple[int, Flip] | None:
        """The best open side and its tier, or None."""
        while self._heap:
            rank, order, flip = heapq.heappop(self._heap)
            now = self._rank(flip)
            if now > rank and self._heap and now > self._heap[0][0]:
                heapq.heappush(self._heap, (now, order, flip))
                continue
            self._attempts[flip.goal] += 1
            return now[0], flip
        return None

    def pending_goals(self) -> set[tuple[int, int]]:
        """The (site, outcome) pairs that some open side promises."""
        return {flip.goal for _, _, flip in self._heap}

    def _rank(self, flip: Flip) -> Priority:
        site, outcome = flip.goal
        attempts = self._attempts[flip.goal]
        return (self._tier(flip, site, outcome, attempts), attempts, flip.index, 0)

    def _tier(self, flip: Flip, site: int, outcome: int, attempts: int) -> int:
        kind = flip.step.kind
        if kind == Kind.PIN:
            return self.PINNED
        if site > 0:
            return self.KNOWN if site * 2 + outcome in self._covered else self.UNCOVERED
        if kind == Kind.INPUT:
            return self.UNTRIED if attempts < 12 else self.KNOWN
        return self.UNTRIED if attempts < 2 else self.KNOWN
