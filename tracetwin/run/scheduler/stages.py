"""How a module goes from stage to stage: what is to be done for it next, and what an answer changes.

A module goes through three stages: *open* (import its twin, list what is in it), *explore* (one task per
function, in rounds while the module's time lasts), *suite* (replay, select, write).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tracetwin.analysis.callers import Callers
from tracetwin.emit.file_names import test_files
from tracetwin.explore.objects.classes import shard_members
from tracetwin.explore.wanted import helper_sites, sites_in
from tracetwin.model.tree import share_of_nodes
from tracetwin.run.module_facts import text_of, tree_of
from tracetwin.run.results.assemble import assemble, failed, write_suite
from tracetwin.run.results.refusals import of_import
from tracetwin.run.scheduler.beyond import sites_beyond
from tracetwin.run.scheduler.earlier import cases_to_keep, earlier_tests, read_ahead, settle, to_explore
from tracetwin.run.scheduler.turns import LEAST_SECONDS
from tracetwin.run.tasks import (
    ExploreTask,
    FunctionExplored,
    JoinTask,
    ModuleOpened,
    OpenTask,
    SuiteBuilt,
    SuiteTask,
    TaskFailed,
    doing,
)
from tracetwin.run.twins import Twins
from tracetwin.support.failures import Failure, failure_of
from tracetwin.target.wheels import unpacking

if TYPE_CHECKING:
    from pathlib import Path

    from tracetwin.emit.result import Suite
    from tracetwin.model.options import Options
    from tracetwin.run.explorer.contract import ExplorerHandle
    from tracetwin.run.journal.run import RunJournal
    from tracetwin.run.journal.store import ResultStore
    from tracetwin.run.listener import Listener
    from tracetwin.run.results.module_result import ModuleResult
    from tracetwin.run.scheduler.progress import ModuleState
    from tracetwin.run.scheduler.turns import Turns
    from tracetwin.run.tasks import Task
    from tracetwin.run.twins import TwinTask

ENDING_SECONDS: Final = 3.0
"""For a suite after an interruption: whoever interrupts does not want to wait."""

MOST_BROKEN_OFF: Final = 3
"""How often an exploration is taken up again whose process ended."""

MOST_VANISHED: Final = 20
"""How often a task is given back that was lost with a machine; it might be what ends them."""

BUILDING_SHARE: Final = 0.15
"""Part of a module's time for rewriting modules that it imports, where none of them is in the cache."""


class Stages:
    """The modules of a run and their stages.

    Attributes:
        twins: which twins their imports need.
        ending: whether only what was found until now is still written.
    """

    def __init__(
        self,
        states: Sequence[ModuleState],
        turns: Turns,
        options: Options,
        listener: Listener,
        folder: Path | None,
        journal: RunJournal,
        store: ResultStore,
    ) -> None:
        self.states = states
        self.twins = Twins()
        self.ending = False
        self._options = options
        self._listener = listener
        self._store = store
        self._turns = turns
        self._folder = folder
        self._journal = journal
        self._said: set[str] = set()
        self._ahead: list[Iterator[None]] = []
        self._places = test_files([state.module.name for state in states], options.output)

    def next_task(self, job: ExplorerHandle) -> Task | None:
        """The most urgent thing that a process can do; a module for which it can't even be said fails."""
        offers = {
            "explored": self.suite_task, "exploring": self.explore_task, "waiting": self.open_task
        }  # fmt: skip
        for state in self._turns.offers(self.states, job):
            try:
                task = offers[state.stage](state, job) if state.stage in offers else None
            except Exception as error:  # noqa: BLE001 - the others go on
                self.fail(state, failure_of(error, "preparing the work on it"))
                continue
            if task is not None:
                return task
        return self.join_task(job)

    def open_task(self, state: ModuleState, job: ExplorerHandle) -> TwinTask | OpenTask | None:
        preparation = self.twins.task(state.index, state.module)
        if preparation is not None or not self.twins.ready(state.module):
            return preparation
        state.stage = "opening"
        state.started = time.monotonic()
        state.module = replace(state.module, library=self.twins.library(state.module))
        self._journal.note_sources(state.index, self.twins.files(state.module))
        state.limit = self._turns.limit(state, job)
        state.joined.add(job)
        return OpenTask(state.index, state.module, state.limit, self._folder, self._building(state))

    def join_task(self, job: ExplorerHandle) -> JoinTask | None:
        """For a process without work: a module that is being opened, to be explored by it as well."""
        for state in self.states:
            alone = len(state.module.selection) == 1 or self._folder is not None
            if state.stage == "opening" and job not in state.joined and not alone:
                state.joined.add(job)
                return JoinTask(state.index, state.module, state.limit, self._building(state))
        return None

    def _building(self, state: ModuleState) -> float | None:
        return BUILDING_SHARE * state.limit if self._options.max_runs is None else None

    def suite_task(self, state: ModuleState, _job: ExplorerHandle) -> SuiteTask:
        state.stage = "suite"
        self._ahead.append(read_ahead(state.module, self.twins))
        elsewhere = state.unpacked[1] if state.unpacked else None
        return SuiteTask(
            state.index, state.working, tuple(state.wanted_cases()),
            self._options.style, self._options.mock.value, self._options.criteria, elsewhere,
            unpacking.import_words(state.module, unpacked=state.unpacked is not None),
            ENDING_SECONDS if self.ending else self._turns.suite_seconds(state),
            2 * ENDING_SECONDS if self.ending else self._turns.suite_within(state),
            earlier_tests(state, self._places[state.index], self._store),
            self._options.suspicious, self._options.misuse, state.typed, state.met, self._options.data,
            self._options.assertions, self._options.group,
        )  # fmt: skip

    def explore_task(self, state: ModuleState, job: ExplorerHandle) -> ExploreTask | None:
        """The next function for this process: one it knows already, or one that is nobody's."""
        self._take_known(state)
        turn = self._turns.next(state, job)
        if turn is None:
            self._check_explored(state)
            return None
        name = turn.qualname
        state.running.add(name)
        state.processes[state.shard_of(name)] = job
        invokable = state.invokables[name]
        return ExploreTask(
            state.index, state.working, invokable, state.helpers, turn.seconds,
            turn.runs, self._options.seed, state.private,
            shard_members(invokable, (*state.invokables.values(), *state.hidden.values())),
            self._journal.folders[state.index], state.shared, state.missing, self._options.criteria,
            state.explored[name], lost=state.broken_off[name] > 0,
            trees=share_of_nodes(len(state.invokables)) if self._options.trees else 0,
            misuse=self._options.misuse, part=state.journal.parts.get(name, 0),
            copied=state.unpacked is not None,
        )  # fmt: skip

    def opened(self, state: ModuleState, answer: ModuleOpened) -> None:
        state.opening = state.elapsed
        state.invokables = {i.qualname: i for i in answer.invokables}
        state.sites = answer.sites
        state.unpacked = answer.unpacked
        state.private = answer.private
        state.passed[""] = answer.passed
        self._note_outside(state, answer.outside)
        self.warn_once(answer.uncached, *answer.unguarded)
        state.refused = of_import(answer.refused)
        state.helpers = helper_sites(answer.sites, answer.invokables)
        state.sides = {i.qualname: 2 * len(sites_in(answer.sites, i)) for i in answer.invokables}
        state.hidden = {i.qualname: i for i in answer.hidden}
        state.uncover_uncalled(Callers(tree_of(state.working)))
        state.note_beyond(sites_beyond(tree_of(state.working), answer.sites, state.invokables))
        state.notes.extend(answer.notes)
        if answer.error or answer.failure:
            self.fail(state, answer.failure or answer.error, empty=answer.empty)
            return
        settle(state, self._places[state.index], self._store, self.twins)
        self._turns.begin(state, to_explore(state))
        self._listener.module_started(state.module.name, list(state.invokables))
        state.stage = "exploring"
        if state.journal.elapsed:
            state.go_on_after(state.journal.elapsed)
        self._check_explored(state)

    def warn_once(self, *sentences: str) -> None:
        """Say once what every process meets."""
        for why in sentences:
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

    def explored(self, state: ModuleState, answer: FunctionExplored) -> None:
        name = answer.outcome.qualname
        state.running.discard(name)
        state.note_gain(name, answer.outcome)
        state.outcomes[name] = answer.outcome
        state.explored[name] += 1
        state.models[name] = answer.models
        state.solvers[name] = answer.solver
        state.slowest[name] = answer.slowest
        state.passed[name] = answer.passed | state.passed.get(name, frozenset())
        state.starting = max(state.starting, answer.starting)
        state.failures.extend(answer.failures)
        self.warn_once(*answer.warnings)
        self._turns.ended(state, name)
        self._check_explored(state)

    def _check_explored(self, state: ModuleState) -> None:
        """Where all that was queued for a module has ended, and there is nothing more: it is explored."""
        if state.todo or state.running or state.stage != "exploring" or self._turns.goes_on(state):
            return
        state.stage = "explored"
        if called := len(state.uncovered):
            said = "1 private function was" if called == 1 else f"{called} private functions were"
            state.notes.append(f"{said} called directly, for what no other call was seen to reach")

    def _take_known(self, state: ModuleState) -> None:
        """Take in the explorations that had ended when the run was interrupted that is gone on with."""
        while found := next(filter(None, map(state.known, state.todo)), None):
            state.todo.remove(found.outcome.qualname)
            self.explored(state, found)

    def take_finished(self, state: ModuleState) -> None:
        """Take in the result of a module that was finished then; its file may not be there any more."""
        if state.journal.result is not None:
            self._finish(state, *state.journal.result)

    def work_ahead(self) -> bool:
        """Do a little of what ending a module needs while its suite is written; False: nothing is left."""
        while self._ahead:
            try:
                next(self._ahead[-1])
            except StopIteration:
                self._ahead.pop()
            except Exception:  # noqa: BLE001 - ending the module meets it again, and tells of it there
                self._ahead.pop()
            else:
                return True
        return False

    def built(self, state: ModuleState, answer: SuiteBuilt) -> None:
        state.failures.extend(answer.failures)
        result = assemble(state, answer.suite, text_of(state.module), self._options)
        result.options = self._options.bounds
        if not self.ending:
            state.journal.note_result(result, answer.suite)
        self._finish(state, result, answer.suite)

    def _finish(self, state: ModuleState, result: ModuleResult, suite: Suite) -> None:
        """Write the tests of a module."""
        place = self._places[state.index]
        try:
            self.warn_once(write_suite(place, suite, result, accept=self._options.accept))
        except OSError as error:
            self.fail(state, failure_of(error, f"writing {place}"))
            return
        if not self.ending:
            cases = cases_to_keep(state, suite, self.twins, self._store)
            self._store.keep(state.asked, self.twins.files(state.module), result, state.given, cases)
        self._done(state, result)

    def take_kept(self, state: ModuleState, result: ModuleResult) -> None:
        """Take in the result of an earlier run, since when nothing has changed."""
        result.unchanged = True
        result.spans, result.curve = [], []  # of another run
        self._done(state, result)

    def _done(self, state: ModuleState, result: ModuleResult) -> None:
        state.result = result
        state.stage = "done"
        for function in () if result.unchanged else result.functions:
            self._listener.function_finished(state.module.name, function)
        self._listener.module_finished(result)

    def broken(self, state: ModuleState, answer: TaskFailed) -> None:
        """An error of ours: it ends the work on one function, else on the module."""
        name = answer.function
        if not name:
            self.fail(state, answer.failure)
            return
        state.failures.append(answer.failure)
        state.running.discard(name)
        state.abandoned.add(name)
        if answer.outcome is not None:
            state.outcomes[name] = answer.outcome
        self._check_explored(state)

    def died(self, state: ModuleState, task: OpenTask | SuiteTask, job: ExplorerHandle) -> None:
        """The process that imported a module, or wrote its tests, ended: once more, as that may be chance."""
        state.deaths[doing(task)] += 1
        if state.deaths[doing(task)] == 1:
            state.stage = "waiting" if isinstance(task, OpenTask) else "explored"
            return
        self.fail(state, Failure(doing(task), f"the process {job.ending}"))

    def given_back(self, state: ModuleState, task: OpenTask | ExploreTask | SuiteTask) -> bool:
        """The machine is gone that did a task: another does it; False where that was so too often."""
        state.vanished[doing(task)] += 1
        if state.vanished[doing(task)] > MOST_VANISHED:
            return False
        if isinstance(task, ExploreTask):
            name = task.invokable.qualname
            state.running.discard(name)
            state.todo.appendleft(name)
        else:
            state.stage = "waiting" if isinstance(task, OpenTask) else "explored"
        return True

    def broke_off(self, state: ModuleState, name: str) -> None:
        """The process that explored a function ended: another takes it up, without the fatal question."""
        state.running.discard(name)
        state.broken_off[name] += 1
        if state.broken_off[name] <= MOST_BROKEN_OFF and self._turns.time_left(state) > LEAST_SECONDS:
            if state.broken_off[name] == 1:
                state.notes.append(f"{name}: its explorer process was ended and another one went on")
            state.todo.appendleft(name)
            return
        state.abandoned.add(name)
        state.notes.append(f"{name}: its explorer process did not end and was stopped")
        self._check_explored(state)

    def fail(self, state: ModuleState, why: str | Failure, *, empty: bool = False) -> None:
        """Nothing is written for a module: for a reason of its own, or because of an error that is not."""
        if isinstance(why, Failure):
            state.failures.append(why)
            why = why.sentence
        state.result = failed(state.module, why, state.elapsed)
        state.result.failures = list(state.failures)
        state.result.empty = empty
        state.stage = "done"
        self._listener.module_finished(state.result)
