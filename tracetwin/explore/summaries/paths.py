"""All paths of one request, as far as a bound lets: run, turn one condition round, run again."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Final

from runtime.expr import negate
from runtime.trace import Kind
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.run import Before, Executor, PathStep, Request, Run, is_limit
from tracetwin.explore.loop.tree import ConstraintTree, Flip
from tracetwin.model.status import Status
from tracetwin.solving import Problem, Sat, Solver, Unknown, Unsat
from tracetwin.support.data import dataclass

MOST_PATHS: Final = 30
MOST_TRIES: Final = 3
"""Runs and refuted questions per path that is wanted, before it is enough."""


@dataclass
class Paths:
    """The paths that were found.

    Attributes:
        runs: one run of each, in the order found.
        beyond: runs and places in their paths where another path begins, which takes longer inputs than are
            generated.
        complete: there are no others: nothing was cut, lost, given up, or hangs on a limit of ours.
        why: where it is not complete, the first reason.
    """

    runs: list[Run] = field(default_factory=list)
    beyond: list[tuple[Run, int]] = field(default_factory=list)
    complete: bool = True
    why: str = ""

    def open(self, why: str) -> None:
        """There may be other paths."""
        if self.complete:
            self.complete, self.why = False, why


def all_paths(
    executor: Executor,
    solver: Solver,
    request: Request,
    budget: Budget,
    most: int = MOST_PATHS,
    steady: frozenset[str] = frozenset(),
) -> Paths:
    """Find the paths of a request, the ones with fewer turned conditions first.

    Variables in `steady` keep their value.
    """
    return _Search(executor, solver, budget, most, steady).search(request)


class _Search:
    def __init__(
        self, executor: Executor, solver: Solver, budget: Budget, most: int, steady: frozenset[str]
    ) -> None:
        self._executor = executor
        self._solver = solver
        self._budget = budget
        self._most = most
        self._steady = steady
        self._tree = ConstraintTree()
        self._open: list[tuple[int, int, int, Flip]] = []
        self._tried: Counter[tuple[int, int]] = Counter()
        self._known: set[tuple[object, ...]] = set()
        self._order = 0
        self._tries = 0
        self._found = Paths()

    def search(self, request: Request) -> Paths:
        self._run(request)
        while self._open:
            if len(self._found.runs) >= self._most or self._tries >= self._most * MOST_TRIES:
                self._found.open(f"more than {len(self._found.runs)} paths")
                break
            if self._budget.spent():
                self._found.open("budget spent")
                break
            self._follow(heapq.heappop(self._open)[-1], request)
        return self._found

    def _follow(self, flip: Flip, request: Request) -> None:
        self._tries += 1
        model = self._solved(flip)
        if model is not None:
            self._run(replace(request, assignment=model))

    def _run(self, request: Request) -> None:
        self._budget.take()
        run = self._executor.run(request)
        if run.losses:
            name, line, _ = run.losses[0]
            self._found.open(f"values were lost in {name}, line {line}")
        if run.truncated:
            self._found.open("a path was cut")
        if run.status.is_limit:
            self._found.open(f"a run ended so: {run.status}")
        key = (run.status, run.detail, *(step.node for step in run.path if step.kind != Kind.HINT))
        if not _has_failed(run.status) and key not in self._known:
            self._known.add(key)
            self._found.runs.append(run)
        for flip in self._tree.insert(run):
            if flip.step.node.names <= self._steady:
                self._found.open(f"{min(flip.step.node.names)} was never seen to change")
            elif flip.step.kind != Kind.HINT:  # a choice within one expression makes no other path
                self._push(flip)

    def _push(self, flip: Flip) -> None:
        self._tried[flip.goal] += 1
        self._order += 1
        heapq.heappush(self._open, (self._tried[flip.goal], flip.index, self._order, flip))

    def _solved(self, flip: Flip) -> Mapping[str, object] | None:
        """Values that go the other way."""
        answer = self._ask(flip, pins=True)
        if not isinstance(answer, Sat) and flip.run.first_pin < flip.index:
            answer = self._ask(flip, pins=False)
        if isinstance(answer, Sat):
            return answer.model
        if isinstance(answer, Unknown):
            self._found.open("the solver gave up")
        elif flip.run.first(_is_limit) < flip.index:
            self._check_bounded(flip)
        return None

    def _check_bounded(self, flip: Flip) -> None:
        """Return whether it is only a limit of ours that another path would break."""
        free = Before(flip.run, flip.index, _is_limit)
        if not isinstance(self._asked(flip, free), Unsat):
            self._found.beyond.append((flip.run, flip.index))
            self._found.open("longer inputs than are generated")

    def _ask(self, flip: Flip, *, pins: bool) -> Sat | Unsat | Unknown:
        skipped = (lambda step: False) if pins else (lambda step: step.kind == Kind.PIN)
        return self._asked(flip, Before(flip.run, flip.index, skipped))

    def _asked(self, flip: Flip, conditions: Before) -> Sat | Unsat | Unknown:
        run = flip.run
        return self._solver.solve(Problem(conditions, negate(flip.step.node), run.values, run.sorts))


def _is_limit(step: PathStep) -> bool:
    """Return whether a condition is a limit of ours; the number of alternatives is none."""
    return is_limit(step) and not all(name.endswith("?") for name in step.node.names)


def _has_failed(status: Status) -> bool:
    """Return whether a run tells nothing of a path."""
    return status.is_limit or status is Status.UNFIT
