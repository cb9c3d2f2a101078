"""Pairs that deduction leaves open, looked for forwards: real objects, one more call at a time.

Shared and circular structures have no free receiver. A state is told from others by the definitions that
are live in it and by the outline of its heap, and then by plain values of attributes; in each new
one every method is called, along a few of its paths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.loop.run import Executor, Request, Run
from tracetwin.explore.summaries.pairs import accesses_of
from tracetwin.explore.summaries.paths import all_paths
from tracetwin.solving import Solver

MOST_RUNS: Final = 3_000
PATHS: Final = 4
"""Paths of one call on one state."""

LONGEST: Final = 12


def forward_runs(
    executor: Executor, solver: Solver, words: Sequence[str], targets: Sequence[str], budget: Budget
) -> Iterator[Run]:
    """Runs of sequences, breadth first; the caller stops when it has seen enough."""
    part = budget.part(MOST_RUNS)

    def paths(target: str, prefix: tuple[str, ...], values: Mapping[str, object], *, bare: bool) -> list[Run]:
        request = Request(target, prefix, values, heap=bare, bare=bare, flow=True)
        return all_paths(executor, solver, request, part, PATHS).runs

    waiting = deque(paths(targets[0], (), {}, bare=True))
    later: deque[Run] = deque()
    known: set[object] = set()
    while (waiting or later) and not part.spent():
        state = waiting.popleft() if waiting else later.popleft()
        if state.heap is None or (fine := (key := _key(state, state.heap), _numbers(state.heap))) in known:
            continue
        if key in known and waiting:
            later.append(state)
            continue
        known.update((key, fine))
        for target in targets:
            yield from paths(target, state.request.prefix, state.values, bare=False)
        if len(state.request.prefix) < LONGEST:
            for word in words:
                waiting.extend(paths(targets[0], (*state.request.prefix, word), state.values, bare=True))


def _numbers(heap: Heap) -> object:
    """The plain values of the receiver's attributes: how full it is, say."""
    attributes = heap[0][2] if heap[0][0] == "object" else ()
    return tuple((name, repr(ref[1])) for name, ref in attributes if ref[0] == "const")


def _key(run: Run, heap: Heap) -> object:
    """Return the live definitions and the outline of a state, which tell it from others."""
    live = {access.attribute: access.place for access in accesses_of(run) if access.defines}
    outline = tuple(
        (cell[0], len(cell[1]) if cell[0] not in ("object", "opaque") else cell[1]) for cell in heap
    )
    return (tuple(sorted(live.items())), outline)
