"""The constraint tree of one target (JTestCraft 3.3), as far as the search needs it.

A node of the tree is a prefix of conditions; its children are the next conditions seen there. A branch
side is *open* until it is run, proved infeasible or given up.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import Final

from runtime.expr import negate
from runtime.trace import Kind
from tracetwin.explore.loop.run import PathStep, Run
from tracetwin.support.data import dataclass

MOST_OFFERS: Final = 5
"""Paths along which the other side of a hint is opened, until it is seen."""


@dataclass
class Branching:
    """One prefix: the conditions that were seen to follow it, by node number."""

    children: dict[int, Branching] = field(default_factory=dict)
    claimed: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Flip:
    """An unexplored side: go along `run` up to `index` and there the other way."""

    run: Run
    index: int

    @property
    def step(self) -> PathStep:
        return self.run.path[self.index]

    @property
    def depth(self) -> int:
        """Return how many conditions come before it."""
        return self.run.depths[self.index]

    @property
    def goal(self) -> tuple[int, int]:
        """(site, outcome) that the other side promises."""
        return (self.step.site, 1 - self.step.outcome)


class ConstraintTree:
    """All paths run so far."""

    def __init__(self) -> None:
        self._root = Branching()
        self._seen_hints: set[tuple[int, int]] = set()
        self._offered: Counter[tuple[int, int]] = Counter()

    def insert(self, run: Run) -> list[Flip]:
        """Add the path of a run; gives the sides that it opened, in path order."""
        here = self._root
        opened: list[Flip] = []
        for index, step in enumerate(run.path):
            if step.kind == Kind.HINT:
                self._seen_hints.add((step.site, step.outcome))
                flip = Flip(run, index)
                if flip.goal not in self._seen_hints and self._offered[flip.goal] < MOST_OFFERS:
                    self._offered[flip.goal] += 1
                    opened.append(flip)
                continue
            ident = step.node.ident
            if ident not in here.children:
                here.children[ident] = Branching()
            here.claimed.add(ident)
            if step.kind != Kind.ASSUME:
                other = negate(step.node).ident
                if other not in here.claimed:
                    here.claimed.add(other)
                    opened.append(Flip(run, index))
            here = here.children[ident]
        return opened
