"""The explorations of one module in an explorer process: each can be gone on with."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from runtime import expr
from tracetwin.explore.criteria.base import Shard, criterion_named
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.shard_log import ShardLog
from tracetwin.explore.objects.classes import space_of
from tracetwin.explore.objects.exploration import Exploration, ExplorationOutcome
from tracetwin.explore.summaries.wording import text
from tracetwin.explore.wanted import Wanted
from tracetwin.model.timeline import SlowQuestion
from tracetwin.run.listener import Work
from tracetwin.run.module_facts import read_source, sites_of, text_of, tree_of
from tracetwin.run.tasks import ExploreTask, Found, FunctionExplored, Progress, Regained
from tracetwin.solving.smt.apart import Z3Process
from tracetwin.support.data import dataclass
from tracetwin.support.failures import Failure, failure_of
from tracetwin.support.plugins import broken

if TYPE_CHECKING:
    from tracetwin.explore.criteria.base import Criterion, Hunt
    from tracetwin.explore.objects.space import ObjectSpace
    from tracetwin.process.worker import Worker
    from tracetwin.solving import Chain, Solver

PROGRESS_SECONDS: Final = 0.1
FOUND_SECONDS: Final = 1.5

GRACE_SECONDS: Final = 8.0
"""How much longer than its time an exploration may take before its process is ended."""

HUNG: Final = 70
"""Exit status of an explorer process whose solver did not heed its limits."""

HUNTING: Final = 3
"""One part in so many of a budget is kept for the searches of criteria's own."""

MOST_NODES: Final = 500_000
"""Expressions kept between explorations."""


@dataclass(frozen=True)
class TurnStart:
    """The figures at the beginning of an exploration's turn."""

    began: float
    runs: int
    solving: float

    def work(self, covered: int, total: int, runs: int, now: float, solving: float) -> Work:
        """Return how far it is now."""
        return Work(covered, total, runs, now - self.began, runs - self.runs, solving - self.solving)


class Exploring:
    """The unfinished explorations of a module, what they share, and their journals."""

    def __init__(
        self, index: int, worker: Worker, send: Callable[[object], None], *, alone: Callable[[], bool]
    ) -> None:
        self._index = index
        self._executor = WorkerExecutor(worker)
        self._send = send
        self._alone = alone
        self._known: dict[str, tuple[Exploration, Chain | None]] = {}
        self._spaces: dict[str, ObjectSpace] = {}
        self._wanted: Wanted | None = None
        self._z3 = Z3Process()
        self._hunts: dict[tuple[str, str], Hunt | None] = {}
        self._logs: dict[str, ShardLog] = {}
        self._failures: dict[str, dict[str, Failure]] = {}
        self._log: ShardLog | None = None
        self._working: Exploration | None = None
        self._interrupted = False
        self._budget = Budget(0, 0.0)
        self._turn: TurnStart | None = None
        self._clock = threading.Timer(0.0, self._give_up)
        self._told = self._handed_over = self._regained = 0.0

    def interrupt(self) -> None:
        """The exploration at hand ends at its next run."""
        self._interrupted = True
        if self._log is not None:
            self._log.interrupted = True
        self._budget.deadline = 0.0

    def close(self) -> None:
        """Write nothing more down, and end the process that asks z3."""
        self._z3.close()
        for log in self._logs.values():
            log.close()

    def drop(self, name: str) -> ExplorationOutcome | None:
        """Forget an exploration that broke; what it had found, where it can still tell."""
        exploration, _ = self._known.pop(name, (None, None))
        try:
            return exploration.outcome() if exploration is not None else None
        except Exception:  # noqa: BLE001 - the exploration is what broke
            return None

    def explore(self, task: ExploreTask) -> FunctionExplored:
        """Explore, after what was done for its shard in another process was gone through again."""
        name = task.shard
        log = self._logs.get(name)
        if log is None:
            log = self._logs[name] = ShardLog(task.journal, lost=task.lost, live=self._start_clock)
        self._log = log
        self._executor.through(log.worker)
        for begun in log.before(task.begun.key):
            self._explore_once(task.again(begun), log)
        return self._explore_once(task, log)

    def _explore_once(self, task: ExploreTask, log: ShardLog) -> FunctionExplored:
        name = task.invokable.qualname
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._new_exploration(task, log)
        exploration, chain = known
        if chain is not None:
            chain.share(task.models)
            exploration.take_up(task.models)
        self._handed_over = self._regained = 0.0
        self._turn = None
        self._working = exploration
        self._clock = threading.Timer(task.seconds + GRACE_SECONDS / 2, self._give_up)
        self._clock.daemon = True
        begun = log.begin(task.begun)
        exploration.want_too(begun.missing)
        exploration.hurry(begun.seconds if begun.runs is None else math.inf)
        log.interrupted = self._interrupted
        deadline = 0.0 if self._interrupted else time.monotonic() + task.seconds
        self._budget = Budget(task.runs, deadline, late=log.late)
        self._z3.until = deadline if task.runs is None else None
        try:
            outcome = self._explored(task, exploration, chain, log)
        finally:
            self._clock.cancel()
        log.end()
        self._tell_regained(log.regained)
        if outcome.complete and not outcome.entered:
            del self._known[name]
        if chain is None:
            return FunctionExplored(task.index, outcome, unwritten=log.failure)
        failures = tuple(self._failures.pop(name, {}).values())
        chain.rest()  # whatever else is explored, in this round or after it, asks its own
        return FunctionExplored(
            task.index, outcome, chain.statistics, (*exploration.receivers(), *chain.models), log.failure,
            failures, broken(), tuple(_slow(name, chain)),
            passed=self._passed(task),
        )  # fmt: skip

    def _passed(self, task: ExploreTask) -> frozenset[int | None]:
        """Return the sites that runs for an invokable passed, or for another member of its shard."""
        members = task.members or (task.invokable,)
        return frozenset().union(*(self._executor.passed.get(one.qualname, ()) for one in members))

    def _explored(
        self, task: ExploreTask, exploration: Exploration, chain: Chain | None, log: ShardLog
    ) -> ExplorationOutcome:
        """Explore; where a criterion searches by itself, the last part of the budget is for that."""
        budget = self._budget
        hunts = [] if chain is None else self._hunts_of(task, log.solver(chain))
        parted = bool(hunts) or exploration.wants_flows
        exploration.explore(_part_for_sides(budget, task.seconds, time.monotonic()) if parted else budget)
        exploration.watch_flows(budget)
        outcome = exploration.outcome(nodes=task.trees)
        for hunt in hunts:
            outcome.statistics.runs += hunt.explore(task.invokable, budget, outcome.seconds)
            outcome.cases += hunt.cases(task.invokable)
            outcome.goals += hunt.goals(task.invokable)
            outcome.complete = outcome.complete and hunt.finished(task.invokable)
        return outcome

    def _hunts_of(self, task: ExploreTask, solver: Solver) -> list[Hunt]:
        """The searches of the criteria's own for an invokable; the members of a shard share them."""
        name = task.shard
        shard = Shard(text_of(task.module), task.members or (task.invokable,), self._executor, solver)
        for criterion in _criteria(task):
            if (name, criterion.name) not in self._hunts:
                self._hunts[name, criterion.name] = criterion.hunt(shard)
        found = [self._hunts[name, criterion.name] for criterion in _criteria(task)]
        return [hunt for hunt in found if hunt is not None]

    # -- what is explored

    def _new_exploration(self, task: ExploreTask, log: ShardLog) -> tuple[Exploration, Chain | None]:
        idle = not (self._known or self._spaces or self._hunts) and self._alone()
        if idle and expr.table_size() > MOST_NODES:
            expr.reset()  # nothing that refers to a node is alive: solver and decoder are made anew
            self._executor.forget()
            self._z3.close()
            self._logs = {name: kept for name, kept in self._logs.items() if kept is log}
        if task.module.outside:
            return self._blind_exploration(task), None
        from tracetwin.solving import build_chain

        name = task.invokable.qualname
        chain = build_chain(
            seed=task.seed,
            on_error=lambda error: self._note_failure(name, error),
            apart=self._z3,
        )
        space = self._space_of(task)
        made = Exploration(
            task.module.name,
            task.invokable,
            self._executor,
            log.solver(chain),
            goals=self._goals(task).of(task.invokable) if space is None else space.members.named(name).goals,
            tree=tree_of(task.module),
            seed=task.seed,
            progress=self._progress_of(task, chain),
            resumed=log.hung,
            space=space,
        )
        return made, chain

    def _note_failure(self, name: str, error: Exception) -> None:
        """An error of ours cost a question; it is told once for each function."""
        failure = failure_of(error, f"solving a condition of {name}")
        self._failures.setdefault(name, {}).setdefault(failure.message, failure)

    def _goals(self, task: ExploreTask) -> Wanted:
        """The goals of the module's explorations, of which all tasks say the same."""
        if self._wanted is None:
            self._wanted = Wanted(
                sites_of(task.module), task.helpers, _criteria(task), text_of(task.module), task.misuse
            )
        return self._wanted

    def _space_of(self, task: ExploreTask) -> ObjectSpace | None:
        """The object space of the target's class, None for what has no receiver."""
        if not task.members:
            return None
        owner = task.shard
        if owner not in self._spaces:
            self._spaces[owner] = space_of(
                task.members,
                self._executor,
                self._goals(task).of,
                read_source(task.module),
                module=task.module.name,
                seed=task.seed,
                longest=task.module.rules.get("max_length"),
            )
        return self._spaces[owner]

    def _blind_exploration(self, task: ExploreTask) -> Exploration:
        from tracetwin.explore.loop.untraced import BlindExplorer, LineGoals, NoSolver

        return Exploration(
            task.module.name,
            task.invokable,
            self._executor,
            NoSolver(),
            goals=LineGoals(task.invokable.lines, task.private),
            tree=tree_of(task.module),
            seed=task.seed,
            progress=self._progress_of(task),
            kind=BlindExplorer,
        )

    # -- how far it is

    def _progress_of(self, task: ExploreTask, chain: Chain | None = None) -> Callable[[int, int, int], None]:
        """Return a callback for after each run, which tells the parent how far it is and what it found."""
        name = task.invokable.qualname

        def progress(covered: int, total: int, runs: int) -> None:
            now = time.monotonic()
            if now - self._told >= PROGRESS_SECONDS:
                self._told = now
                if self._log is not None:
                    self._tell_regained(self._log.regained_by(now))
                if self._turn is None:
                    self._turn = TurnStart(now, runs, chain.seconds if chain else 0.0)
                work = self._turn.work(covered, total, runs, now, chain.seconds if chain else 0.0)
                self._send(Progress(task.index, name, work))
            again = self._log is not None and self._log.is_past
            if now - self._handed_over >= FOUND_SECONDS and not again:
                self._handed_over = now
                self._send(Found(task.index, self._known[name][0].outcome()))

        return progress

    def _tell_regained(self, seconds: float) -> None:
        """Tell the parent how long the task at hand has only gone through its past."""
        if seconds > self._regained:
            self._send(Regained(self._index, seconds - self._regained))
            self._regained = seconds

    def _start_clock(self) -> None:
        """Replay of the journal is over: start the hang timer."""
        if not self._clock.is_alive():
            self._clock.start()

    def _give_up(self) -> None:
        """Hand over what was found, and end: z3 does not stop. Called from another thread than z3's."""
        try:
            if self._log is not None:
                self._log.give_up()
            if self._working is not None:
                self._send(Found(self._index, self._working.outcome()))
        finally:
            os._exit(HUNG)


def _slow(function: str, chain: Chain) -> Iterator[SlowQuestion]:
    """Give what took z3 longest, with the goals in Python's words."""
    for slow in chain.slowest:
        goal = text(slow.goal) if slow.goal is not None else ""
        yield SlowQuestion(function, goal, slow.theory, slow.answer, slow.seconds, slow.smtlib)


def _criteria(task: ExploreTask) -> list[Criterion]:
    return [criterion_named(name) for name in task.criteria]


def _part_for_sides(budget: Budget, seconds: float, now: float) -> Budget:
    """Return the part of a budget that may be spent before criteria search by themselves."""
    runs = None if budget.runs is None else budget.runs - budget.runs // HUNTING
    return Budget(runs, now + seconds - seconds / HUNTING, budget, budget.late)
