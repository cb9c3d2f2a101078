"""The concolic loop of one target (JTestCraft 3.1): run, pick a branch, solve the other side, run again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from runtime.expr import Node, Sort, negate
from runtime.trace import Kind
from tracetwin.explore.frontier import Frontier
from tracetwin.explore.goals import GoalLedger, Goals
from tracetwin.explore.mutate import mutated, seeded
from tracetwin.explore.run import Assignment, Executor, Request, Run
from tracetwin.explore.simplify import enlivened, simplified
from tracetwin.explore.tree import ConstraintTree, Flip
from tracetwin.solving import Problem, Sat, Solver, Unknown, Unsat

MAX_CASES = 60
"""Ways of combining known sides of which a case is kept, besides those that show something new."""

NO_CASES = frozenset(("unfit", "setup", "died", "timeout", "endless"))
"""How a run ends of which no test can be made."""

UNSTABLE_ENDINGS = frozenset(("RecursionError", "MemoryError"))
"""Exceptions that tell of the machine's limits, not of the program: no test promises them."""

MOST_DIVERGENCES = 4
"""Inputs in a row that broke a side's promise, after which the side is left alone."""

AFTERGLOW = 40
"""Attempts without a finding after every goal is met: exceptions and checks are no goals, but wanted."""

MOST_SIMPLIFIED = 30
"""Cases per target whose inputs are simplified."""

UNKNOWN_COST = 20
"""Attempts that a question counts for which the solver gave up: it took about as long."""

SOLVING_ALONE = 60
"""Attempts without a finding after which neighbours of earlier inputs are run between questions."""

NEIGHBOURS = 4

TEXT_COST = 5
"""The same for a side that was refuted where texts are involved."""

STALE_RUNS = 150
"""Mutated inputs tried without a new finding before the search gives up on what it can't solve."""


@dataclass
class Budget:
    """What an exploration may spend.

    Attributes:
        runs: executions left, or None for no limit of its own.
        deadline: `time.monotonic` value after which no new run starts.
        whole: the budget that this is a part of: spending from one spends from both.
    """

    runs: int | None
    deadline: float
    whole: Budget | None = None

    def spent(self) -> bool:
        """Whether nothing is left."""
        if self.runs is not None and self.runs <= 0:
            return True
        return time.monotonic() >= self.deadline or (self.whole is not None and self.whole.spent())

    def part(self, runs: int | None) -> Budget:
        """A budget of `runs` executions out of this one."""
        return Budget(runs, self.deadline, self)

    def take(self) -> None:
        """Pay for one run."""
        if self.runs is not None:
            self.runs -= 1
        if self.whole is not None:
            self.whole.take()


@dataclass
class Statistics:
    """Counts of one exploration."""

    runs: int = 0
    queries: int = 0
    divergences: int = 0
    unknowns: int = 0
    died: int = 0
    losses: set[tuple[str, int]] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)


class Findings:
    """What the runs of one invokable have shown, whichever explorer made them."""

    def __init__(self) -> None:
        self._endings: set[tuple[str, str, int]] = set()
        self._decisions: set[tuple[int, int]] = set()
        self._signatures: set[object] = set()

    def is_new(self, run: Run, covered: set[int]) -> bool:
        """Whether a run passes a side, takes a decision or ends in a way that none did before."""
        new = (
            run.ending not in self._endings
            or not run.outcomes <= covered
            or not run.decisions <= self._decisions
        )
        self._endings.add(run.ending)
        self._decisions |= run.decisions
        if new:
            self._signatures.add((run.ending, run.outcomes, run.decisions))
        return new

    def is_another(self, run: Run) -> bool:
        """Whether it is one of the first to combine what is known in its way."""
        signature = (run.ending, run.outcomes, run.decisions)
        if signature in self._signatures or len(self._signatures) >= MAX_CASES:
            return False
        self._signatures.add(signature)
        return True


class Explorer:
    """Explores one target behind one prefix of calls.

    Attributes:
        cases: the runs worth keeping.
        complete: every goal is covered, or every path was explored.
        findings: runs that showed something new.
        attempts: inputs and branch sides tried.
        prefix_runs: what an exploration behind a prefix may cost.
    """

    prefix_runs = 60

    def __init__(
        self,
        target: str,
        prefix: tuple[str, ...],
        executor: Executor,
        solver: Solver,
        *,
        goals: Goals,
        constants: Mapping[str, Sequence[object]],
        seed: int = 0,
        statistics: Statistics | None = None,
        findings: Findings | None = None,
        progress: Callable[[], None] = lambda: None,
    ) -> None:
        self.target = target
        self.prefix = prefix
        self.cases: list[Run] = []
        self.complete = False
        self.truncated = False
        self.statistics = statistics or Statistics()
        self.ledger = GoalLedger(goals.operands)
        self._executor = executor
        self._solver = solver
        self._goals = goals
        self._constants = constants
        self._random = random.Random(f"{seed}:{target}:{'/'.join(prefix)}")  # noqa: S311 - no secret
        self._progress = progress
        self._tree = ConstraintTree()
        self._frontier = Frontier(goals.covered)
        self._findings = findings or Findings()
        self.endings: dict[str, int] = {}
        self.findings = 0
        self.attempts = 0
        self._runs: list[Run] = []
        self._fresh: list[Assignment] = [{}]
        self._seeds_added = False
        self._stale = 0

    def explore(self, budget: Budget, patience: int, finer_patience: int) -> None:
        """Go on until the goals are met, everything is explored or the budget is spent.

        Args:
            budget: what may be spent.
            patience: attempts without a finding after which to end.
            finer_patience: the same once nothing but finer sides is missing.
        """
        last, findings = self.attempts, self.findings
        while not budget.spent() and not self.complete:
            if self.findings > findings:
                last, findings = self.attempts, self.findings
            if self.attempts - last >= self._patience(patience, finer_patience):
                return
            self.attempts += 1
            if self._fresh:
                self._execute(self._fresh.pop(0), budget)
            elif not self._seeds_added:
                self._add_seeds()
            elif not self._flip_one(budget) and not self._mutate(budget):
                self.complete = True
            elif self.attempts - last > SOLVING_ALONE:
                self._try_neighbours(budget)

    def _patience(self, patience: int, finer_patience: int) -> int:
        if self._goals.met():
            return min(AFTERGLOW, patience)
        return finer_patience if self._goals.main_met() else patience

    @property
    def exhausted(self) -> bool:
        """Whether every path was explored with nothing lost, cut or given up."""
        stats = self.statistics
        open_ends = len(self._frontier) or self._fresh or self.truncated
        gaps = stats.losses or stats.unknowns or stats.died or stats.divergences
        return not (open_ends or gaps)

    def pending_goals(self) -> set[tuple[int, int]]:
        """Sides still waiting to be tried."""
        return self._frontier.pending_goals()

    def _add_seeds(self) -> None:
        self._seeds_added = True
        if self._runs:
            self._fresh.extend(seeded(self._runs[0], self._constants, limit=6))

    def _execute(self, assignment: Assignment, budget: Budget) -> Run:
        budget.take()
        run = self._executor.run(Request(self.target, self.prefix, assignment))
        self.statistics.runs += 1
        self._note(run)
        self._progress()
        return run

    def _note(self, run: Run) -> None:
        stats = self.statistics
        stats.losses.update(run.losses)
        stats.died += run.status in ("died", "timeout", "endless") or run.detail in UNSTABLE_ENDINGS
        self.truncated |= run.truncated
        for step in run.path:
            if step.site > 0:
                self.ledger.met(step.site)
        for side in run.entailed:
            self.ledger.met(side >> 1)
            self.ledger.attempt((side >> 1, 1 - (side & 1))).unsat += 1
        for flip in self._tree.insert(run):
            self._frontier.add(flip)
        ending = f"{run.status} {run.detail}".strip()
        self.endings[ending] = self.endings.get(ending, 0) + 1
        self._runs.append(run)
        if len(self._runs) > 400:
            del self._runs[100:200]
        self._keep(run)
        self._goals.note(run.outcomes)

    def _keep(self, run: Run) -> None:
        """Keep a run that shows something new: a side, an exception, or another combination of sides."""
        if run.status in NO_CASES or run.detail in UNSTABLE_ENDINGS:
            return
        if self._findings.is_new(run, self._goals.covered):
            self.cases.append(run)
            self._stale = 0
            self.findings += 1
        elif self._findings.is_another(run):
            self.cases.append(run)

    def simplify(self, budget: Budget) -> None:
        """Replace the cases that matter by ones with simpler inputs; the rest stays to choose from."""
        known: dict[tuple[tuple[str, str], ...], Run] = {}

        def execute(assignment: Assignment) -> Run | None:
            key = tuple((name, repr(assignment[name])) for name in sorted(assignment))
            if key not in known:
                if budget.spent():
                    return None
                known[key] = self._execute(assignment, budget)
            return known[key]

        kept = self._essential()
        rest = [run for run in self.cases if run not in kept]
        self.cases = [enlivened(simplified(run, execute), execute) for run in kept] + rest

    def _essential(self) -> list[Run]:
        """A small set of the cases that shows everything that all of them show (greedy)."""
        left = [(run, self._shown(run)) for run in self.cases]
        kept: list[Run] = []
        while left and len(kept) < MOST_SIMPLIFIED:
            run, shown = max(left, key=lambda pair: len(pair[1]))
            if not shown:
                break
            kept.append(run)
            left = [(other, rest - shown) for other, rest in left if other is not run]
        return kept

    def _shown(self, run: Run) -> set[object]:
        return {*run.outcomes, *run.decisions, run.ending}

    def _flip_one(self, budget: Budget) -> bool:
        """Try the best open side; False when none is worth it."""
        chosen = self._frontier.pop()
        if chosen is None:
            return False
        _, flip = chosen
        if self.ledger.attempt(flip.goal).in_a_row >= MOST_DIVERGENCES:
            return True
        answer = self._solve(flip)
        if isinstance(answer, Sat):
            run = self._execute(answer.model, budget)
            self._check_promise(flip, run)
        return True

    def _solve(self, flip: Flip) -> Sat | Unsat | Unknown:
        goal = negate(flip.step.node)
        before = tuple(s for s in flip.run.path[: flip.index] if s.kind != Kind.HINT)
        answer = self._ask(flip, tuple(s.node for s in before), goal)
        record = self.ledger.attempt(flip.goal)
        if isinstance(answer, Sat):
            return answer
        unpinned = tuple(s.node for s in before if s.kind != Kind.PIN)
        if len(unpinned) < len(before):
            answer = self._ask(flip, unpinned, goal)
        if isinstance(answer, Unknown):
            self.statistics.unknowns += 1
            self.attempts += UNKNOWN_COST
            record.unknown.append(answer.reason)
        elif isinstance(answer, Unsat):
            if self._is_about_text(flip):
                self.attempts += TEXT_COST
            record.unsat += 1
            record.bounded += self._only_bounded(flip, goal)
        return answer

    @staticmethod
    def _is_about_text(flip: Flip) -> bool:
        sorts = (flip.run.variables[name][0] for name in flip.step.node.names if name in flip.run.variables)
        return any(sort in (Sort.STR, Sort.BYTES) for sort in sorts)

    def _only_bounded(self, flip: Flip, goal: Node) -> bool:
        """Whether an unsatisfiable side hangs on a limit of ours rather than on the program."""
        free = tuple(
            s.node
            for s in flip.run.path[: flip.index]
            if not (s.kind == Kind.ASSUME and s.node.op in ("le", "lt"))
        )
        if len(free) == flip.index or flip.goal[0] <= 0:
            return False
        return not isinstance(self._ask(flip, free, goal), Unsat)

    def _ask(self, flip: Flip, conditions: tuple[Node, ...], goal: Node) -> Sat | Unsat | Unknown:
        self.statistics.queries += 1
        sorts: dict[str, Sort] = {name: sort for name, (sort, _) in flip.run.variables.items()}
        return self._solver.solve(Problem(conditions, goal, flip.run.values, sorts))

    def _check_promise(self, flip: Flip, run: Run) -> None:
        """Count an input that did not take the side it was solved for (JTestCraft 5.9).

        A longer input has elements that the solver knew nothing of: conditions on its shape promise nothing.
        """
        promised = negate(flip.step.node).ident
        record = self.ledger.attempt(flip.goal)
        if flip.step.node.names & flip.run.structural:
            return
        if flip.step.kind not in (Kind.BRANCH, Kind.CHECK):
            return  # another shape of input: its conditions are other ones
        if run.status in ("died", "timeout", "unfit"):
            return
        if any(s.node.ident == promised for s in run.path) or self._turned_there(flip, run):
            record.in_a_row = 0
            return
        if any(s.kind == Kind.PIN for s in flip.run.path[: flip.index + 1]):
            return  # the value was lost before: nothing was promised
        self.statistics.divergences += 1
        record.diverged += 1
        record.in_a_row += 1

    @staticmethod
    def _turned_there(flip: Flip, run: Run) -> bool:
        """Whether a run follows the old path up to the negated condition and goes on otherwise.

        A settled value says so by other bounds: not ``k <= 0`` reads ``k <= 1, k >= 1`` in the new path.
        """
        before = [s.node for s in flip.run.path[: flip.index] if s.kind in (Kind.BRANCH, Kind.CHECK)]
        here = [s.node for s in run.path if s.kind in (Kind.BRANCH, Kind.CHECK)]
        return here[: len(before)] == before and flip.step.node not in here

    def _try_neighbours(self, budget: Budget) -> None:
        """Solving has not helped for a while: between two questions, some inputs that cost no question."""
        for _ in range(NEIGHBOURS):
            if not budget.spent() and not self.complete:
                self._execute(mutated(self._random.choice(self._runs), self._constants, self._random), budget)

    def _mutate(self, budget: Budget) -> bool:
        """Where values were lost or the solver gave up, try neighbours of what was run; False when stale."""
        stats = self.statistics
        helpless = not (stats.losses or stats.unknowns)
        if self._goals.met() or helpless or self._stale >= STALE_RUNS or not self._runs:
            return False
        self._stale += 1
        base = self._random.choice(self._runs)
        self._execute(mutated(base, self._constants, self._random), budget)
        return True
