"""Guess: a bounded number of simple values for each variable of the goal, the others kept as they are.

Most branches compare one input with something, directly or through a linear expression; trying the few
values that matter costs less than asking z3.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from runtime.expr import Sort
from tracetwin.solving.answers import Answer, Sat, Unknown
from tracetwin.solving.constants import FLOATING, SIMPLE, UNUSUAL_FLOATS, UNUSUAL_INTS, ConstantPool
from tracetwin.solving.program import same
from tracetwin.solving.shrink import readable, shrink
from tracetwin.solving.stages.linear import roots_of_goal
from tracetwin.solving.stages.unusual import unusual_bytes, unusual_texts
from tracetwin.solving.task import Task

_SHRINKING: Final = 24
_FLOAT_PAIRS: Final = 3
_EXTREME: Final = (2.0, 1e300, 1e-300, -1e300)


class Candidates:
    """The stage that tries simple values."""

    name = "candidates"

    def __init__(self, per_variable: int = 40, total: int = 160) -> None:
        self._per_variable = per_variable
        self._total = total

    def attempt(self, task: Task) -> Answer:
        """Try values for one goal variable at a time, then equal pairs of them."""
        left = self._total
        program = task.program
        values = dict(task.current)
        pool = ConstantPool(task.goal_nodes)
        wide: ConstantPool | None = None
        for name in task.goal_names:
            if left <= 0:
                break
            sort = task.sorts[name]
            kept = values[name]
            for value in itertools.islice(_proposals(task, name, sort, pool), min(self._per_variable, left)):
                left -= 1
                values[name] = value
                if program.holds(values):
                    return self._found(task, values, name)
            if sort in (Sort.STR, Sort.BYTES):
                wide = wide or ConstantPool(task.nodes)
                for value in itertools.islice(wide.values(sort), min(self._per_variable, max(left, 0))):
                    left -= 1
                    values[name] = value
                    if program.holds(values):
                        return self._found(task, values, name)
            values[name] = kept
        return self._equal_pairs(task, values, left)

    def _found(self, task: Task, values: dict[str, object], name: str) -> Sat:
        """A constant of the conditions may be larger than what it takes."""
        if not readable(values[name]):
            values = shrink(task, values, _SHRINKING)
        return Sat(values, self.name)

    def learn(self, task: Task, answer: Answer) -> None:
        """Nothing to learn."""

    def forget(self) -> None:
        """Nothing to forget."""

    def _equal_pairs(self, task: Task, values: dict[str, object], left: int) -> Answer:
        """Give one variable the value of another: ``a == b``, ``s in t``."""
        for first, second in itertools.islice(itertools.permutations(task.goal_names, 2), max(left, 0)):
            if task.sorts[first] is task.sorts[second] and not same(values[first], values[second]):
                changed = {**values, first: values[second]}
                if task.program.holds(changed):
                    return Sat(changed, self.name)
        return self._unusual_floats(task, values)

    def _unusual_floats(self, task: Task, values: dict[str, object]) -> Answer:
        """Pairs of floats whose sum or product is one of them, infinite, or nothing."""
        names = [name for name in task.names if task.sorts[name] is Sort.FLOAT]
        for pair in itertools.islice(itertools.combinations(names, 2), _FLOAT_PAIRS):
            for chosen in itertools.product(_EXTREME, repeat=2):
                changed = {**values, **dict(zip(pair, chosen, strict=True))}
                if task.program.holds(changed):
                    return Sat(changed, self.name)
        return Unknown("no simple value fits")


def _proposals(task: Task, name: str, sort: Sort, pool: ConstantPool) -> Iterator[object]:
    """Distinct values for one variable, simplest first."""
    seen = {_key(task.current[name])}
    sources: list[Iterator[object]] = [iter(SIMPLE.get(sort, ()))]
    if sort in (Sort.INT, Sort.FLOAT):
        sources.append(roots_of_goal(task, name))
    sources.append(pool.values(sort))
    if sort is Sort.FLOAT:
        sources.append(iter(UNUSUAL_FLOATS))
    if sort is Sort.INT and task.operators & FLOATING:
        sources.append(iter(UNUSUAL_INTS))
    if sort is Sort.STR:
        sources.append(iter(unusual_texts(task.operators)))
    if sort is Sort.BYTES:
        sources.append(iter(unusual_bytes(task.operators)))
    for value in itertools.chain.from_iterable(sources):
        key = _key(value)
        if key not in seen:
            seen.add(key)
            yield value


def _key(value: object) -> tuple[type, str]:
    return (type(value), repr(value))
