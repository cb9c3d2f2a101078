"""Repair: make one failing condition true by working back from it to the inputs, then the next.

From the values of the last run, where all holds but the goal, each failing condition says what its operands
should be, down to the inputs (`inverse`). Whatever that breaks is repaired in turn, nearest states first.
Texts taken to pieces (split, groups of a pattern, numbers within them) come out in a few steps where z3's
theory of strings is slow or has no words. Repeatable: the budget counts evaluations.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from typing import Final

from runtime.expr import Node, Sort
from tracetwin.solving.answers import Answer, Sat, Unknown
from tracetwin.solving.inversion.numbers import changes
from tracetwin.solving.inversion.tools import View
from tracetwin.solving.program import UNDEFINED
from tracetwin.solving.shrink import shrink
from tracetwin.solving.stages.distance import Distance
from tracetwin.solving.task import Stage, Task

_SHRINKING: Final = 120
_LEAST: Final = 50
_PER_CONDITION: Final = 80
_CONDITIONS: Final = 3
_LONGEST: Final = 400


class Backward(Stage):
    """The stage."""

    name = "backward"

    def __init__(self, budget: int) -> None:
        self._budget = budget

    def attempt(self, task: Task) -> Answer:
        """Only if there are texts: of numbers z3 knows more."""
        if not any(task.sorts[name] in (Sort.STR, Sort.BYTES) for name in task.names):
            return Unknown("no texts")
        return _Repair(task, max(_LEAST, int(self._budget * task.effort))).run()


class _Repair:
    """One search among assignments, by how much is left to repair."""

    def __init__(self, task: Task, budget: int) -> None:
        self._task = task
        self._program = task.program
        self._distance = Distance(task.program)
        self._view = View(task)
        self._left = budget
        self._order = itertools.count()
        self._seen: set[str] = set()
        self._waiting: list[tuple[float, int, dict[str, object]]] = []

    def run(self) -> Answer:
        """The best state first, until nothing is left to repair or to try."""
        self._enter(dict(self._task.current))
        while self._waiting and self._left > 0:
            _, _, values = heapq.heappop(self._waiting)
            for changed in self._repaired(values):
                if self._enter(changed) == 0.0:
                    return Sat(shrink(self._task, changed, _SHRINKING), Backward.name)
                if self._left <= 0:
                    break
        return Unknown("nothing found on the way back")

    def _enter(self, values: dict[str, object]) -> float:
        """Evaluate, remember; how far it is from a solution."""
        key = repr(values)
        if key in self._seen:
            return 1.0
        self._seen.add(key)
        self._left -= 1
        distance = self._distance.total(values)
        heapq.heappush(self._waiting, (distance, next(self._order), values))
        return distance

    def _repaired(self, values: dict[str, object]) -> Iterator[dict[str, object]]:
        """Assignments in which one of the failing conditions may hold."""
        self._program.run(values)
        proposals: list[tuple[str, object]] = []
        for root in self._failing():
            made = changes(root, True, self._view)
            proposals += itertools.islice(made, _PER_CONDITION)
        for name, value in proposals:
            if not isinstance(value, (str, bytes)) or len(value) <= _LONGEST:
                yield {**values, name: value}

    def _failing(self) -> list[Node]:
        """The goal, if it fails, and the first conditions on the path that do."""
        value = self._program.value
        goal, *rest = self._task.roots
        failing = [root for root in reversed(rest) if value(root) is not UNDEFINED and not value(root)]
        if value(goal) is not UNDEFINED and not value(goal):
            failing.insert(0, goal)
        return failing[:_CONDITIONS]
