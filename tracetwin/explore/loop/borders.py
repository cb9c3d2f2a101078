"""Borders of ordered comparisons: questions for inputs at which both operands are equal, or one apart.

What is wrong by one is wrong there (White and Cohen, "A Domain Strategy for Computer Program Testing", 1980).
Each border of a comparison is asked for once, along the first path that met it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from runtime.expr import Node, Sort, apply2, const
from runtime.trace import Kind
from tracetwin.explore.loop.run import PathStep, Run

ORDERED: Final = frozenset(("lt", "le", "gt", "ge"))
_NUMBERS: Final = frozenset((Sort.INT, Sort.FLOAT))
_DISTANCES: Final = (0, 1, -1)

MOST_WAITING: Final = 200
"""Questions that wait at the same time; borders found beyond them are asked for when they are met again."""


@dataclass(frozen=True)
class Border:
    """An input that is wanted: go along `run` up to `index`, and have `goal` hold there."""

    run: Run
    index: int
    goal: Node


class Borders:
    """The borders that the runs of one invokable have met; its explorers share them."""

    def __init__(self) -> None:
        """None was met."""
        self._known: set[tuple[int, int]] = set()
        self._waiting: deque[Border] = deque()

    def note(self, run: Run) -> None:
        """Take in the comparisons of a run."""
        if run.status.is_unbuilt:
            return
        for index, step in enumerate(run.path):
            if step.site > 0 and step.kind == Kind.BRANCH:
                self._note_step(run, index, step)

    def _note_step(self, run: Run, index: int, step: PathStep) -> None:
        node = step.node.args[0] if step.node.op == "not" else step.node
        if node.op not in ORDERED or not {arg.sort for arg in node.args} <= _NUMBERS:
            return
        left, right = node.args
        whole = left.sort is right.sort is Sort.INT
        for distance in _DISTANCES if whole else (0,):
            key = (step.site, distance)
            if key not in self._known and len(self._waiting) < MOST_WAITING:
                self._known.add(key)
                there = apply2("add", Sort.INT, right, const(distance)) if distance else right
                self._waiting.append(Border(run, index, apply2("eq", Sort.BOOL, left, there)))

    def pop(self) -> Border | None:
        """Return the next border to be asked for, None where there is none."""
        return self._waiting.popleft() if self._waiting else None
