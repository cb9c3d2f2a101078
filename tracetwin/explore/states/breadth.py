"""Breadth-first exploration of a class's states: Symstra's, with its table of figures per iteration.

The first states are those that the constructor leaves. In iteration N each method is called with fresh
symbolic arguments on each state that was new in iteration N - 1; the states that its paths lead to are
new unless one subsumes them that is known.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from runtime.expr import Node, Sort, const, make, var
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.loop.run import Executor, Run
from tracetwin.explore.states.canonical import SymbolicState
from tracetwin.explore.states.expansion import Expander
from tracetwin.explore.states.graph import StateGraph
from tracetwin.explore.states.subsumption import StateSet
from tracetwin.model.status import Status
from tracetwin.solving import Solver
from tracetwin.support.data import dataclass

_SETTLED: Final = (Sort.INT, Sort.BOOL, Sort.STR, Sort.BYTES)
"""Of a float no condition says that it is the same: 0.0 equals -0.0, and NaN nothing."""


@dataclass(frozen=True)
class Settings:
    """How to explore.

    Attributes:
        words: what is called on every state, in this order.
        relevant: the attributes of the receiver that tell states apart, None for all.
        subsumption: whether states that stand for fewer receivers than a known one are dropped.
        concrete: whether the values of the runs are compared instead (Rostra's way).
        most_states: after how many states to end, None for no limit.
        most_paths: paths of one call on one state, None for no limit.
        default_receiver: whether the constructor gets its default arguments only; otherwise each of its paths
            leads to a first state.
        owner: the class, as ``module:Class``; where it has instances of its own, those of subclasses, which
            may stand in for them, are left out. "" for whatever there is.
    """

    words: Sequence[str]
    relevant: Collection[str] | None = None
    subsumption: bool = True
    concrete: bool = False
    most_states: int | None = None
    most_paths: int | None = None
    default_receiver: bool = False
    owner: str = ""


@dataclass(frozen=True)
class IterationRow:
    """One iteration.

    Attributes:
        depth: calls since the constructor.
        new: states that were new in it.
        queries: sides of conditions that were asked for.
        solved: those of them that took the solver.
        subsumed: states that it found and a known one subsumes.
        covered: branch sides passed until then.
        complete: whether every path of every call was run.
    """

    depth: int
    new: int
    states: int
    runs: int
    queries: int
    solved: int
    subsumed: int
    seconds: float
    covered: int
    complete: bool


@dataclass(frozen=True)
class BreadthState:
    """A state that calls go on from; there is no heap before the constructor."""

    prefix: tuple[str, ...]
    values: Mapping[str, object]
    heap: Heap | None
    number: int = -1


@dataclass
class _Progress:
    """Figures of the iteration under way."""

    new: int = 0
    subsumed: int = 0
    complete: bool = True
    started: float = 0.0
    frontier: list[BreadthState] = field(default_factory=list)


class Breadth:
    """The exploration of one class.

    Attributes:
        expander: runs the calls, and counts what they cost.
        states: how many states are known.
        outcomes: the branch sides passed, as ``site * 2 + outcome``.
        endings: how calls ended: ``returned``, or the exception, and how often.
        losses: callables, with line and module, in which values were lost: paths behind may be missing.
        stopped: why it ended before its depth was reached, "" where it did not.
        graph: the states and the calls between them.
    """

    def __init__(
        self,
        executor: Executor,
        solver: Solver,
        target: str,
        settings: Settings,
        *,
        wanted: Callable[[int], bool] = lambda side: True,
        progress: Callable[[Breadth], None] = lambda breadth: None,
    ) -> None:
        """Begin with no state.

        Args:
            executor: runs requests.
            solver: answers the questions that are not about order alone.
            target: the qualified name of any method of the class.
            settings: see there.
            wanted: whether a branch side counts as coverage.
            progress: called after each call on a state.
        """
        self.expander = Expander(executor, solver, settings.most_paths)
        self.states = 0
        self.outcomes: set[int] = set()
        self.endings: dict[str, int] = {}
        self.losses: set[tuple[str, int, str]] = set()
        self.stopped = ""
        self.graph = StateGraph()
        self.depth = 0
        self.waiting = 0
        self._target = target
        self._settings = settings
        self._wanted = wanted
        self._progress = progress
        self._known = StateSet(
            settings.relevant, concrete=settings.concrete, subsumption=settings.subsumption
        )

    def explore(self, depth: int, budget: Budget) -> Iterator[IterationRow]:
        """One row after each iteration, the constructor's first; it ends early where nothing is new."""
        frontier = [BreadthState((), {}, None)]
        for iteration in range(depth + 1):
            self.depth = iteration
            now = _Progress(started=time.monotonic())
            before = (self.expander.spent.runs, self.expander.spent.queries, self.expander.spent.solved)
            words = self._settings.words if iteration else ("",)
            for place, state in enumerate(frontier):
                self.waiting = len(frontier) - place
                for word in words:
                    self._call(state, word, budget, now)
                    self._progress(self)
            if not iteration:
                self._leave_out_subclasses(now)
            yield self._row(iteration, now, before)
            frontier = now.frontier
            if self.stopped or not frontier:
                return

    def _call(self, state: BreadthState, word: str, budget: Budget, now: _Progress) -> None:
        if self.stopped:
            return
        prefix = (*state.prefix, word) if word else state.prefix
        cut = self.expander.spent.cut
        paths = self.expander.expand(self._target, prefix, state.values, budget)
        if not word and self._settings.default_receiver:
            paths = itertools.islice(paths, 1)
        for run in paths:
            if not word and self._settings.default_receiver:
                self.expander.assumed = _held(run)
            self._note(run)
            if run.status is Status.RETURNED and run.heap is not None:
                self._take(run, run.heap, state, now)
            if self._settings.most_states is not None and self.states >= self._settings.most_states:
                self.stopped = "the most states that are wanted are known"
                now.complete = False
                return
        now.complete = now.complete and self.expander.spent.cut == cut
        if budget.spent():
            self.stopped = "the time is up"
            now.complete = False

    def _leave_out_subclasses(self, now: _Progress) -> None:
        own = [state for state in now.frontier if state.heap and state.heap[0][1] == self._settings.owner]
        if own:
            now.new = self.states = len(own)
            now.frontier = own
            self.graph.keep({state.number for state in own})

    def _note(self, run: Run) -> None:
        self.outcomes.update(side for side in run.outcomes if self._wanted(side))
        self.losses.update(run.losses)
        ending = f"{run.status} {run.detail}".strip()
        self.endings[ending] = self.endings.get(ending, 0) + 1

    def _take(self, run: Run, heap: Heap, before: BreadthState, now: _Progress) -> None:
        # A call that changed nothing leaves the state that it found, with more conditions on it.
        settings = self._settings
        same = heap == before.heap and settings.subsumption and not settings.concrete
        state = SymbolicState.of(run, self.expander.assumed)
        is_new = not same and self._known.add(state)
        number, prefix = before.number if same else self._known.met, run.request.prefix
        self.graph.note(before.number, number, prefix, new=is_new)
        if not is_new:
            now.subsumed += 1
            return
        self.states += 1
        now.new += 1
        now.frontier.append(BreadthState(prefix, run.values, heap, number))
        self.graph.add(number, prefix, state)

    def _row(self, depth: int, now: _Progress, before: tuple[int, int, int]) -> IterationRow:
        spent = self.expander.spent
        return IterationRow(
            depth,
            now.new,
            self.states,
            spent.runs - before[0],
            spent.queries - before[1],
            spent.solved - before[2],
            now.subsumed,
            time.monotonic() - now.started,
            len(self.outcomes),
            now.complete,
        )


def _held(run: Run) -> tuple[Node, ...]:
    """Conditions that hold the arguments of a run at what they are."""
    return tuple(
        make("eq", Sort.BOOL, (var(name, sort), const(value)))
        for name, (sort, value) in run.variables.items()
        if sort in _SETTLED
    )
