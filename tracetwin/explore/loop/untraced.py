"""Exploring what can't be looked into: constants of the code as inputs, then neighbours of those that helped.

No condition is known and nothing is solved. What guides the search is which lines an input ran: one that
reached a new line is kept, and changed further.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.explorer import Explorer
from tracetwin.explore.loop.goals import Goals, Side
from tracetwin.explore.loop.mutate import NAMES_OF_SORTS, mutated
from tracetwin.explore.loop.run import Assignment, Run
from tracetwin.solving import Problem, Sat, Unknown, Unsat

MOST_SEEDS = 200
MOST_CONSTANTS = 20
"""Constants tried one by one in each variable."""

PATIENCE = 4
"""How much longer than a search that knows conditions this one goes on without a finding."""

METHOD_PATIENCE = 100
"""Attempts without a finding at a method, after which other calls before it are tried."""


SHAPES = (1, 3)
"""Lengths and choices tried one by one, together with their neighbours."""


class LineGoals(Goals):
    """Lines as goals; where a function that no test calls directly is reached, its lines become goals too."""

    def __init__(self, lines: Iterable[int], private: Iterable[Sequence[int]]) -> None:
        super().__init__((_side(line) for line in lines), ())
        self._private = [frozenset(map(_side, group)) for group in private]

    def note(self, outcomes: frozenset[Side], latest: frozenset[Side] | None = None) -> None:
        for group in self._private:
            if group & outcomes:
                self.main |= group
        self.covered |= outcomes


def _side(line: int) -> Side:
    return line * 2 + 1


class NoSolver:
    """Stands where no question is ever asked."""

    def solve(self, problem: Problem) -> Sat | Unsat | Unknown:
        return Unknown("nothing is known of conditions")


class BlindExplorer(Explorer):
    """Finds inputs without knowing any condition."""

    prefix_runs = 240

    def _add_seeds(self) -> None:
        super()._add_seeds()
        if self._runs:
            self._fresh.extend(list(_single_seeds(self._runs.first, self._constants))[:MOST_SEEDS])

    def _flip_one(self, budget: Budget) -> bool:
        return False

    def _mutate(self, budget: Budget) -> bool:
        """Change an input that showed something new, or any other now and then; False without inputs."""
        if not self._runs or not self._runs.first.variables:
            return False
        known = self.cases if self.cases and self._random.random() < 0.8 else self._runs.all
        self._execute(mutated(self._random.choice(known), self._constants, self._random), budget)
        return True

    def _patience(self, patience: int, finer_patience: int) -> int:
        has_receiver = bool(self._runs) and len(self._runs.first.plain_steps) > 1
        patience = min(patience, METHOD_PATIENCE) if has_receiver and not self.prefix else patience * PATIENCE
        return super()._patience(patience, finer_patience)


def _single_seeds(run: Run, constants: Mapping[str, Sequence[object]]) -> Iterator[Assignment]:
    """Inputs in which one variable takes a constant of the code, or a number beside one."""
    tried: set[tuple[str, str]] = set()
    for place in range(MOST_CONSTANTS):
        for name, (sort, _) in run.variables.items():
            row = SHAPES if name in run.structural else constants.get(NAMES_OF_SORTS.get(sort, ""), ())
            for value in _around(row[place]) if place < len(row) else ():
                if (name, repr(value)) not in tried:
                    tried.add((name, repr(value)))
                    yield {**run.values, name: value}


def _around(constant: object) -> tuple[object, ...]:
    if isinstance(constant, (int, float)) and not isinstance(constant, bool):
        return constant, constant + 1, constant - 1
    return (constant,)


def any_prefixes(callable_names: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    """Sequences of one and two methods, where nothing is known of what they influence."""
    singles = [(name,) for name in callable_names]
    pairs = ((first, second) for first in callable_names for second in callable_names)
    return itertools.islice(itertools.chain(singles, pairs), most)
