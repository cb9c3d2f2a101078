"""All paths of one call on one state: the calls before it go the way they went.

Every condition of the last call is turned round once, the conditions before it held fixed, until no side is
open. Questions about the order of arguments, by far the most, are answered without the solver; a side is
asked for once and a path is run once.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final

from runtime.expr import Node, negate
from runtime.trace import Kind
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.run import Executor, PathStep, Request, Run
from tracetwin.solving import Problem, Sat, Solver, Unknown, Unsat
from tracetwin.solving.arithmetic.ordering import Reader
from tracetwin.solving.arithmetic.path_order import PathOrder
from tracetwin.support.data import dataclass

MOST_SETTLED: Final = 32
"""Sides asked for at one place where a number is settled."""

_TURNED: Final = (Kind.BRANCH, Kind.CHECK, Kind.INPUT)


@dataclass
class ExpansionCosts:
    """The costs of expansions.

    Attributes:
        queries: sides that were asked for.
        solved: those of them for which the solver was needed.
        unknown: those to which it had no answer.
        diverged: runs that did not keep what was solved for.
        cut: calls of which not all paths were run.
    """

    runs: int = 0
    queries: int = 0
    solved: int = 0
    unknown: int = 0
    diverged: int = 0
    cut: int = 0


@dataclass
class _Branching:
    """The conditions seen or asked for after a beginning of the call, and whether a run ended there."""

    following: dict[Node, _Branching] = field(default_factory=dict)
    ended: bool = False


class Expander:
    """Expands calls; keeps what it read of conditions.

    Attributes:
        most: paths of one call at most, None for all of them.
        assumed: conditions on arguments that hold besides those of the paths.
    """

    def __init__(self, executor: Executor, solver: Solver, most: int | None = None) -> None:
        self.spent = ExpansionCosts()
        self.most = most
        self.assumed: tuple[Node, ...] = ()
        self._executor = executor
        self._solver = solver
        self._reader = Reader()

    def expand(
        self, target: str, prefix: tuple[str, ...], values: Mapping[str, object], budget: Budget
    ) -> Iterator[Run]:
        """The runs of all paths of the last word; of the constructor, where there is no word.

        Each comes with the picture of the receiver, where the call returned.
        """
        return _Call(self, target, prefix, budget).runs(values)


class _Call:
    """One call being expanded."""

    def __init__(self, owner: Expander, target: str, prefix: tuple[str, ...], budget: Budget) -> None:
        self._owner = owner
        self._target = target
        self._prefix = prefix
        self._budget = budget
        self._root = _Branching()
        self._before: tuple[Node, ...] | None = None  # the conditions of the state
        self._order = PathOrder(owner._reader)  # noqa: SLF001 - a part of it
        for condition in owner.assumed:
            self._order.take(condition)
        self._settled: Counter[tuple[int, Node]] = Counter()
        self._cut = False
        self._open: deque[tuple[Mapping[str, object], Node | None]] = deque()

    def runs(self, values: Mapping[str, object]) -> Iterator[Run]:
        spent = self._owner.spent
        self._open.append((values, None))
        count = 0
        while self._open:
            if self._budget.spent() or count == self._owner.most:
                self._cut = True
                break
            assignment, promised = self._open.popleft()
            run = self._execute(assignment)
            count += 1
            if promised is not None and all(step.node is not promised for step in run.path):
                spent.diverged += 1
            if not self._is_on_the_way(run):
                spent.diverged += 1
                self._cut = True
                continue
            if self._open_sides(run):
                yield run
        spent.cut += self._cut

    def _execute(self, assignment: Mapping[str, object]) -> Run:
        self._budget.take()
        run = self._owner._executor.run(  # noqa: SLF001
            Request(self._target, self._prefix, assignment, heap=True, bare=True)
        )
        spent = self._owner.spent
        spent.runs += 1
        return run

    def _is_on_the_way(self, run: Run) -> bool:
        """Return whether a run came to the call by the path of the state."""
        if len(run.stages) != 1 + len(self._prefix):
            return False
        before = tuple(step.node for step in run.path[: run.stages[-1]] if step.kind != Kind.HINT)
        if self._before is None:
            self._before = before
            for condition in before:
                self._order.take(condition)
        return before == self._before

    def _open_sides(self, run: Run) -> bool:
        """Ask for the other sides of a path's conditions; False where the path was seen before."""
        here = self._root
        order = self._order.copy()
        for index in range(run.stages[-1], len(run.path)):
            step = run.path[index]
            if step.kind == Kind.HINT:
                continue
            held, other = step.node, negate(step.node)
            known = here.following.get(held)
            if known is None:
                known = here.following[held] = _Branching()
            if other not in here.following and step.kind in _TURNED and self._is_wanted(step):
                here.following[other] = _Branching()
                self._ask(run, index, other, order)
            order.take(held)
            here = known
        is_new, here.ended = not here.ended, True
        return is_new

    def _is_wanted(self, step: PathStep) -> bool:
        """Return whether to ask for the other side; of a number that code takes as it is, not for all.

        It was settled by its bounds where it was needed: ``n <= 16`` and ``n >= 16`` for a list of n items.
        """
        if not _settles(step):
            return True
        key = (step.site, step.node.args[0])
        self._settled[key] += 1
        self._cut = self._cut or self._settled[key] > MOST_SETTLED
        return self._settled[key] <= MOST_SETTLED

    def _ask(self, run: Run, index: int, goal: Node, order: PathOrder) -> None:
        self._owner.spent.queries += 1
        answer = order.solve(goal, run.values) or self._solved(run, index, goal, pinned=True)
        if isinstance(answer, Unsat) and run.first_pin < index:
            answer = self._solved(run, index, goal, pinned=False)
        if isinstance(answer, Sat):
            # Other bounds settle another number, and an input of another shape has other conditions: neither
            # promise is kept word by word.
            is_promise = not (_settles(run.path[index]) or goal.names & run.structural)
            self._open.append((answer.model, goal if is_promise else None))
        elif isinstance(answer, Unknown):
            self._owner.spent.unknown += 1

    def _solved(self, run: Run, index: int, goal: Node, *, pinned: bool) -> Sat | Unsat | Unknown:
        self._owner.spent.solved += 1
        left_out = (Kind.HINT,) if pinned else (Kind.HINT, Kind.PIN)
        conditions = [*self._owner.assumed]
        conditions += [step.node for step in run.path[:index] if step.kind not in left_out]
        solver = self._owner._solver  # noqa: SLF001
        return solver.solve(Problem(conditions, goal, run.values, run.sorts))


def _settles(step: PathStep) -> bool:
    """Return whether a condition is one of the two bounds that settle a number."""
    return step.site < 0 and step.node.op in ("le", "ge") and step.node.args[1].op == "const"
