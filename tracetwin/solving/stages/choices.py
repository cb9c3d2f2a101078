"""Try all values where conditions are about choices and truths only: of what class a value is, say.

The order in which they are tried is one of preference: the first alternative of each choice before the next,
what exists before what would have to be made (Dsc+Mock, section 4.2).
"""

from __future__ import annotations

import itertools
import math

from runtime.expr import Sort
from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat
from tracetwin.solving.arithmetic.widths import known_bounds
from tracetwin.solving.program import UNDEFINED
from tracetwin.solving.task import Stage, Task

MOST_COMBINATIONS = 2000
"""Evaluations of a problem; twelve truths are more."""


class Choices(Stage):
    """The stage."""

    name = "choices"

    def attempt(self, task: Task) -> Answer:
        """Go through all combinations of values."""
        if not all(sort in (Sort.INT, Sort.BOOL) for sort in task.sorts.values()):
            return Unknown("not only choices")
        domains = _domains(task)
        if domains is None or math.prod(map(len, domains)) > MOST_COMBINATIONS:
            return Unknown("not only choices")
        values, program = dict(task.current), task.program
        complete = True
        for combination in itertools.product(*domains):
            values.update(zip(task.names, combination, strict=True))
            failing = program.first_failing(values)
            if failing == len(program.roots):
                return Sat(values, self.name)
            complete = complete and program.value(program.roots[failing]) is not UNDEFINED
        return Unsat() if complete else Unknown("where they have a meaning, they don't fit")


def _domains(task: Task) -> list[range | tuple[bool, bool]] | None:
    """The values of each variable, preferred ones first; None where one has too many."""
    bounds = known_bounds(task)
    domains: list[range | tuple[bool, bool]] = []
    for name in task.names:
        low, high = bounds.get(name, (None, None))
        if task.sorts[name] is Sort.BOOL:
            domains.append((False, True))
        elif low is None or high is None or high - low >= MOST_COMBINATIONS:  # no `len` beyond a machine word
            return None
        else:
            domains.append(range(low, high + 1))
    return domains
