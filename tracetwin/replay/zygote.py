"""The replaying process: imports the target once, then forks a clean child for every case."""

from __future__ import annotations

import fcntl
import importlib
import signal
import sys
import types
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import coverage

from tracetwin.drawing.environment.apply import preload
from tracetwin.model.case import Case
from tracetwin.model.codec.cases import decode_case
from tracetwin.model.codec.observations import encode_observation
from tracetwin.model.observation import ended
from tracetwin.model.status import Outcome
from tracetwin.process import disk, wire
from tracetwin.process.integrity import Soundness
from tracetwin.process.walls import sandbox
from tracetwin.process.walls.permissions import Permissions
from tracetwin.replay.case import run_case
from tracetwin.replay.conditions import perturbations as drift
from tracetwin.replay.conditions.conditions import Conditions
from tracetwin.replay.observe import rules
from tracetwin.replay.observe.interfaces import look_ahead
from tracetwin.replay.observe.preconditions import Preconditions
from tracetwin.replay.observe.untraced import OutsideMeasure
from tracetwin.replay.time_allowance import Patience
from tracetwin.support import hiding
from tracetwin.support.stdlib_copies import leave, os, time

GRACE = 2.0


class Sink:
    """Takes what coverage.py measured, in the place of its database."""

    def __init__(self) -> None:
        self.arcs: set[tuple[int, int]] = set()

    def set_context(self, _context: str | None) -> None:
        """Contexts are kept apart by taking the arcs away in between."""

    def add_arcs(self, arcs: dict[str, Iterable[tuple[int, int]]]) -> None:
        """Only one file is ever measured."""
        for some in arcs.values():
            self.arcs.update(some)

    def add_file_tracers(self, _tracers: dict[str, str]) -> None:
        """There are no plugins."""


class Measure:
    """Which lines and arcs of one file are executed, by coverage.py.

    Measuring starts before the import and goes on in every forked child. The data does not go through
    coverage.py's database: opening one takes longer than a case, and the sandbox may refuse it.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        # In a pattern the characters *?[ are special; ? stands for itself as well as for any other.
        pattern = "".join("?" if letter in "*?[]" else letter for letter in file)
        self.cover = coverage.Coverage(
            data_file=None, branch=True, include=[pattern], config_file=False, messages=False
        )
        # The other cores do not know contexts.
        self.cover.set_option("run:core", "ctrace")
        self.cover.set_option("run:disable_warnings", list(_QUIET))
        self.sink = Sink()

    def start(self) -> None:
        """From here on lines are counted, in this process and those forked from it."""
        self.cover.start()
        collector: Any = self.cover._collector  # noqa: SLF001
        collector.use_data(self.sink, None)

    def outline(self) -> None:
        """Nothing: the source tells what there is to cover."""

    def code_file(self) -> str:
        """What tracebacks call the file."""
        return self.file

    def take(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Lines and arcs since this was last called; measuring goes on."""
        self.cover.switch_context("")
        arcs, self.sink.arcs = self.sink.arcs, set()
        return sorted({line for arc in arcs for line in arc if line > 0}), sorted(arcs)


_QUIET = ("no-ctracer", "no-sysmon", "trace-changed", "include-ignored")


def main() -> None:
    """Read one job, answer what the import did and then what each case did."""
    job = wire.read(0)
    incoming, outgoing = _private_pipes()
    zygote = Zygote(job, incoming, outgoing)
    try:
        zygote.run()
    except (BrokenPipeError, wire.Closed):
        leave(1)
    leave(0)


def _private_pipes() -> tuple[int, int]:
    """Move our channel out of the way of a target that closes or counts descriptors."""
    incoming = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, sandbox.PROTOCOL_FD)
    outgoing = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, sandbox.PROTOCOL_FD)
    return incoming, outgoing


class Zygote:
    """Holds the imported target and answers for each case."""

    def __init__(self, job: dict[str, Any], incoming: int, outgoing: int) -> None:
        self.job = job
        self.conditions = Conditions.from_plain(job["conditions"])
        rules.install(job["rules"])
        self.incoming = incoming
        self.outgoing = outgoing
        self.patience = Patience(job["seconds"])
        self.limits = sandbox.Limits.from_plain(job["limits"])
        self.measure: Measure | OutsideMeasure = (
            OutsideMeasure(job["name"], job["file"]) if job["file"].endswith(".pyc") else Measure(job["file"])
        )
        self.preconditions = Preconditions(job["assume"], annotated=job["more"])
        self.module: types.ModuleType = sys
        self.scratch = ""
        self.sound: Soundness | None = None

    def run(self) -> None:
        answer = self._import()
        wire.write_all(self.outgoing, wire.pack(answer))
        if "error" in answer:
            return
        self.sound = Soundness()
        drift.prepare()
        cases, first = self.job["cases"], 0
        while True:
            for number, case in enumerate(cases, first):
                wire.write_all(self.outgoing, self._answer(number, decode_case(case)))
            if not self.job["more"]:
                return
            cases, first = wire.read(self.incoming), first + len(cases)

    def _import(self) -> dict[str, Any]:
        job = self.job
        drift.apply(self.conditions)
        sys.argv[:] = [""]
        sys.dont_write_bytecode = True
        self.kept = hiding.hide_ourselves()
        hiding.target_first(job["root"], job["search_path"])
        here = str(Path.cwd())
        self.scratch = drift.folder(here, self.conditions)
        sandbox.enter(
            drift.limits(self.limits, self.conditions),
            self.scratch,
            permissions=Permissions.from_plain(job["rules"].get("permissions")),
            readable=[job["root"], *job["search_path"]],
        )
        drift.settle(self.conditions)
        warnings.simplefilter("ignore")
        sys.modules.pop(job["name"], None)
        importlib.invalidate_caches()
        recursion = sys.getrecursionlimit()
        # Whoever started us may be gone by the time an import hangs.
        signal.setitimer(signal.ITIMER_REAL, self.limits.import_seconds + GRACE)
        try:
            self.measure.start()
            self.module = importlib.import_module(job["name"])
        except BaseException as error:  # noqa: BLE001 - a target may raise anything when imported
            return {"error": f"{type(error).__name__}: {error}"}
        finally:
            sys.setrecursionlimit(recursion)  # our own side needs it, too
            signal.setitimer(signal.ITIMER_REAL, 0)
        drift.give_arguments(self.conditions)
        lines, arcs = self.measure.take()
        return {"lines": lines, "arcs": arcs, "outline": self.measure.outline()}

    def _answer(self, number: int, case: Case) -> bytes:
        """Fork a child for the case and wait for what it has to say."""
        seconds = self.patience.of(case)
        if not seconds:
            return _packed(Outcome.TIMEOUT, "other inputs of it took too long")
        preload(case)
        look_ahead(case)
        reading, writing = os.pipe()
        with sandbox.forking():
            child = os.fork()
        if child == 0:
            os.close(reading)
            self._child(case, writing, seconds)
        os.close(writing)
        try:
            until = time.monotonic() + seconds
            if not disk.wait(reading, until, self.scratch):
                return _packed(Outcome.DIED, f"it {disk.WORDS}")
            body = wire.read_body(reading, until)
            return wire.HEADER.pack(len(body)) + body
        except wire.TooLate:
            self.patience.note(case)
            return _packed(Outcome.TIMEOUT, f"took more than {seconds:g} seconds")
        except wire.Closed:
            return _packed(Outcome.DIED, "the process ended")
        finally:
            os.close(reading)
            with sandbox.forking():
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)

    def _child(self, case: Case, writing: int, seconds: float) -> None:
        """Never returns: a child ends here, whatever happens."""
        try:
            os.close(self.incoming)
            os.close(self.outgoing)
            signal.setitimer(signal.ITIMER_REAL, seconds + GRACE)
            sandbox.seal()
            self.measure.take()
            drift.start()
            take = self.measure.take

            def take_before() -> Any:
                """What was measured until the case's own call, which gets the same addresses each time."""
                taken = take()
                drift.settle_addresses()
                return taken

            file = self.measure.code_file()
            guard, sound = sandbox.guard(), self.sound
            seen = run_case(case, self.module, guard, file, take_before, self.preconditions, sound)
            lines, arcs = take()
            seen = replace(
                seen,
                own_lines=tuple(lines),
                own_arcs=tuple(arcs),
                lines=tuple(sorted({*seen.lines, *lines})),
                arcs=tuple(sorted({*seen.arcs, *arcs})),
            )
            wire.write_all(writing, wire.pack(encode_observation(seen)))
        finally:
            leave(0)


def _packed(outcome: Outcome, why: str) -> bytes:
    """The message of a case that came to no end of its own."""
    return wire.pack(encode_observation(ended(outcome, why)))
