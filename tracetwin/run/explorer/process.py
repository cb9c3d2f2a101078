"""Explorer processes: each takes tasks over a pipe, drives one worker, and answers with plain results.

A job process is ours and trusted (it holds z3 and the constraint trees); the target runs only in the
worker below it. Tasks and events are pickled between processes of ours; nothing from a worker is.
"""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from tracetwin.explore.criteria.base import criteria_named
from tracetwin.explore.loop.replies import outlined
from tracetwin.model.invokable import Invokable
from tracetwin.model.options import MockStyle
from tracetwin.process import strays
from tracetwin.process.launch import exit_words
from tracetwin.run.explorer.contract import ExplorerHandle
from tracetwin.run.explorer.open_modules import OpenModule, OpenModules
from tracetwin.run.explorer.partial_suite import salvaged
from tracetwin.run.explorer.sent_members import SentMembers
from tracetwin.run.explorer.session import Exploring
from tracetwin.run.learning.recording import loaded
from tracetwin.run.module_facts import (
    cache_folder,
    import_sentence,
    nothing_sentence,
    patterns_of,
    sites_of,
    unpacked_notes,
    why_uncached,
    why_untouched,
)
from tracetwin.run.tasks import (
    ExploreTask,
    FunctionExplored,
    Joined,
    JoinTask,
    ModuleOpened,
    OpenTask,
    Starting,
    SuiteBuilt,
    SuiteTask,
    Task,
    TaskFailed,
    doing,
)
from tracetwin.run.twins import TwinTask, build_twin
from tracetwin.run.worker_options import worker_options
from tracetwin.solving import patience
from tracetwin.support.errors import TargetError
from tracetwin.support.failures import Failure, failure_of, last_line
from tracetwin.target.wheels import unpacking

if TYPE_CHECKING:
    from tracetwin.emit.processes import SuiteProcesses
    from tracetwin.run.twins import Twinned
    from tracetwin.target.selection import TargetModule

TWIN = ("tracetwin.worker.runner", "Runner", "")
OUTSIDE = ("tracetwin.worker.untraced", "OutsideRunner", "")
"""What answers in a worker: for a module that is traced, and for one that can't be looked into."""

MOST_REFUSALS = 100
"""Acts refused to an import that are told."""


class JobProcess(ExplorerHandle):
    """The parent's side of an explorer process on this machine."""

    def __init__(self, others: Sequence[JobProcess] = (), held: int = 1) -> None:
        super().__init__()
        self._members = SentMembers()
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        inherited = [ours, *(job.connection for job in others)]
        arguments = (theirs, inherited, os.getpid(), held)
        self.process = context.Process(target=serve, args=arguments, daemon=False)
        self.process.start()
        theirs.close()
        self.connection: Connection[Any, Any] = ours

    def _send(self, task: Task) -> None:
        self.connection.send(self._members.shortened(task))

    @property
    def ending(self) -> str:
        code = self.process.exitcode
        return "ended" if code is None else exit_words(code)

    def interrupt(self) -> None:
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGUSR1)

    def stop(self) -> None:
        self.connection.close()
        self.process.join(0.5)
        if self.process.is_alive():
            self.process.terminate()
            self.process.join(1.0)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def serve(
    connection: Connection[Any, Any], inherited: Sequence[Connection[Any, Any]], parent: int, held: int
) -> None:
    """Be an explorer process, until the parent goes."""
    for other in inherited:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    _die_with(parent)
    strays.adopt()
    gc.freeze()  # what came from the parent stays
    job = Job(connection, held)
    try:
        job.serve()
    finally:
        job.close()


def _die_with(parent: int) -> None:
    from tracetwin.process.walls.sandbox import kernel

    kernel().die_with_parent()
    if os.getppid() != parent:
        sys.exit(1)


class Job:
    """The child's side: keeps the workers of the modules at hand and the unfinished explorations."""

    def __init__(self, connection: Connection[Any, Any], held: int) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._modules = OpenModules(held)
        self._members = SentMembers()
        self._holds_one = held == 1
        self._opened = -1
        self._ready: SuiteProcesses | None = None
        signal.signal(signal.SIGUSR1, lambda *_: self._interrupt())
        patience.install()

    def _interrupt(self) -> None:
        self._modules.interrupt()

    def serve(self) -> None:
        """Answer tasks until the parent goes."""
        while True:
            try:
                task = self._members.whole(self._connection.recv())
            except (EOFError, ConnectionError):
                return
            answer: Twinned | ModuleOpened | Joined | FunctionExplored | SuiteBuilt | TaskFailed
            try:
                answer = self._answer(task)
            except Exception as error:  # noqa: BLE001 - told to the parent; the next task may still work
                answer = self._broken(task, error)
            try:
                self._send(answer)
            except ConnectionError:
                return

    def _broken(self, task: Task, error: Exception) -> TaskFailed:
        """An error of ours: its function is not gone on with, and the worker is started anew."""
        failure = failure_of(error, doing(task))
        if not isinstance(task, ExploreTask):
            self._modules.drop(task.index)
            return TaskFailed(task.index, failure)
        used = self._modules.known(task.index)
        if used is not None:
            used.worker.close()
        name = task.invokable.qualname
        found = used.exploring.drop(name) if used is not None else None
        return TaskFailed(task.index, failure, name, found)

    def _send(self, answer: object) -> None:
        with self._sending:
            self._connection.send(answer)

    def close(self) -> None:
        self._get_ready_for(-1)
        self._modules.close()

    def _get_ready_for(self, index: int) -> None:
        """End the processes for the suite of another module: this one was opened here."""
        self._opened, before, self._ready = index, self._ready, None
        if before is not None:
            before.close()

    def _answer(self, task: Task) -> Twinned | ModuleOpened | Joined | FunctionExplored | SuiteBuilt:
        if isinstance(task, TwinTask):
            return build_twin(task)
        if isinstance(task, OpenTask):
            self._get_ready_for(task.index)
            opened = self._open(task)
            return opened if opened.error else replace(opened, uncached=why_uncached(task.module))
        if isinstance(task, JoinTask):
            self._use(task.index, _as_traced(task.module), task.seconds, task.building).worker.start()
            return Joined(task.index)
        if isinstance(task, ExploreTask):
            # What was not rewritten when the module was opened is not now: it is to be the same program.
            used = self._use(task.index, task.module, building=0.0 if task.runs is None else None)
            if not used.worker.is_started:  # in a new process, or after an error of ours
                self._send(Starting(task.index, used.worker.limits.import_seconds))
                used.worker.start()
            self._prepare_suite(task)
            explored = used.exploring.explore(task)
            starting = 0.0 if self._ready is None else self._ready.starting
            return replace(explored, starting=starting)
        return self._build(task)

    def _build(self, task: SuiteTask) -> SuiteBuilt:
        from tracetwin.emit.suite import build_suite
        from tracetwin.run.equivalence.differences import differences

        self._modules.drop(task.index)
        ready = [self._ready] if self._opened == task.index else []
        build = partial(
            build_suite,
            task.module,
            style=task.style,
            mock=MockStyle(task.mock),
            criteria=criteria_named(task.criteria),
            elsewhere=task.elsewhere,
            place=task.place,
            seconds=task.seconds,
            within=task.within,
            before=task.before,
            suspicious=task.suspicious,
            misuse=task.misuse,
            typed=task.typed,
            met=task.met,
            differ=partial(differences, task.module),
            data=task.data,
            assertions=task.assertions,
            group=task.group,
        )
        try:
            made = salvaged(task.cases, lambda cases: build(cases, processes=ready.pop() if ready else None))
        finally:
            if self._opened == task.index:
                self._get_ready_for(-1)
        return SuiteBuilt(task.index, *made)

    def _prepare_suite(self, task: ExploreTask) -> None:
        """Start the processes for a suite beside the first exploration of a module that was opened here."""
        from tracetwin.emit.processes import SuiteProcesses

        if self._ready is None and self._holds_one and self._opened == task.index and not task.copied:
            wanted = any(criterion.wants_mutants for criterion in criteria_named(task.criteria))
            self._ready = SuiteProcesses(task.module, wants_mutants=wanted)
            self._ready.begin()

    def _use(
        self,
        index: int,
        module: TargetModule,
        seconds: float | None = None,
        building: float | None = None,
    ) -> OpenModule:
        """Return a module with its worker: ready since it was used before, or started now."""
        return self._modules.get(index, lambda: self._started(index, module, seconds, building))

    def _started(
        self, index: int, module: TargetModule, seconds: float | None, building: float | None
    ) -> OpenModule:
        from tracetwin.process.walls.sandbox import Limits
        from tracetwin.process.worker import Worker

        limit = Limits().import_seconds
        worker = Worker(
            module,
            Limits(import_seconds=limit if seconds is None else min(limit, seconds)),
            patterns=() if module.outside else patterns_of(module),
            handler=OUTSIDE if module.outside else TWIN,
            cache=cache_folder(),
            library=module.library,
            options={
                **worker_options(module, module.selection, loaded(module.rules)),
                "building": building,
            },
        )
        alone = self._modules.is_alone
        return OpenModule(worker, Exploring(index, worker, self._send, alone=lambda: alone(index)))

    def _open(self, task: OpenTask) -> ModuleOpened:
        from tracetwin.process.worker import Failed

        try:
            module = _as_traced(task.module)
            sites = sites_of(module)
            reasons = unpacking.unusable_in_place(module)
            copies = None
            if reasons and task.unpacked:
                copies = unpacking.unpacked_twice(module, task.unpacked, reasons)
        except TargetError as problem:
            return ModuleOpened(task.index, error=str(problem))
        opened = copies[0] if copies else module
        started = outlined(self._use(task.index, opened, task.seconds, task.building).worker.start())
        if isinstance(started, Failed) and task.unpacked and unpacking.misses_files(module, started.message):
            reasons = dict.fromkeys(unpacking.wheels_of(module), unpacking.OPENS_FILES)
            try:
                copies = unpacking.unpacked_twice(module, task.unpacked)
            except TargetError as problem:
                return ModuleOpened(task.index, error=f"{import_sentence(module, started)}; {problem}")
            self._modules.drop(task.index)
            started = outlined(self._use(task.index, copies[0], task.seconds, task.building).worker.start())
        if isinstance(started, Failed) and started.kind == "internal":
            failure = Failure("importing it", last_line(started.message), started.message)
            return ModuleOpened(task.index, failure=failure)
        if isinstance(started, Failed):
            error = import_sentence(module, started, copies)
            return ModuleOpened(task.index, error=error, refused=_pairs(started.refused))
        invokables = tuple(Invokable(**plain) for plain in started.info["invokables"])
        if not invokables:
            undefined = "; ".join(started.info.get("undefined", ()))
            error = undefined or nothing_sentence(module)
            refused = _pairs(started.info["refusals"])
            empty = not (undefined or module.selection)
            return ModuleOpened(task.index, error=error, refused=refused, empty=empty)
        notes = (*unpacked_notes(module, reasons), *started.info.get("notes", ()))
        private = tuple(map(tuple, started.info.get("private_lines", ())))
        return ModuleOpened(
            task.index, invokables, sites, "", notes, copies, module.outside, private,
            hidden=() if module.outside else tuple(Invokable(**plain) for plain in started.info["hidden"]),
            refused=_pairs(started.info["refusals"]),
            unguarded=tuple(started.info["walls"].get("missing", ())),
            passed=frozenset(started.info.get("entered", ())),
        )  # fmt: skip


def _as_traced(module: TargetModule) -> TargetModule:
    """Return a module with the reason why it is explored from outside, where there is one."""
    return module if module.outside else replace(module, outside=why_untouched(module))


def _pairs(refusals: Iterable[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """Refused acts as they come from a worker; it may have been made to send anything."""
    return tuple((str(event), str(detail)) for event, detail in itertools.islice(refusals, MOST_REFUSALS))
