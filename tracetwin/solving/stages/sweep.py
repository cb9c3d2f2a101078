"""Try small ints one after the other: for functions of few ints that no theory follows (remainders, digits).

Where the conditions leave the inputs so few values that all of them can be tried, failure is a proof.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Final

from runtime.expr import Sort
from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat
from tracetwin.solving.arithmetic.intervals import Interval, is_empty
from tracetwin.solving.arithmetic.widths import known_bounds
from tracetwin.solving.program import UNDEFINED
from tracetwin.solving.task import Stage, Task

_COST: Final = 200
"""Instructions that one evaluation may have on average; where they are more, there are fewer evaluations."""

_MOST_INPUTS: Final = 3

_LEAST_EFFORT: Final = 0.5
"""Small ints are cheap to try: a first question may do so too."""


class Sweep(Stage):
    """The stage."""

    def __init__(self, name: str, evaluations: int) -> None:
        self.name = name
        self._evaluations = evaluations

    def attempt(self, task: Task) -> Answer:
        """Vary the ints of the goal, all others as they are."""
        values = dict(task.current)
        given = _given(task)
        values.update(given)
        names = [n for n in (task.names if given else task.goal_names) if task.sorts[n] is Sort.INT]
        names = [name for name in names if name not in given]
        if not 0 < len(names) <= _MOST_INPUTS:
            return Unknown("not a few ints")
        bounds = known_bounds(task)
        ranges = [bounds.get(name, (None, None)) for name in names]
        if any(map(is_empty, ranges)):
            return Unknown("bounds that leave nothing")
        affordable = min(1.0, _COST / (1 + len(task.nodes)))
        budget = int(self._evaluations * affordable * max(_LEAST_EFFORT, task.effort))
        if len(names) == len(task.names) and math.prod(map(_size, ranges)) <= budget:
            return self._all_of(task, names, ranges)
        for chosen in itertools.islice(_points(names, ranges, task), budget):
            values.update(zip(names, chosen, strict=True))
            if task.program.holds(values):
                return Sat(values, self.name)
        return Unknown(f"no small ints in {budget} tries")

    def _all_of(self, task: Task, names: list[str], ranges: list[Interval]) -> Answer:
        values = dict(task.current)
        complete = True
        program = task.program
        for chosen in itertools.product(*map(_values_in, ranges)):
            values.update(zip(names, chosen, strict=True))
            failing = program.first_failing(values)
            if failing == len(program.roots):
                return Sat(values, self.name)
            complete = complete and program.value(program.roots[failing]) is not UNDEFINED
        return Unsat() if complete else Unknown("none of the few values that are left has a meaning")


def _given(task: Task) -> dict[str, object]:
    """The input that the goal itself says the value of: then it is the others that have to fit."""
    if task.goal.op == "eq":
        for one, other in (task.goal.args, reversed(task.goal.args)):
            if one.op == "var" and other.op == "const" and one.sort is other.sort is Sort.INT:
                return {str(one.data): other.data}
    return {}


def _size(bounds: Interval) -> float:
    low, high = bounds
    return float("inf") if low is None or high is None else high - low + 1


def _values_in(bounds: Interval) -> range:
    low, high = bounds
    assert low is not None
    assert high is not None
    return range(low, high + 1)


def _points(names: list[str], ranges: list[Interval], task: Task) -> Iterator[tuple[int, ...]]:
    """Tuples of ints around the current ones and, in turn with them, around the least that are allowed."""
    here = [int(task.current[name]) for name in names]  # type: ignore[call-overload]
    centres = (
        tuple(_nearest(value, bounds) for value, bounds in zip(start, ranges, strict=True))
        for start in ([0] * len(names), here)
    )
    rings = [_spiral(centre, ranges) for centre in dict.fromkeys(centres)]
    for points in itertools.zip_longest(*rings):
        yield from (point for point in points if point is not None)


def _nearest(value: int, bounds: Interval) -> int:
    low, high = bounds
    return low if low is not None and value < low else high if high is not None and value > high else value


def _spiral(centre: tuple[int, ...], ranges: list[Interval]) -> Iterator[tuple[int, ...]]:
    """All points around a centre, which is within the bounds, nearer ones first."""
    for distance in itertools.count():
        found = False
        for point in _ring(centre, ranges, distance):
            found = True
            yield point
        if not found and all(_size(bounds) < distance for bounds in ranges):
            return


def _ring(centre: tuple[int, ...], ranges: list[Interval], distance: int) -> Iterator[tuple[int, ...]]:
    """The points within the bounds that differ from the centre by that much in one place, nowhere by more.

    Only points that are given are gone through: one wide range beside narrow ones leaves few of a large cube.
    """
    if distance == 0:
        yield centre
        return
    for axis, at in enumerate(centre):
        # Ahead of the axis less far, so that a corner comes once.
        others = [
            _around(value, bounds, distance - (place < axis))
            for place, (value, bounds) in enumerate(zip(centre, ranges, strict=True))
        ]
        ends = [value for value in (at + distance, at - distance) if _contains(ranges[axis], value)]
        yield from itertools.product(*others[:axis], ends, *others[axis + 1 :])


def _around(value: int, bounds: Interval, distance: int) -> range:
    """The values within the bounds that are not further away."""
    low, high = bounds
    first, last = value - distance, value + distance
    return range(first if low is None else max(first, low), (last if high is None else min(last, high)) + 1)


def _contains(bounds: Interval, value: int) -> bool:
    low, high = bounds
    return (low is None or low <= value) and (high is None or value <= high)
