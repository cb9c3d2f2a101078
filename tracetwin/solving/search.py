"""Local search on the branch distance: for whatever no theory speaks of, and to repair rounded models.

The alternating variable method: one variable at a time, numbers by steps that double while they help,
texts by single edits. Repeatable: the budget counts evaluations, and chance comes from the seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from runtime.expr import Sort
from tracetwin.solving.answers import Answer, Sat, Unknown
from tracetwin.solving.distance import Distance
from tracetwin.solving.moves import Moves, directions
from tracetwin.solving.shrink import shrink
from tracetwin.solving.task import Task

_SHRINKING = 120


class _Spent(Exception):
    """The budget is used up."""


class _Found(Exception):
    """All conditions hold."""


class Search:
    """The stage."""

    name = "search"

    def __init__(self, seed: int, budget: int) -> None:
        self._seed = seed
        self._budget = budget

    def learn(self, task: Task, answer: Answer) -> None:
        """Nothing to learn."""

    def forget(self) -> None:
        """Nothing to forget."""

    def attempt(self, task: Task) -> Answer:
        """Climb from the near misses of other stages, from the current values, then from chance ones."""
        climb = _Climb(task, self._budget)
        chance = random.Random(self._seed)  # noqa: S311 - repeatable on purpose
        try:
            for start in self._starts(task, climb.moves, chance):
                climb.start(start)
                climb.to_the_top()
        except _Found:
            return Sat(shrink(task, climb.best, _SHRINKING), self.name)
        except _Spent:
            return Unknown(f"nothing found in {self._budget} evaluations")
        return Unknown("nowhere left to search")

    def _starts(self, task: Task, moves: Moves, chance: random.Random) -> Iterator[dict[str, object]]:
        yield from reversed(task.near_misses[-3:])
        yield dict(task.current)
        jumps = {name: moves.jumps(task.sorts[name]) for name in task.names}
        while True:
            start = dict(task.current)
            for name in task.names:
                if name in task.goal_names or chance.random() < 0.3:
                    start[name] = _chance_value(task.sorts[name], jumps[name], chance)
            yield start


def _chance_value(sort: Sort, jumps: list[object], chance: random.Random) -> object:
    roll = chance.random()
    if sort is Sort.INT and roll < 0.4:
        if roll < 0.2 and jumps:
            return chance.choice(jumps) * chance.randint(-9, 9)  # type: ignore[operator]
        return chance.randint(-(10 ** chance.randint(1, 6)), 10 ** chance.randint(1, 6))
    if sort is Sort.FLOAT and roll < 0.4:
        return round(chance.uniform(-1, 1) * 10 ** chance.randint(0, 5), 2)
    if sort in (Sort.STR, Sort.BYTES) and roll < 0.4 and jumps:
        parts = [chance.choice(jumps) for _ in range(chance.randint(1, 3))]
        empty: object = "" if sort is Sort.STR else b""
        return empty.join(parts)  # type: ignore[attr-defined]
    return chance.choice(jumps) if jumps else False


class Nearby(Search):
    """A short search around the current values for problems with texts, on which z3 takes long."""

    name = "nearby"

    def attempt(self, task: Task) -> Answer:
        """Only if there are texts."""
        if not any(task.sorts[name] in (Sort.STR, Sort.BYTES) for name in task.names):
            return Unknown("no texts")
        return super().attempt(task)

    def _starts(self, task: Task, moves: Moves, chance: random.Random) -> Iterator[dict[str, object]]:
        yield dict(task.current)


class _Climb:
    """One search: the best values so far and their distance."""

    def __init__(self, task: Task, budget: int) -> None:
        self.moves = Moves(task)
        self.best: dict[str, object] = {}
        self._task = task
        self._distance = Distance(task.program)
        self._here = float("inf")
        self._left = budget

    def start(self, values: dict[str, object]) -> None:
        """Begin at some values."""
        self._here = float("inf")
        self._try(values)

    def _try(self, values: dict[str, object]) -> bool:
        """Whether the values are better; they are then the best."""
        if self._left <= 0:
            raise _Spent
        self._left -= 1
        distance = self._distance.total(values)
        if distance >= self._here:
            return False
        self.best, self._here = values, distance
        if distance == 0.0:
            raise _Found
        return True

    def _set(self, name: str, value: object) -> bool:
        return self._try({**self.best, name: value})

    def to_the_top(self) -> None:
        """Improve until no single step helps."""
        improved = True
        first = True
        while improved:
            improved = False
            for name in self._task.names:
                if first and self._jump(name):
                    improved = True
                while self._step(name):
                    improved = True
            first = False

    def _jump(self, name: str) -> bool:
        kept = [self._set(name, value) for value in self.moves.jumps(self._task.sorts[name])]
        return any(kept)

    def _step(self, name: str) -> bool:
        value = self.best[name]
        for step in directions(value) if not isinstance(value, bool) else ():
            if self._set(name, value + step):  # type: ignore[operator]
                self._accelerate(name, step)
                return True
        return any(self._set(name, other) for other in self.moves.neighbours(value))

    def _accelerate(self, name: str, step: float) -> None:
        """Go on in a direction that helped, twice as far each time."""
        while True:
            step = step * 2
            try:
                if not self._set(name, self.best[name] + step):  # type: ignore[operator]
                    return
            except OverflowError:
                return
