"""From modules to written test files: the scheduler of the explorer processes.

A module goes through three stages: *open* (import its twin, list what is in it), *explore* (one task per
function, in rounds while the module's time lasts), *suite* (replay, select, write). Modules overlap
where processes are free.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracetwin.assemble import assemble, failed, write_suite
from tracetwin.explore.classes import family
from tracetwin.jobs import JobProcess
from tracetwin.learning.learn import learned
from tracetwin.locating import unpacking
from tracetwin.modules import helper_sites, tree_of
from tracetwin.progress import ModuleState
from tracetwin.tasks import (
    Broken,
    Built,
    Explored,
    ExploreTask,
    Found,
    Opened,
    OpenTask,
    Progress,
    SuiteTask,
    Task,
)
from tracetwin.twins import Twins, TwinTask

if TYPE_CHECKING:
    from tracetwin.options import Options
    from tracetwin.report.listener import Listener
    from tracetwin.results import ModuleResult
    from tracetwin.targets import TargetModule

SUITE_SHARE = 0.25
"""Part of a module's time kept for replaying, shortening and writing."""

MOST_SHARED = 24
"""Solutions of other functions that an exploration may try."""

MOST_BROKEN_OFF = 3
"""How often an exploration is taken up again whose process ended."""

LEAST_SECONDS = 0.3
TICK_SECONDS = 0.25


def generate(modules: Sequence[TargetModule], options: Options, listener: Listener) -> list[ModuleResult]:
    """Write a test file for every module; the results are in the order of the modules.

    A KeyboardInterrupt ends the exploration; what was found up to then is written.

    Args:
        modules: the targets.
        options: what to do with them.
        listener: told of every step.
    """
    with (
        learned(modules, options, listener) as known,
        _folder_for_wheels(modules) as folder,
        tempfile.TemporaryDirectory(prefix="tracetwin-journals-", ignore_cleanup_errors=True) as journals,
        _processes(max(1, options.jobs)) as jobs,
    ):
        states = [ModuleState(i, m) for i, m in enumerate(known)]
        scheduler = Scheduler(states, jobs, options, listener, folder, Path(journals))
        try:
            scheduler.run()
        except KeyboardInterrupt:
            listener.message("interrupted: writing what was found so far")
            scheduler.finish_early()
        return scheduler.results()


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


@contextmanager
def _processes(count: int) -> Iterator[list[JobProcess]]:
    jobs: list[JobProcess] = []
    try:
        for _ in range(count):
            jobs.append(JobProcess(jobs))
        yield jobs
    finally:
        for job in jobs:
            job.stop()


class Scheduler:
    """Hands tasks to explorer processes and puts their answers together."""

    def __init__(
        self,
        states: list[ModuleState],
        jobs: list[JobProcess],
        options: Options,
        listener: Listener,
        folder: Path | None = None,
        journals: Path | None = None,
    ) -> None:
        self._folder = folder
        self._journals = journals
        self._said: set[str] = set()
        self._twins = Twins()
        self._states = states
        self._jobs = jobs
        self._options = options
        self._listener = listener

    def run(self) -> None:
        """Until every module has its result."""
        while any(state.result is None for state in self._states):
            self._dispatch()
            self._receive(TICK_SECONDS)

    def results(self) -> list[ModuleResult]:
        """One result per module."""
        return [
            state.result or failed(state.module, "interrupted before anything was found")
            for state in self._states
        ]

    def finish_early(self) -> None:
        """Write suites of what the finished explorations found; a second interrupt ends that too."""
        try:
            self._drop_explorations()
            for state in self._states:
                if state.result is None and state.outcomes:
                    state.todo.clear()
                    state.stage = "explored"
            while any(state.stage in ("explored", "suite") for state in self._states):
                self._dispatch()
                self._receive(TICK_SECONDS)
        except KeyboardInterrupt:
            return

    def _drop_explorations(self) -> None:
        """Take in what running explorations have, by telling their processes to stop now."""
        for job in self._jobs:
            if isinstance(job.task, (ExploreTask, OpenTask)):
                job.interrupt()
        until = time.monotonic() + 3.0
        while (
            any(isinstance(j.task, (ExploreTask, OpenTask)) for j in self._jobs) and time.monotonic() < until
        ):
            self._receive(0.1)
        for state in self._states:
            state.running.clear()
            if state.stage in ("waiting", "opening"):
                state.stage = "abandoned"

    # -- handing out

    def _dispatch(self) -> None:
        for job in self._jobs:
            if job.task is None:
                task = self._next_task(job)
                if task is not None:
                    job.give(task)
        self._twins.show(self._listener)

    def _next_task(self, job: JobProcess) -> Task | None:
        for state in self._states:
            if state.stage == "explored":
                state.stage = "suite"
                return self._suite_task(state)
        for state in self._states:
            if state.stage == "exploring":
                task = self._explore_task(state, job)
                if task is not None:
                    return task
        for state in self._states:
            if state.stage == "waiting":
                preparation = self._twins.task(state.index, state.module)
                if preparation is not None:
                    return preparation
                if self._twins.ready(state.module):
                    return self._open_task(state)
        return None

    def _open_task(self, state: ModuleState) -> OpenTask:
        state.stage = "opening"
        state.started = time.monotonic()
        state.module = replace(state.module, library=self._twins.library(state.module))
        return OpenTask(state.index, state.module, self._options.time_limit, self._folder)

    def _suite_task(self, state: ModuleState) -> SuiteTask:
        cases = [case for name in state.invokables for case in _cases(state, name)]
        elsewhere = state.unpacked[1] if state.unpacked else None
        return SuiteTask(
            state.index, state.working, tuple(cases), self._options.style.value, self._options.mock.value,
            elsewhere, unpacking.import_words(state.module, unpacked=state.unpacked is not None),
            self._options.time_limit - state.elapsed,
        )  # fmt: skip

    def _explore_task(self, state: ModuleState, job: JobProcess) -> ExploreTask | None:
        """The next function for this process: one it knows already, or one that is nobody's."""
        name = next((n for n in state.todo if state.homes.get(state.home_of(n), job) is job), None)
        if name is None:
            return None
        state.todo.remove(name)
        state.running.add(name)
        state.homes[state.home_of(name)] = job
        runs = state.share
        if runs is not None and name in state.restarted:
            runs += state.spent.get(name, 0)
        state.restarted.discard(name)
        invokable = state.invokables[name]
        return ExploreTask(
            state.index, state.working, invokable, state.helpers, self._share(state), runs,
            self._options.seed, state.private, family(invokable, state.invokables.values()), self._journals,
            state.shared, self._options.criterion.value,
        )  # fmt: skip

    def _share(self, state: ModuleState) -> float:
        """Seconds for one exploration: an equal share of what the module has left."""
        waiting = max(len(state.todo) + 1, len(self._jobs))
        return max(LEAST_SECONDS, self._time_left(state) * len(self._jobs) / waiting)

    def _time_left(self, state: ModuleState) -> float:
        """Seconds left for exploring a module."""
        return self._options.time_limit * (1 - SUITE_SHARE) - state.elapsed

    # -- taking in

    def _receive(self, seconds: float) -> None:
        busy = {job.connection: job for job in self._jobs if job.task is not None}
        for connection in wait(list(busy), seconds):
            job = busy[connection]  # type: ignore[index]
            try:
                answer = job.connection.recv()
            except (EOFError, ConnectionError):
                self._lost(job)
                continue
            if isinstance(job.task, TwinTask):
                self._twins.ended(job.task, answer)
                job.task = None
                continue
            if not isinstance(answer, (Progress, Found)):
                job.task = None
            self._take(answer)
        for job in self._jobs:
            if job.task is not None and time.monotonic() > job.deadline:
                self._lost(job)  # it hangs, most likely in the solver
        self._listener.tick()

    def _lost(self, job: JobProcess) -> None:
        """An explorer process died: its task is lost, another takes its place."""
        task = job.task
        place = self._jobs.index(job)
        job.stop()
        self._jobs[place] = JobProcess([j for j in self._jobs if j is not job])
        for state in self._states:
            for lost in [where for where, home in state.homes.items() if home is job]:
                del state.homes[lost]
                state.restarted.update(name for name in state.invokables if state.home_of(name) == lost)
        if isinstance(task, TwinTask):
            self._twins.ended(task)
        if task is None or isinstance(task, TwinTask):
            return
        state = self._states[task.index]
        if isinstance(task, ExploreTask):
            self._broke_off(state, task.invokable.qualname)
        else:
            self._fail(state, "internal error: the process working on it died")

    def _broke_off(self, state: ModuleState, name: str) -> None:
        """The process that explored a function ended: another takes it up, without the fatal question."""
        state.running.discard(name)
        state.broken_off[name] += 1
        if state.broken_off[name] <= MOST_BROKEN_OFF and self._time_left(state) > LEAST_SECONDS:
            if state.broken_off[name] == 1:
                state.notes.append(f"{name}: its explorer process was ended and another one went on")
            state.todo.appendleft(name)
            return
        state.abandoned.add(name)
        state.notes.append(f"{name}: its explorer process did not end and was stopped")
        self._check_explored(state)

    def _take(self, answer: Progress | Found | Opened | Explored | Built | Broken) -> None:
        match answer:
            case Progress(index, qualname, covered, total, runs):
                name = self._states[index].module.name
                self._listener.progress(name, qualname, covered, total, runs, "exploring")
            case Found(index, outcome):
                self._states[index].outcomes[outcome.qualname] = outcome
            case Opened():
                self._opened(self._states[answer.index], answer)
            case Explored():
                self._explored(self._states[answer.index], answer)
            case Built():
                self._built(self._states[answer.index], answer)
            case Broken(index, text):
                self._fail(self._states[index], f"internal error: {text.strip().splitlines()[-1]}", text)

    def _opened(self, state: ModuleState, answer: Opened) -> None:
        state.invokables = {i.qualname: i for i in answer.invokables}
        state.sites = answer.sites
        state.unpacked = answer.unpacked
        state.private = answer.private
        self._note_outside(state, answer.outside)
        self._note_uncached(answer.uncached)
        state.helpers = helper_sites(answer.sites, answer.invokables)
        state.notes.extend(answer.notes)
        if answer.error:
            self._fail(state, answer.error)
            return
        self._begin_round(state, [i.qualname for i in answer.invokables if not i.problem])
        self._listener.module_started(state.module.name, list(state.invokables))
        state.stage = "exploring"
        self._check_explored(state)

    def _note_uncached(self, why: str) -> None:
        """Say once what every process meets."""
        if why and why not in self._said:
            self._said.add(why)
            self._listener.message(f"warning: {why}")

    def _note_outside(self, state: ModuleState, why: str) -> None:
        """Remember that a module is not traced; where its source is there, that is worth a warning."""
        if why and not state.module.outside:
            self._listener.message(f"warning: {state.module.file} is loaded untouched: {why}")
        state.module = replace(state.module, outside=why)
        if state.unpacked:
            first, second = state.unpacked
            state.unpacked = replace(first, outside=why), replace(second, outside=why)

    def _explored(self, state: ModuleState, answer: Explored) -> None:
        name = answer.outcome.qualname
        state.running.discard(name)
        state.outcomes[name] = answer.outcome
        state.spent[name] = answer.outcome.statistics.runs
        state.models[name] = answer.models
        state.solvers[name] = answer.solver
        self._check_explored(state)

    def _check_explored(self, state: ModuleState) -> None:
        """At the end of a round: another one for what is unfinished, while there is time."""
        if state.todo or state.running or state.stage != "exploring":
            return
        unfinished = [
            name
            for name, outcome in state.outcomes.items()
            if not outcome.complete and name not in state.abandoned
        ]
        if self._time_left(state) > 1.0 and self._begin_round(state, unfinished):
            return
        state.stage = "explored"

    def _begin_round(self, state: ModuleState, names: list[str]) -> bool:
        """Queue functions, the module's remaining runs shared out equally; False where nothing is left.

        A round begins when all of the last one ended, so neither shares nor models depend on timing.
        """
        if self._options.max_runs is not None:
            used = sum(outcome.statistics.runs for outcome in state.outcomes.values())
            names = names[: self._options.max_runs - used]
            state.share = (self._options.max_runs - used) // len(names) if names else 0
        known = (model for name in state.invokables for model in state.models.get(name, ()))
        state.shared = tuple(itertools.islice(known, MOST_SHARED))
        state.todo.extend(names)
        return bool(names)

    def _built(self, state: ModuleState, answer: Built) -> None:
        state.result = assemble(state, answer.suite, tree_of(state.module))
        state.result.test_file = write_suite(state.module, answer.suite, self._options)
        state.stage = "done"
        for function in state.result.functions:
            self._listener.function_finished(state.module.name, function)
        self._listener.module_finished(state.result)

    def _fail(self, state: ModuleState, sentence: str, detail: str = "") -> None:
        state.result = failed(state.module, sentence, state.elapsed)
        state.result.stats["traceback"] = detail
        state.stage = "done"
        self._listener.module_finished(state.result)


def _cases(state: ModuleState, name: str) -> list[dict[str, Any]]:
    outcome = state.outcomes.get(name)
    return outcome.cases if outcome is not None else []
