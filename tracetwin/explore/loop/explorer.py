"""The concolic loop of one target (JTestCraft 3.1): run, pick a branch, solve the other side, run again."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from runtime.trace import Kind
from tracetwin.explore.loop.budget import Budget, ExplorationStatistics
from tracetwin.explore.loop.findings import Findings
from tracetwin.explore.loop.frontier import Frontier
from tracetwin.explore.loop.goals import GoalLedger, Goals
from tracetwin.explore.loop.growth import Growth
from tracetwin.explore.loop.mutate import NearbyInputs, Remedies, Remembered, seeded
from tracetwin.explore.loop.paths import Otherwise, causes, is_about_text, prepares
from tracetwin.explore.loop.postponed import EFFORTS, Postponed
from tracetwin.explore.loop.questions import Questions
from tracetwin.explore.loop.repeated import patient_run, with_flows
from tracetwin.explore.loop.run import Assignment, Executor, Request, Run
from tracetwin.explore.loop.simplify import with_simpler
from tracetwin.explore.loop.tree import ConstraintTree, Flip
from tracetwin.model.status import Status
from tracetwin.solving import HURRIED, Sat, Solver, Unknown, Unsat

MOST_DIVERGENCES = 4  # inputs in a row that broke a side's promise, after which the side is left alone

LINES_PATIENCE = 250  # attempts without a finding while lines are missing: after a `for`, in an `except`

AFTERGLOW = 40  # attempts without a finding after every goal is met: exceptions and checks are wanted, too

UNKNOWN_COST = 20  # attempts that a question counts for which the solver gave up: it took about as long

SOLVING_ALONE = 60  # attempts in vain after which neighbours of earlier inputs run between questions

TEXT_COST = 5  # attempts that an infeasible branch counts whose condition is about texts

MOST_OTHER_TURNS = 12  # refuted questions for one side that are asked again without those of loops

STALE_RUNS = 150  # mutated inputs tried without a new finding before the search gives up


class Explorer:
    """Explores one target behind one prefix of calls.

    Attributes:
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
        statistics: ExplorationStatistics | None = None,
        findings: Findings | None = None,
        progress: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        lines: Iterable[int] = (),
        ledger: GoalLedger | None = None,
        examples: Iterable[Assignment] = (),
    ) -> None:
        self._clock = clock
        self._lines = frozenset(lines)
        self._missing: frozenset[int] | None = None
        self.target = target
        self.prefix = prefix
        self.cases: list[Run] = []
        self.complete = False
        self.truncated = False
        self.statistics = statistics or ExplorationStatistics()
        self.ledger = ledger or GoalLedger(goals.operands)
        self._executor = executor
        self._questions = Questions(solver, self.ledger, self.statistics)
        self._goals = goals
        self._constants = constants
        self._random = random.Random(f"{seed}:{target}:{'/'.join(prefix)}")  # noqa: S311 - no secret
        self._progress = progress
        self._tree = ConstraintTree()
        self.growth = Growth()
        self._frontier = Frontier(goals.covered, alternatives=goals.handles)
        self._postponed = Postponed()
        self._findings = findings or Findings()
        self.endings: dict[str, int] = {}
        self.findings = 0
        self.attempts = 0
        self._runs = Remembered()
        self._nearby = NearbyInputs(constants, self._random)
        self._passed: set[int] = set()
        self._otherwise = Otherwise()
        self._fresh: list[Assignment] = [{}, *map(dict, examples)]
        self._remedies = Remedies(self._findings.makings)
        self._other_turns: Counter[tuple[int, int]] = Counter()
        self._seeds_added = self._late = False
        self._stale = 0

    def explore(self, budget: Budget, patience: int, finer_patience: int, *, late: bool = False) -> None:
        """Go on until the goals are met, everything is explored or the budget is spent.

        Args:
            budget: what may be spent.
            patience: attempts without a finding after which to end.
            finer_patience: the same once nothing but finer sides is missing.
            late: only sides decided in the call itself are taken, not those of making its receiver.
        """
        self._late = late
        self._postponed.revive(lambda left: not budget.late(budget.deadline - left), self.attempts)
        last, findings = self.attempts, self.findings
        while not budget.spent() and not self.complete:
            if self.findings > findings:
                last, findings = self.attempts, self.findings
            if self.attempts - last >= self._patience(patience, finer_patience):
                if not self._goals.main_met() and self._ask_again(budget, idle=True):
                    continue
                if self._missing is not None or not self._find_missing_lines(budget):
                    return
                last = self.attempts
            turning = self._seeds_added and not self._fresh
            if not self._attempt(budget):
                return
            if turning and self.attempts - last > SOLVING_ALONE:
                self._nearby.ask_some(budget)
            self._try_neighbours(budget)

    def take_up(self, inputs: Iterable[Assignment]) -> None:
        """Run some inputs before anything else."""
        self._fresh.extend(map(dict, inputs))

    def _attempt(self, budget: Budget) -> bool:
        """Try one input or side; False when there is none but those that are left for later."""
        self.attempts += 1
        if self._fresh:
            self._execute(self._fresh.pop(0), budget)
        elif not self._seeds_added:
            self._add_seeds()
        elif self._goals.borders and not self._frontier.wants() and self._run_at_border(budget):
            self.attempts -= 1  # there are few of them, and none is in vain
        elif len(self._otherwise) and not self.attempts % (3 if self._frontier.wants() else 2):
            self._execute(self._otherwise.pop(), budget)
        elif not self._flip_one(budget) and not len(self._otherwise) and not self._mutate(budget):
            self.complete = not len(self._frontier)
            return self.complete
        return True

    def _run_at_border(self, budget: Budget) -> bool:
        """Run an input at the border of a comparison; False where no border waits."""
        borders = self._findings.borders
        border = borders.pop() if borders.kept < self._goals.borders else None
        if border is None:
            return False
        answer = self._questions.border(border)
        if isinstance(answer, Sat):
            kept, run = len(self.cases), self._execute(answer.model, budget)
            simpler = len(self.cases) > kept and not self._goals.all_borders  # it may move off the border
            if run.status.is_answer and run.is_readable and not simpler:
                borders.kept += 1
                self.cases.append(replace(run, found=self._clock()))
        else:
            borders.refused(border)
        return True

    def _patience(self, patience: int, finer_patience: int) -> int:
        if self._goals.met() and self._findings.returned and not self._findings.one_sided:
            return min(LINES_PATIENCE if self._missing else AFTERGLOW, patience)
        return finer_patience if self._goals.main_met() else patience

    def _find_missing_lines(self, budget: Budget) -> bool:
        """Find out which wanted lines no case runs; where there are any, each run is watched from then on."""
        missing = self._lines
        for run in self.cases:
            if not missing or budget.spent():
                break
            budget.take()
            self.statistics.runs += 1
            missing -= self._executor.run(replace(run.request, watched=True)).lines
        self._missing = missing
        return bool(missing)

    @property
    def exhausted(self) -> bool:
        """Return whether every path was explored with nothing lost, cut or given up."""
        stats = self.statistics
        open_ends = len(self._frontier) or self._fresh or len(self._otherwise) or self.truncated
        gaps = stats.losses or stats.unknowns or stats.died or stats.divergences
        return not (open_ends or gaps)

    def pending_goals(self) -> set[tuple[int, int]]:
        """Sides still waiting to be tried."""
        return self._frontier.pending_goals()

    def _add_seeds(self) -> None:
        self._seeds_added = True
        if self._runs:
            self._otherwise.extend(seeded(self._runs.first, self._constants, limit=6))

    def _request(self, assignment: Assignment) -> Request:
        hits, members = self.statistics.strikes, self._goals.borders > 0
        made = Request(self.target, self.prefix, assignment, bool(self._missing))
        return replace(made, hurried=hits.hurried, halvings=hits.halvings, members=members)

    def _execute(self, assignment: Assignment, budget: Budget) -> Run:
        budget.take()
        run = patient_run(self._executor, self._request(assignment), self.statistics.strikes)
        self.statistics.runs += 1
        self._note(run)
        self._progress()
        return run

    def _note(self, run: Run) -> None:
        self.statistics.note(run)
        self.truncated |= run.truncated
        for step in run.path:
            if step.site > 0:
                self.ledger.met(step.site)
        for side in run.entailed:
            self.ledger.met(side >> 1)
            self.ledger.attempt((side >> 1, 1 - (side & 1))).unsat += 1
        near = causes(run, self._goals.all() - self._goals.covered, self._goals.origins)
        new = run.outcomes - self._passed
        self._passed |= new
        novel = self._novelty(run, new)
        self.growth.note(run)
        misuse = run.status is Status.RAISED and self._goals.is_misuse(run)
        for flip in self._opened(run):
            self._frontier.add(flip, near.get(flip.index), novel, misuse=misuse)
        ending = f"{run.status} {run.detail}".strip()
        if run.line and run.status.is_limit:
            ending += f" in line {run.line}"
        self.endings[ending] = self.endings.get(ending, 0) + 1
        self._runs.note(run)
        self._nearby.note(run, first=bool(new) and not run.status.is_unbuilt)
        if self._goals.borders:
            self._findings.borders.note(run, every=self._goals.all_borders)
        self._otherwise.note(run)
        self._fresh += self._remedies.inputs(run)
        if novel:
            self._otherwise.offer(run, self._first_own(run), new)
        if misuse or run.status.is_unbuilt:
            self._goals.note_unbuilt(run.outcomes, run.stop * misuse)
        else:
            self._keep(run)
            self._goals.note(run.outcomes, run.latest)

    def _novelty(self, run: Run, new: frozenset[int]) -> int:
        """A number for a run with prepared objects that is the first to pass some side; 0 for all others.

        What an object's calls do is a way to what is wanted, which none of their sides is itself.
        """
        return self.statistics.runs if new and prepares(run) else 0

    def _first_own(self, run: Run) -> int:
        """Where the part of a path begins of which conditions are turned round."""
        return 0

    def _opened(self, run: Run) -> Iterable[Flip]:
        """The sides that a run opened."""
        return self._tree.insert(run)

    def _neighbour(self, run: Run) -> Assignment:
        """A random neighbour of a run's input."""
        return self._nearby.of(run)

    def _keep(self, run: Run) -> None:
        """Keep a run that shows something new: a side, an exception, or another combination of sides."""
        if not (run.status.is_answer and run.is_readable):
            return
        new_lines = self._missing is not None and not self._missing.isdisjoint(run.lines)
        if new_lines and self._missing:
            self._missing -= run.lines
        by_path = self._goals.by_path
        new = self._findings.is_new(run, self._goals.covered, paths=by_path) or new_lines
        if not (new or self._findings.is_another(run, paths=by_path)):
            return
        if new or by_path:
            run = with_flows(run, self._goals, self._executor, self.statistics)
        if self._findings.is_telling(run, self._goals.flows) or new or self._goals.keeps_others:
            self.cases.append(replace(run, found=self._clock()))
            self._stale = 0 if new else self._stale
            self.findings += new or by_path  # each is worth waiting for the next

    def simplify(self, budget: Budget, matter: Sequence[Run]) -> None:
        """Replace the cases that matter by ones with simpler inputs; the rest stays to choose from."""
        known: dict[tuple[tuple[str, str], ...], Run] = {}

        def execute(assignment: Assignment) -> Run | None:
            key = tuple((name, repr(assignment[name])) for name in sorted(assignment))
            if key not in known:
                if budget.spent():
                    return None
                known[key] = self._execute(assignment, budget)
            return known[key]

        found = len(self.cases)  # what is found on the way stays, as its sides count as covered
        self.cases[:found] = with_simpler(self.cases[:], matter, execute, by_path=self._goals.by_path)

    def _flip_one(self, budget: Budget) -> bool:
        """Try the best open side; False when none is worth it."""
        if not self._frontier.wants() and self._ask_again(budget, idle=not len(self._frontier)):
            return True
        chosen = self._frontier.pop(late=self._late)
        if chosen is None:
            return False
        _, flip = chosen
        if self.ledger.attempt(flip.goal).in_a_row < MOST_DIVERGENCES:
            given_up = self._follow(flip, 0, budget)
            self._frontier.answered(given_up=given_up)
        return True

    def _ask_again(self, budget: Budget, *, idle: bool) -> bool:
        """Take up a question that was given up, with more effort; False when none is due."""
        again = self._postponed.pop(self.attempts, self._leads_on, idle=idle)
        if again is None:
            return False
        flip, level, reason = again
        self._questions.take_back(flip, reason)
        self._follow(flip, level, budget)
        return True

    def _leads_on(self, flip: Flip, level: int) -> bool:
        """Return whether a side is wanted for itself, a finer one not at any price."""
        site, outcome = flip.goal
        side = site * 2 + outcome
        dear = EFFORTS[level] > 1 and side in self._goals.finer
        return site > 0 and side not in self._goals.covered and not dear

    def _follow(self, flip: Flip, level: int, budget: Budget) -> bool:
        """Solve a side and run what was found; whether the solver gave up."""
        answer = self._questions.side(flip, EFFORTS[level])
        if isinstance(answer, Sat):
            run = self._execute(answer.model, budget)
            self.growth.followed(kept=self._questions.check_promise(flip, run), again=level > 0)
            return False
        self.growth.refused(flip, proved=isinstance(answer, Unsat), again=level > 0)
        about_text = is_about_text(flip)
        if about_text:
            self._nearby.ask(budget, unanswered=isinstance(answer, Unknown))
        if not isinstance(answer, Unknown):
            self.attempts += TEXT_COST * about_text
            if self._may_take_other_turns(flip):
                self._try_other_turns(flip, effort=EFFORTS[level], budget=budget)
            return False
        self.attempts += UNKNOWN_COST
        if HURRIED in answer.reason:
            left = budget.deadline - time.monotonic()
            self._postponed.put_off(flip, level, answer.reason, left)
        else:
            self._postponed.put(flip, level, answer.reason, self.attempts)
        return True

    def _may_take_other_turns(self, flip: Flip) -> bool:
        """Return whether a refuted side is worth a question that leaves open how often loops turn."""
        site, outcome = flip.goal
        if not site or flip.step.kind not in (Kind.BRANCH, Kind.CHECK) or not prepares(flip.run):
            return False
        unbuilt = flip.run.status.is_unbuilt
        most = MOST_OTHER_TURNS if unbuilt or site * 2 + outcome not in self._passed else 0
        self._other_turns[flip.goal] += 1
        return self._other_turns[flip.goal] <= most

    def _try_other_turns(self, flip: Flip, effort: float, budget: Budget) -> None:
        """Run an input that takes a side where loops before it turn as often as they need to."""
        answer = self._questions.in_other_turns(flip, effort)
        if isinstance(answer, Sat) and not budget.spent():
            self._execute(answer.model, budget)

    def _try_neighbours(self, budget: Budget) -> None:
        """Where solving did not help: between two questions, some inputs that cost no question."""
        while self._runs and not self.complete and self._nearby.is_due(self.statistics.runs, budget):
            self._run_neighbour(budget)

    def _run_neighbour(self, budget: Budget) -> None:
        """Run a neighbour of an earlier input, if it has any."""
        run, known = self._runs.any(self._random), len(self._passed)
        neighbour = self._neighbour(run)
        if neighbour != run.values:
            self._execute(neighbour, budget)
        self._nearby.tell(found=len(self._passed) > known)

    def _mutate(self, budget: Budget) -> bool:
        """Where values were lost or the solver gave up, try neighbours of what was run; False when stale."""
        stats = self.statistics
        idle = not (stats.losses or stats.unknowns) or (self._goals.met() and not self._missing)
        if idle or self._stale >= STALE_RUNS or not self._runs:
            return False
        self._stale += 1
        self._nearby.guide(budget)
        self._run_neighbour(budget)
        return True
