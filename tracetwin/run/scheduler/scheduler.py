"""From modules to written test files: the scheduler of the explorer processes.

What is to be done next, and what an answer changes, is decided in `stages.py`; here it is handed to
processes that are free, and their answers are collected. Modules overlap where processes are free.

The explorer processes of a run on this machine: one that ends is replaced.
"""

from __future__ import annotations

import importlib
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tracetwin.run.explorer.contract import Explorers
from tracetwin.run.explorer.open_modules import OPEN_MODULES
from tracetwin.run.explorer.process import JobProcess
from tracetwin.run.journal.run import RunJournal
from tracetwin.run.journal.store import ResultStore
from tracetwin.run.learning.learn import learned
from tracetwin.run.learning.theirs import complemented
from tracetwin.run.results.assemble import failed
from tracetwin.run.scheduler.bandit import Bandit
from tracetwin.run.scheduler.progress import ModuleState
from tracetwin.run.scheduler.spans import Spans
from tracetwin.run.scheduler.stages import Stages
from tracetwin.run.scheduler.turns import Rounds, Turns
from tracetwin.run.tasks import (
    ExploreTask,
    Found,
    FunctionExplored,
    JoinTask,
    ModuleOpened,
    OpenTask,
    Progress,
    Regained,
    Starting,
    SuiteBuilt,
    Task,
    TaskFailed,
    doing,
)
from tracetwin.run.twins import TwinTask
from tracetwin.support.collecting import rest
from tracetwin.support.failures import Failure, failure_of
from tracetwin.support.room import any_digits
from tracetwin.support.scratch import scratch

if TYPE_CHECKING:
    from tracetwin.model.options import Options
    from tracetwin.run.explorer.contract import ExplorerHandle
    from tracetwin.run.listener import Listener
    from tracetwin.run.results.module_result import ModuleResult
    from tracetwin.target.selection import TargetModule

TICK_SECONDS = 0.25

Answer: TypeAlias = Progress | Found | ModuleOpened | Regained | FunctionExplored | SuiteBuilt | TaskFailed


def generate(modules: Sequence[TargetModule], options: Options, listener: Listener) -> list[ModuleResult]:
    """Write a test file for every module; the results are in the order of the modules.

    A KeyboardInterrupt ends the exploration; what was found up to then is written.
    """
    began = time.monotonic()
    store = ResultStore(options)
    kept = [store.known(module) for module in modules]
    settled = frozenset(position for position, result in enumerate(kept) if result is not None)
    if None in kept:
        # What writes suites is needed by each explorer process and, to read their answers, by this one.
        with rest():
            importlib.import_module("tracetwin.emit.suite")
    with (
        any_digits(),
        scratch(),
        closing(RunJournal(modules, options, listener, settled)) as journal,
        learned(modules, options, listener, journal.folders) as known,
        _folder_for_wheels(modules) as folder,
        _pool(options, known, kept, journal, listener) as pool,
    ):
        states = [ModuleState(i, m, journal.modules[i]) for i, m in enumerate(known)]
        for state, met in zip(states, complemented(known, options, listener), strict=True):
            state.met = met
        turns = _turns(options, pool, states, time.monotonic() - began)
        stages = Stages(states, turns, options, listener, folder, journal, store)
        for state, result in zip(states, kept, strict=True):
            if result is not None:
                stages.take_kept(state, result)
        scheduler = Scheduler(stages, pool, listener, journal)
        try:
            scheduler.run()
            journal.finished = not any(state.result and state.result.failures for state in states)
        except KeyboardInterrupt:
            listener.message("interrupted: writing what was found so far")
            scheduler.finish_early()
        except Exception as error:  # noqa: BLE001 - what was written until now is still to be told
            scheduler.give_up(failure_of(error, "sharing out the work"))
        return scheduler.results()


def _by_budget(options: Options) -> bool:
    return options.budget is not None and options.max_runs is None


def _pool(
    options: Options,
    modules: Sequence[TargetModule],
    kept: Sequence[ModuleResult | None],
    journal: RunJournal,
    listener: Listener,
) -> Explorers[Any]:
    """Return the explorers of a run: none where everything is kept."""
    if options.cluster and None in kept:
        from tracetwin.run.cluster.pool import ClusterPool

        return ClusterPool(
            options.cluster, modules, journal.folders, listener.message, held=_held(options)
        )
    return ExplorerPool(max(1, options.jobs) if None in kept else 0, _held(options))


def _held(options: Options) -> int:
    """Return how many modules a process has ready at a time."""
    return OPEN_MODULES if _by_budget(options) else 1


def _turns(options: Options, pool: Explorers[Any], states: list[ModuleState], lead: float) -> Turns:
    """Return who shares out the work."""
    if _by_budget(options):
        return Bandit(options, pool, states, lead=lead)
    return Rounds(options, pool, states, lead)


@contextmanager
def _folder_for_wheels(modules: Sequence[TargetModule]) -> Iterator[Path | None]:
    """A private folder to unpack wheels into, where there are any."""
    if not any(Path(module.root).is_file() for module in modules):
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="tracetwin-wheels-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Scheduler:
    """Hands tasks to explorer processes and puts their answers together."""

    def __init__(self, stages: Stages, pool: Explorers[Any], listener: Listener, journal: RunJournal) -> None:
        self._stages = stages
        self._states = stages.states
        self._pool = pool
        self._listener = listener
        self._journal = journal
        self._spans = Spans()

    def run(self) -> None:
        """Until every module has its result."""
        for state in self._states:
            self._stages.take_finished(state)
        while any(state.result is None for state in self._states):
            self._dispatch()
            self._receive(0.0 if self._stages.work_ahead() else TICK_SECONDS)

    def results(self) -> list[ModuleResult]:
        return [
            state.result or failed(state.module, "interrupted before anything was found")
            for state in self._states
        ]

    def finish_early(self) -> None:
        """Write suites of what the finished explorations found; a second interrupt ends that too."""
        self._stages.ending = True
        self._pool.hurry()
        try:
            self._drop_explorations()
            for state in self._states:
                if state.result is None and state.outcomes and state.stage != "suite":
                    state.todo.clear()
                    state.stage = "explored"
            while any(state.stage in ("explored", "suite") for state in self._states):
                self._dispatch()
                self._receive(TICK_SECONDS)
        except KeyboardInterrupt:
            return
        except Exception as error:  # noqa: BLE001 - what was written until now is still to be told
            self.give_up(failure_of(error, "writing what was found so far"))

    def give_up(self, failure: Failure) -> None:
        """Nothing more can be done for any module."""
        for state in self._states:
            if state.result is None:
                self._stages.fail(state, failure)

    def _drop_explorations(self) -> None:
        """Take in what running explorations have, by telling their processes to stop now."""
        for job in self._pool:
            if isinstance(job.task, (ExploreTask, OpenTask)):
                job.interrupt()
        until = time.monotonic() + 3.0
        while (
            any(isinstance(j.task, (ExploreTask, OpenTask)) for j in self._pool) and time.monotonic() < until
        ):
            self._receive(0.1)
        for state in self._states:
            state.running.clear()
            if state.stage in ("waiting", "opening"):
                state.stage = "abandoned"

    # -- handing out

    def _dispatch(self) -> None:
        for job in self._pool:
            task = self._stages.next_task(job) if job.task is None else None
            if task is not None:
                self._give(job, task)
        self._stages.twins.show(self._listener)

    def _give(self, job: ExplorerHandle, task: Task) -> None:
        """Hand a task over; what can't be sent is an error of its module."""
        self._spans.begin(job, task)
        try:
            job.give(task)
        except ConnectionError:
            self._lost(job)
        except Exception as error:  # noqa: BLE001 - the others go on
            job.task = None
            self._stages.fail(self._states[task.index], failure_of(error, f"handing over: {doing(task)}"))

    # -- taking in

    def _receive(self, seconds: float) -> None:
        for job, answer in self._pool.answers(seconds):
            if isinstance(answer, Failure) and job.task is not None:
                self._states[job.task.index].failures.append(answer)
            if answer is None or isinstance(answer, Failure):
                self._lost(job)
            elif isinstance(job.task, JoinTask):
                self._spans.end(job, self._states[job.task.index])
                job.task = None
            elif isinstance(job.task, TwinTask):
                if isinstance(answer, TaskFailed):  # the import will make it once more
                    self._states[job.task.index].notes.append(answer.failure.sentence)
                self._stages.twins.ended(job.task, answer)
                self._spans.end(job, self._states[job.task.index])
                job.task = None
            else:
                self._accept(job, answer)
        for job in self._pool.late():
            self._lost(job)
        exploring = [state for state in self._states if state.stage == "exploring"]
        self._journal.note_elapsed((state.journal, state.elapsed) for state in exploring)
        self._stages.warn_once(self._journal.failure())
        self._listener.tick()

    def _accept(self, job: ExplorerHandle, answer: Any) -> None:
        """Take in an answer; an error of ours in doing so is one of its module."""
        if isinstance(answer, Starting):
            job.deadline += answer.seconds
            return
        if isinstance(answer, Regained):
            job.deadline += answer.seconds
        elif not isinstance(answer, (Progress, Found)):
            self._spans.end(job, self._states[answer.index], answer)
            job.task = None
            self._states[answer.index].note_spent(time.monotonic() - job.began)
        try:
            self._take(answer)
        except Exception as error:  # noqa: BLE001 - the others go on
            failure = failure_of(error, "putting together what was found")
            self._stages.fail(self._states[answer.index], failure)

    def _lost(self, job: ExplorerHandle) -> None:
        """An explorer process died: its task is lost, another takes its place."""
        task = job.task
        if task is not None:
            self._spans.end(job, self._states[task.index])
        self._spans.gone(job)
        self._pool.replace(job)
        for state in self._states:
            for lost in [shard for shard, process in state.processes.items() if process is job]:
                del state.processes[lost]
        if isinstance(task, TwinTask):
            self._stages.twins.ended(task)
        if task is None or isinstance(task, (TwinTask, JoinTask)):
            return
        state = self._states[task.index]
        if job.vanished and self._stages.given_back(state, task):
            return
        if isinstance(task, ExploreTask):
            self._stages.broke_off(state, task.invokable.qualname)
        else:
            self._stages.died(state, task, job)

    def _take(self, answer: Answer) -> None:
        match answer:
            case Progress(index, qualname, work):
                self._states[index].curve.note(qualname, work.covered, work.runs)
                self._listener.progress(self._states[index].module.name, qualname, work)
            case Found(index, outcome):
                # What is gone through again has long ended: its outcome is known, and better.
                if outcome.qualname in self._states[index].running:
                    self._states[index].outcomes[outcome.qualname] = outcome
            case ModuleOpened():
                self._stages.opened(self._states[answer.index], answer)
            case Regained(index, seconds):
                self._states[index].started += seconds / len(self._pool)
            case FunctionExplored():
                if not self._stages.ending:
                    self._states[answer.index].journal.note_explored(answer)
                self._stages.warn_once(self._journal.failure(answer.unwritten))
                found = answer.outcome
                curve = self._states[answer.index].curve
                curve.note(found.qualname, len(found.covered), found.statistics.runs)
                self._stages.explored(self._states[answer.index], answer)
            case SuiteBuilt():
                self._stages.built(self._states[answer.index], answer)
            case TaskFailed():
                self._stages.broken(self._states[answer.index], answer)


class ExplorerPool(Explorers[JobProcess]):
    """Processes that were forked from this one."""

    def __init__(self, count: int, held: int = 1) -> None:
        """Start processes: as many as asked for, or as the system gives us.

        Raises:
            OSError: it gives us none.
        """
        super().__init__()
        self._held = held
        for _ in range(count):
            with suppress(OSError) if self._jobs else nullcontext():
                self._jobs.append(JobProcess(self._jobs, held))

    def answers(self, seconds: float) -> Iterator[tuple[JobProcess, object]]:
        busy = {job.connection: job for job in self._jobs if job.task is not None}
        for connection in wait(list(busy), seconds):
            job = busy[connection]  # type: ignore[index]
            try:
                answer: object = job.connection.recv()
            except (EOFError, ConnectionError):
                answer = None
            except Exception as error:  # noqa: BLE001 - whatever unpickling raises
                answer = failure_of(error, "reading an answer")
            yield job, answer

    def replace(self, job: JobProcess) -> None:
        job.stop()
        others = [other for other in self._jobs if other is not job]
        try:
            self._jobs[self._jobs.index(job)] = JobProcess(others, self._held)
        except OSError:
            if not others:
                raise
            self._jobs.remove(job)
