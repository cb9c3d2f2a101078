"""Explorer processes: each takes tasks over a pipe, drives one worker, and answers with plain results.

A job process is ours and trusted (it holds z3 and the constraint trees); the target runs only in the
worker below it. Tasks and events are pickled between processes of ours; nothing from a worker is.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from runtime import expr
from tracetwin.errors import TargetError
from tracetwin.explore.budget import Budget
from tracetwin.explore.classes import home_of, space_of
from tracetwin.explore.executor import WorkerExecutor
from tracetwin.explore.exploration import Exploration, Outcome
from tracetwin.explore.invokable import Invokable
from tracetwin.learning.recording import loaded
from tracetwin.locating import unpacking
from tracetwin.modules import (
    cache_folder,
    goals_of,
    import_sentence,
    patterns_of,
    read_source,
    sites_of,
    tree_of,
    unpacked_notes,
    why_uncached,
    why_untouched,
)
from tracetwin.solving import patience
from tracetwin.tasks import (
    Broken,
    Built,
    Explored,
    ExploreTask,
    Found,
    Opened,
    OpenTask,
    Progress,
    Task,
)
from tracetwin.twins import TwinTask, build_twin

if TYPE_CHECKING:
    from tracetwin.explore.goals import Goals
    from tracetwin.explore.space import ObjectSpace
    from tracetwin.solving import Chain
    from tracetwin.summaries.criterion import PairPhase
    from tracetwin.targets import TargetModule
    from tracetwin.twins import Twinned
    from tracetwin.worker.process import Worker

PROGRESS_SECONDS = 0.1
FOUND_SECONDS = 1.5

GRACE_SECONDS = 8.0
"""How much longer than its time an exploration may take before its process is ended."""

OTHER_SECONDS = 120.0
"""Time for the tasks that have none of their own: they end by limits within."""

TWIN = ("tracetwin.worker.runner", "Runner", "")
OUTSIDE = ("tracetwin.worker.outside", "OutsideRunner", "")
"""What answers in a worker: for a module that is traced, and for one that can't be looked into."""

HUNG = 70
"""Exit status of an explorer process whose solver did not heed its limits."""

MOST_NODES = 500_000
"""Expressions kept between explorations."""


class JobProcess:
    """The parent's side of one explorer process.

    Attributes:
        task: what it works on, None when idle.
        deadline: when it must have ended the task; after that it hangs.
    """

    def __init__(self, others: Sequence[JobProcess] = ()) -> None:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        inherited = [ours, *(job.connection for job in others)]
        self.process = context.Process(target=_main, args=(theirs, inherited, os.getpid()), daemon=False)
        self.process.start()
        theirs.close()
        self.connection: Connection[Any, Any] = ours
        self.task: Task | None = None
        self.deadline = 0.0

    def give(self, task: Task) -> None:
        """Hand over a task."""
        self.task = task
        seconds = task.seconds if isinstance(task, ExploreTask) else OTHER_SECONDS
        self.deadline = time.monotonic() + seconds + GRACE_SECONDS
        self.connection.send(task)

    def interrupt(self) -> None:
        """Tell it to end its exploration now and to answer with what it has."""
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGUSR1)

    def stop(self) -> None:
        """End the process and everything below it."""
        self.connection.close()
        self.process.join(0.5)
        if self.process.is_alive():
            self.process.terminate()
            self.process.join(1.0)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _main(connection: Connection[Any, Any], inherited: list[Connection[Any, Any]], parent: int) -> None:
    for other in inherited:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    _die_with(parent)
    job = Job(connection)
    try:
        job.serve()
    finally:
        job.close()


def _die_with(parent: int) -> None:
    from tracetwin.worker.sandbox import kernel

    kernel().die_with_parent()
    if os.getppid() != parent:
        sys.exit(1)


class Job:
    """The child's side: keeps the worker of the module at hand and the unfinished explorations."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._index = -1
        self._worker: Worker | None = None
        self._explorations: dict[tuple[int, str], tuple[Exploration, Chain | None]] = {}
        self._spaces: dict[str, ObjectSpace] = {}
        self._pairs: dict[str, PairPhase] = {}
        self._working: tuple[int, str] | None = None
        self._told = 0.0
        self._handed_over = 0.0
        self._budget = Budget(0, 0.0)
        signal.signal(signal.SIGUSR1, lambda *_: self._spend())
        patience.install()

    def _spend(self) -> None:
        """The exploration at hand ends at its next run."""
        self._budget.deadline = 0.0

    def serve(self) -> None:
        """Answer tasks until the parent goes."""
        while True:
            try:
                task = self._connection.recv()
            except EOFError:
                return
            answer: Twinned | Opened | Explored | Built | Broken
            try:
                answer = self._answer(task)
            except Exception:  # noqa: BLE001 - told to the parent; the next task may still work
                answer = Broken(task.index, traceback.format_exc())
            try:
                self._send(answer)
            except (BrokenPipeError, ConnectionError):
                return

    def _send(self, answer: object) -> None:
        with self._sending:
            self._connection.send(answer)

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _answer(self, task: Task) -> Twinned | Opened | Explored | Built:
        if isinstance(task, TwinTask):
            return build_twin(task)
        if isinstance(task, OpenTask):
            return replace(self._open(task), uncached=why_uncached(task.module))
        if isinstance(task, ExploreTask):
            return self._explore(task)
        from tracetwin.emit.suite import build_suite

        self.close()
        self._index = -1
        suite = build_suite(
            task.module,
            list(task.cases),
            style=task.style,
            mock=task.mock,
            elsewhere=task.elsewhere,
            place=task.place,
            seconds=task.seconds,
        )
        return Built(task.index, suite)

    def _use(self, index: int, module: TargetModule, seconds: float | None = None) -> Worker:
        from tracetwin.worker.process import Worker
        from tracetwin.worker.sandbox import Limits

        if self._worker is None or self._index != index:
            self.close()
            limit = Limits().import_seconds
            self._worker = Worker(
                module,
                Limits(import_seconds=limit if seconds is None else min(limit, seconds)),
                patterns=() if module.outside else patterns_of(module),
                handler=OUTSIDE if module.outside else TWIN,
                cache=cache_folder(),
                library=module.library,
                options={"selection": list(module.selection), "guide": loaded(module.rules)},
            )
            self._index = index
            self._executor = WorkerExecutor(self._worker)
            self._spaces.clear()
            self._pairs.clear()
            for key in [k for k in self._explorations if k[0] != index]:
                del self._explorations[key]
        return self._worker

    def _open(self, task: OpenTask) -> Opened:
        from tracetwin.worker.process import Failed

        module = task.module
        if not module.outside:
            module = replace(module, outside=why_untouched(module))
        sites = sites_of(module)
        try:
            reasons = unpacking.unusable_in_place(module)
            copies = None
            if reasons and task.unpacked:
                copies = unpacking.unpacked_twice(module, task.unpacked, reasons)
        except TargetError as problem:
            return Opened(task.index, error=str(problem))
        started = self._use(task.index, copies[0] if copies else module, task.seconds).start()
        if isinstance(started, Failed) and task.unpacked and unpacking.misses_files(module, started.message):
            reasons = dict.fromkeys(unpacking.wheels_of(module), unpacking.OPENS_FILES)
            try:
                copies = unpacking.unpacked_twice(module, task.unpacked)
            except TargetError as problem:
                return Opened(task.index, error=f"{import_sentence(module, started)}; {problem}")
            self.close()
            started = self._use(task.index, copies[0], task.seconds).start()
        if isinstance(started, Failed):
            return Opened(task.index, error=import_sentence(module, started, copies))
        invokables = tuple(Invokable(**plain) for plain in started.info["invokables"])
        if not invokables and started.info.get("undefined"):
            return Opened(task.index, error="; ".join(started.info["undefined"]))
        notes = (*unpacked_notes(module, reasons), *started.info.get("notes", ()))
        private = tuple(map(tuple, started.info.get("private_lines", ())))
        return Opened(task.index, invokables, sites, "", notes, copies, module.outside, private)

    def _explore(self, task: ExploreTask) -> Explored:
        self._use(task.index, task.module)
        key = (task.index, task.invokable.qualname)
        known = self._explorations.get(key)
        if known is None:
            known = self._explorations[key] = self._new_exploration(task)
        exploration, chain = known
        if chain is not None:
            chain.share(task.models)
        self._handed_over = 0.0
        self._working = key
        self._budget = Budget(task.runs, time.monotonic() + task.seconds)
        late = threading.Timer(task.seconds + GRACE_SECONDS / 2, self._give_up)
        late.daemon = True
        late.start()
        try:
            outcome = self._explored(task, exploration, chain)
        finally:
            late.cancel()
        if outcome.complete:
            del self._explorations[key]
        if chain is None:
            return Explored(task.index, outcome)
        chain.rest()  # whatever else is explored, in this round or after it, asks its own
        return Explored(task.index, outcome, chain.statistics, chain.models)

    def _explored(self, task: ExploreTask, exploration: Exploration, chain: Chain | None) -> Outcome:
        """Explore; where definition-use pairs are the criterion, the last part of the budget is for them."""
        budget = self._budget
        if task.criterion != "def-use" or chain is None or task.invokable.kind not in ("method", "property"):
            exploration.explore(budget)
            return exploration.outcome()
        from tracetwin.summaries.criterion import PairPhase, part_for_branches

        exploration.explore(part_for_branches(budget, task.seconds, time.monotonic()))
        outcome = exploration.outcome()
        owner = home_of(task.invokable)
        if owner not in self._pairs:
            members = task.family or (task.invokable,)
            self._pairs[owner] = PairPhase(task.module, members, self._executor, chain)
        phase = self._pairs[owner]
        outcome.statistics.runs += phase.explore(task.invokable, budget, outcome.seconds)
        outcome.cases += phase.cases(task.invokable)
        outcome.pairs = phase.rows(task.invokable)
        outcome.complete = outcome.complete and phase.finished(task.invokable)
        return outcome

    def _new_exploration(self, task: ExploreTask) -> tuple[Exploration, Chain | None]:
        if not (self._explorations or self._spaces or self._pairs) and expr.table_size() > MOST_NODES:
            expr.reset()  # nothing that refers to a node is alive: solver and decoder are made anew
            self._executor.forget()
        if task.module.outside:
            return self._blind_exploration(task), None
        from tracetwin.solving import build_chain
        from tracetwin.solving.journal import Journal

        chain = build_chain(seed=task.seed, on_hang=self._give_up)
        journal = Journal(chain, task.journal) if task.journal is not None else None
        space = self._space_of(task)
        made = Exploration(
            task.module.name,
            task.invokable,
            self._executor,
            journal or chain,
            goals=space.members.named(task.invokable.qualname).goals if space else self._goals_of(task),
            tree=tree_of(task.module),
            seed=task.seed,
            progress=self._progress_of(task),
            resumed=journal is not None and journal.resumed,
            space=space,
        )
        return made, chain

    def _goals_of(self, task: ExploreTask, invokable: Invokable | None = None) -> Goals:
        return goals_of(sites_of(task.module), invokable or task.invokable, task.helpers)

    def _space_of(self, task: ExploreTask) -> ObjectSpace | None:
        """The object space of the target's class, None for what has no receiver."""
        if not task.family:
            return None
        owner = home_of(task.invokable)
        if owner not in self._spaces:
            self._spaces[owner] = space_of(
                task.family,
                self._executor,
                lambda member: self._goals_of(task, member),
                read_source(task.module),
                module=task.module.name,
                seed=task.seed,
                longest=task.module.rules.get("max_length"),
            )
        return self._spaces[owner]

    def _give_up(self) -> None:
        """Hand over what was found, and end: z3 does not stop. Called from another thread than z3's."""
        try:
            if self._working is not None:
                index, name = self._working
                self._send(Found(index, self._explorations[index, name][0].outcome()))
        finally:
            os._exit(HUNG)

    def _blind_exploration(self, task: ExploreTask) -> Exploration:
        from tracetwin.explore.blind import BlindExplorer, LineGoals, NoSolver

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

    def _progress_of(self, task: ExploreTask) -> Callable[[int, int, int], None]:
        """What an exploration is to call after each run: tells the parent how far it is and what it found."""
        key = (task.index, task.invokable.qualname)

        def progress(covered: int, total: int, runs: int) -> None:
            now = time.monotonic()
            if now - self._told >= PROGRESS_SECONDS:
                self._told = now
                self._send(Progress(task.index, task.invokable.qualname, covered, total, runs))
            if now - self._handed_over >= FOUND_SECONDS:
                self._handed_over = now
                self._send(Found(task.index, self._explorations[key][0].outcome()))

        return progress
