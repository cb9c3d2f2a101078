"""Exploring one call on a state: the calls before it go the way they went (Symstra, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from tracetwin.explore.loop.explorer import Explorer
from tracetwin.explore.loop.findings import stage_name
from tracetwin.explore.loop.frontier import Frontier
from tracetwin.explore.loop.growth import Growth
from tracetwin.explore.loop.mutate import Remembered, seeded
from tracetwin.explore.loop.paths import Otherwise, prepares
from tracetwin.explore.loop.postponed import Postponed
from tracetwin.explore.loop.run import Assignment, Request, Run
from tracetwin.explore.loop.tree import ConstraintTree, Flip
from tracetwin.model.status import Status


class StageExplorer(Explorer):
    """Explores the last call of a sequence.

    Conditions of the earlier calls hold in every question, and none of them is turned round: their other
    sides are other states.
    """

    def __init__(
        self,
        target: str,
        prefix: tuple[str, ...],
        *arguments: Any,
        start: Mapping[str, object],
        bare: bool,
        taken: Callable[[Run], None],
        **options: Any,
    ) -> None:
        """Begin.

        Args:
            target: whose receiver it is, and what is called last, unless `bare`.
            prefix: the words before; of a bare sequence the last one is what is explored.
            arguments: see `Explorer`.
            start: the input that reaches the state.
            bare: see `Request`.
            taken: told of every run.
            options: see `Explorer`.
        """
        super().__init__(target, prefix, *arguments, **options)
        self._start = dict(start)
        own = stage_name(prefix) if bare and prefix else ""
        known = [{**{own + n: v for n, v in known.items()}, **start} for known in self._findings.inputs]
        self._fresh = [self._start, *(known if own or not bare else ())]
        self._bare = bare
        self._taken = taken
        self._stages = 1 + len(prefix) + (not bare)

    @property
    def is_hard(self) -> bool:
        """Return whether its first input led nowhere, and objects of it can be prepared by calls."""
        runs = self._runs
        return bool(runs) and runs.first.status.is_unbuilt and any(map(prepares, runs.all))

    @property
    def is_reached(self) -> bool:
        """Return whether its first input led to a state."""
        return bool(self._runs) and self._runs.first.status is Status.RETURNED

    def close(self) -> None:
        """Forget all but the cases: the call is not explored any further on this state."""
        self._tree = ConstraintTree()
        self._frontier = Frontier(self._goals.covered, alternatives=self._goals.handles)
        self._postponed, self.growth = Postponed(), Growth()
        self._runs, self._fresh, self._otherwise = Remembered(), [], Otherwise()

    def _request(self, assignment: Assignment) -> Request:
        return replace(super()._request(assignment), heap=True, bare=self._bare)

    def _opened(self, run: Run) -> Iterable[Flip]:
        if len(run.stages) < self._stages:
            return []  # an earlier call went another way
        return [flip for flip in self._tree.insert(run) if flip.index >= run.stages[-1]]

    def _first_own(self, run: Run) -> int:
        return run.stages[-1] if len(run.stages) >= self._stages else len(run.path)

    def _note(self, run: Run) -> None:
        super()._note(run)
        self._taken(run)

    def _add_seeds(self) -> None:
        self._seeds_added = True
        if self._runs:
            found = seeded(self._runs.first, self._constants, limit=6)
            self._otherwise.extend(self._of_this_call(seed) for seed in found)

    def _neighbour(self, run: Run) -> Assignment:
        return self._of_this_call(super()._neighbour(run))

    def _of_this_call(self, assignment: Assignment) -> Assignment:
        """An input in which the earlier calls get what they had."""
        return {**assignment, **self._start}
