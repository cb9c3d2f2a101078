"""A shape widened by what methods make of free receivers of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.loop.run import Executor
from tracetwin.explore.summaries.shapes import FreeShape, shape_of
from tracetwin.explore.summaries.summary import Summaries
from tracetwin.solving import Solver

REFINEMENTS: Final = 3
"""How often a shape is widened."""

PATHS_TO_REFINE: Final = 12


def refined(
    executor: Executor,
    solver: Solver,
    target: str,
    words: Sequence[str],
    heaps: Sequence[Heap],
    module: str,
    budget: Budget,
) -> FreeShape | None:
    """The shape of some states, and of what words make of free receivers of that shape.

    A method that a short sequence does not get through, such as a login, shows on a free receiver what it
    leaves behind.
    """
    seen = list(heaps)
    shape = shape_of(seen, module)
    for _ in range(REFINEMENTS):
        if shape is None or budget.spent():
            break
        summaries = Summaries(executor, solver, target, words, shape, budget, most_paths=PATHS_TO_REFINE)
        for word in words:
            summaries.of(word)
        seen += summaries.heaps()
        wider = shape_of(seen, module)
        if wider is None or wider.shape == shape.shape:
            break
        shape = wider
    return shape
