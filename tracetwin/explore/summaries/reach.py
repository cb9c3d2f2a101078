"""States that are really reached by a few short sequences: what the shape of a free receiver is read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.loop.run import Executor, Request, Run
from tracetwin.explore.summaries.paths import all_paths
from tracetwin.solving import Solver

PATHS_PER_WORD: Final = 5
SECOND_WORDS: Final = 40
"""Pairs of words that are run."""


def reached(
    executor: Executor,
    solver: Solver,
    target: str,
    words: Sequence[str],
    budget: Budget,
    fixed: Mapping[str, object] | None = None,
) -> list[Heap]:
    """The states after the receiver's making, after each word, and after some pairs of words."""
    start = dict(fixed or {})

    def states(prefix: tuple[str, ...], assignment: Mapping[str, object], most: int) -> list[Run]:
        request = Request(target, prefix, {**start, **assignment}, heap=True, bare=True)
        runs = all_paths(executor, solver, request, budget, most).runs
        return [run for run in runs if run.heap is not None]

    found = states((), {}, PATHS_PER_WORD)
    firsts: list[Run] = []
    for word in words:
        if budget.spent():
            break
        firsts += states((word,), {}, PATHS_PER_WORD)
    found += firsts
    pairs = [(run, word) for word in words for run in firsts]
    step = max(1, len(pairs) // SECOND_WORDS)
    for run, word in pairs[::step]:
        if budget.spent():
            break
        found += states((*run.request.prefix, word), run.values, 2)
    return [run.heap for run in found if run.heap is not None]
