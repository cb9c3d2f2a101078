"""The questions of one exploration to the solver: for an open side, and what a refusal hangs on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from runtime.expr import Node, negate
from runtime.trace import Kind
from tracetwin.explore.loop.borders import Border
from tracetwin.explore.loop.budget import ExplorationStatistics
from tracetwin.explore.loop.goals import GoalLedger
from tracetwin.explore.loop.paths import turned_there, without_loops
from tracetwin.explore.loop.run import Before, PathStep, Run, is_limit, is_precondition
from tracetwin.explore.loop.tree import Flip
from tracetwin.model.status import Status
from tracetwin.solving import HURRIED, Problem, Sat, Solver, Unknown, Unsat


class Questions:
    """Asks, and enters into the ledger what became of each side."""

    def __init__(self, solver: Solver, ledger: GoalLedger, statistics: ExplorationStatistics) -> None:
        self._solver = solver
        self._ledger = ledger
        self._statistics = statistics

    def side(self, flip: Flip, effort: float) -> Sat | Unsat | Unknown:
        """An input that takes an open side; where pinned values forbid it, one that may have others."""
        goal = negate(flip.step.node)
        run = flip.run
        kinds = kinds_asked(flip)
        answer = self._ask(flip, Before(run, flip.index, lambda step: chooses(step, kinds)), goal, effort)
        record = self._ledger.attempt(flip.goal)
        record.bounded += bool(kinds)  # other classes may exist than those that values are made of
        if isinstance(answer, Sat):
            return answer
        if run.first_pin < flip.index:
            unpinned = Before(run, flip.index, lambda step: step.kind == Kind.PIN or chooses(step, kinds))
            answer = self._ask(flip, unpinned, goal, effort)
        if isinstance(answer, Unknown):
            self._statistics.unknowns += 1
            record.unknown.append(answer.reason)
            record.vain += HURRIED not in answer.reason
        elif isinstance(answer, Unsat):
            record.unsat += 1
            record.bounded += self._hangs_on(is_limit, flip, goal, effort)
            record.assumed += self._hangs_on(is_precondition, flip, goal, effort)
        return answer

    def border(self, border: Border) -> Sat | Unsat | Unknown:
        """An input at the border of a comparison; where pinned values forbid it, one that may have others."""
        run, index = border.run, border.index
        answer = self._at(border, Before(run, index, lambda step: False))
        if isinstance(answer, Sat) or run.first_pin >= index:
            return answer
        return self._at(border, Before(run, index, lambda step: step.kind == Kind.PIN))

    def _at(self, border: Border, conditions: Iterable[Node]) -> Sat | Unsat | Unknown:
        self._statistics.queries += 1
        run = border.run
        return self._solver.solve(Problem(conditions, border.goal, run.values, run.sorts, 1.0))

    def in_other_turns(self, flip: Flip, effort: float) -> Sat | Unsat | Unknown | None:
        """An input that takes a side where loops before it turn as often as they need to; None without any.

        A board of one cell has no second one, along the path on which its loops turned once: no condition of
        a loop is asked for. What else lies behind such a loop may differ, so nothing is promised.
        """
        rest = without_loops(flip)
        return None if rest is None else self._ask(flip, rest, negate(flip.step.node), effort)

    def take_back(self, flip: Flip, reason: str) -> None:
        """A question that was given up is asked again."""
        self._statistics.unknowns -= 1
        self._ledger.attempt(flip.goal).unknown.remove(reason)

    def check_promise(self, flip: Flip, run: Run) -> bool:
        """Return whether an input took the side it was solved for, and count it if not (JTestCraft 5.9).

        A longer input has elements that the solver knew nothing of: conditions on its shape promise nothing.
        """
        promised = negate(flip.step.node).ident
        record = self._ledger.attempt(flip.goal)
        if flip.step.node.names & flip.run.structural:
            return True
        if flip.step.kind not in (Kind.BRANCH, Kind.CHECK):
            return True  # another shape of input: its conditions are other ones
        if run.status in (Status.DIED, Status.TIMEOUT, Status.UNFIT):
            return True
        if any(step.node.ident == promised for step in run.path) or turned_there(flip, run):
            record.in_a_row = 0
            return True
        if any(step.kind == Kind.PIN for step in flip.run.path[: flip.index + 1]):
            return True  # the value was lost before: nothing was promised
        self._statistics.divergences += 1
        record.diverged += 1
        record.in_a_row += 1
        return False

    def _hangs_on(self, test: Callable[[PathStep], bool], flip: Flip, goal: Node, effort: float) -> bool:
        """Return whether an unsatisfiable side hangs on such conditions rather than on the program's own."""
        if flip.goal[0] <= 0 or flip.run.first(test) >= flip.index:
            return False
        return not isinstance(self._ask(flip, Before(flip.run, flip.index, test), goal, effort), Unsat)

    def _ask(
        self, flip: Flip, conditions: Iterable[Node], goal: Node, effort: float
    ) -> Sat | Unsat | Unknown:
        self._statistics.queries += 1
        run = flip.run
        return self._solver.solve(Problem(conditions, goal, run.values, run.sorts, effort))


def kinds_asked(flip: Flip) -> frozenset[str]:
    """The choices that a condition of the program is about, since they decide of what class a value is."""
    if flip.step.kind not in (Kind.BRANCH, Kind.HINT):
        return frozenset()
    return frozenset(name for name in flip.step.node.names & flip.run.structural if not name.endswith("#"))


def chooses(step: PathStep, choices: frozenset[str]) -> bool:
    """Return whether a condition only says how a choice was made that the program asks for later."""
    return step.kind == Kind.INPUT and bool(choices) and step.node.names <= choices
