"""Local search on the branch distance: for whatever no theory speaks of, and to repair rounded models.

The alternating variable method: one variable at a time, numbers by steps that double while they help,
texts by single edits. Repeatable: the budget counts evaluations, and chance comes from the seed.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

from runtime.expr import Sort
from tracetwin.solving.answers import Answer, Sat, Unknown
from tracetwin.solving.shrink import shrink
from tracetwin.solving.stages.distance import Distance
from tracetwin.solving.stages.moves import Moves, directions, shifted
from tracetwin.solving.task import Stage, Task
from tracetwin.solving.vain import Vain

_SHRINKING = 120
_LEAST = 200
_MOST_PAIRS = 6
_SHARES = 3
_ULPS = (1, 4, 16, 32, 48, 52)


class _Spent(Exception):
    """The budget is used up."""


class _Found(Exception):
    """All conditions hold."""


class Search(Stage):
    """The stage."""

    name = "search"

    def __init__(self, seed: int, budget: int) -> None:
        self._seed = seed
        self._budget = budget
        self._vain = Vain()

    def attempt(self, task: Task) -> Answer:
        """Climb from the near misses of other stages, from the current values, then from chance ones."""
        effort = task.effort * self._vain.part(self.name)
        answer = self._climbed(task, max(_LEAST, int(self._budget * effort)))
        self._vain.note(self.name, answer)
        return answer

    def _climbed(self, task: Task, budget: int) -> Answer:
        climb = _Climb(task, budget)
        chance = random.Random(self._seed)  # noqa: S311 - repeatable on purpose
        try:
            for start in self._starts(task, climb.moves, chance):
                climb.start(start, self._budget // _SHARES)
                climb.to_the_top()
        except _Found:
            return Sat(shrink(task, climb.best, _SHRINKING), self.name)
        except _Spent:
            return Unknown(f"nothing found in {budget} evaluations")
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


def _further(number: Any, by: int) -> Any:
    """A number moved by so many ones; by so many of the next floats where it is too large for that."""
    if isinstance(number, int) or not math.isfinite(number):
        return number + by
    return number + by * max(1.0, math.ulp(number))


class _Climb:
    """One search: the best values so far and their distance."""

    def __init__(self, task: Task, budget: int) -> None:
        self.moves = Moves(task)
        self.best: dict[str, object] = {}
        self._task = task
        self._distance = Distance(task.program)
        self._here = float("inf")
        self._left = budget
        self._until = 0

    def start(self, values: dict[str, object], budget: int) -> None:
        """Begin at some values, from which no more than `budget` evaluations may be spent."""
        self._here = float("inf")
        self._until = self._left - budget
        self._try(values)

    def _try(self, values: dict[str, object]) -> bool:
        """Return whether the values are better; they are then the best."""
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
        while improved and self._left > self._until:
            improved = False
            for name in self._task.names:
                if first and self._jump(name):
                    improved = True
                while self._left > self._until and self._step(name):
                    improved = True
            first = False
            improved = improved or self._step_together()

    def _jump(self, name: str) -> bool:
        kept = [self._set(name, value) for value in self.moves.jumps(self._task.sorts[name])]
        return any(kept)

    def _step(self, name: str) -> bool:
        value = self.best[name]
        for step in directions(value) if not isinstance(value, bool) else ():
            if self._set(name, value + step):  # type: ignore[operator]
                self._accelerate(name, step)
                return True
        if isinstance(value, float) and math.isfinite(value):
            return self._rescale(name)
        return any(self._set(name, other) for other in self.moves.neighbours(value))

    def _rescale(self, name: str) -> bool:
        """Move a float by steps of its last bits, growing while they help: few lead across all sizes."""
        if self._set(name, -self.best[name]):  # type: ignore[operator]
            return True
        for power in _ULPS:
            for steps in (1 << power, -1 << power):
                if self._set(name, shifted(self.best[name], steps)):  # type: ignore[arg-type]
                    while self._set(name, shifted(self.best[name], steps)):  # type: ignore[arg-type]
                        steps *= 2  # noqa: PLW2901 - as far as it helps
                    return True
        return False

    def _step_together(self) -> bool:
        """Move two numbers at once, the same way or against each other: ``a + b`` or ``a - b`` is to stay."""
        numbers = [name for name in self._task.names if type(self.best[name]) in (int, float)]
        for one, other in itertools.islice(itertools.combinations(numbers, 2), _MOST_PAIRS):
            for by, back in itertools.product((1, -1), repeat=2):
                if self._move(one, by, other, back):
                    step = 2
                    while self._move(one, by * step, other, back * step):
                        step *= 2
                    return True
        return False

    def _move(self, one: str, by: int, other: str, back: int) -> bool:
        moved = {one: _further(self.best[one], by), other: _further(self.best[other], back)}
        return self._try({**self.best, **moved})

    def _accelerate(self, name: str, step: float) -> None:
        """Go on in a direction that helped, twice as far each time."""
        while True:
            step = step * 2
            try:
                if not self._set(name, self.best[name] + step):  # type: ignore[operator]
                    return
            except OverflowError:
                return
