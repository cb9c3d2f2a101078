"""The replaying process: imports the target once, then forks a clean child for every case."""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import signal
import sys
import time
import types
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import coverage

from tracetwin.environment.apply import preload
from tracetwin.replay import drift, hiding, rules, wire
from tracetwin.replay.case import blank, run_case
from tracetwin.replay.interfaces import look_ahead
from tracetwin.replay.outside import OutsideMeasure
from tracetwin.replay.preconditions import Preconditions
from tracetwin.worker import sandbox

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
        os._exit(1)
    os._exit(0)


def _private_pipes() -> tuple[int, int]:
    """Move our channel out of the way of a target that closes or counts descriptors."""
    incoming = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, sandbox.PROTOCOL_FD)
    outgoing = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, sandbox.PROTOCOL_FD)
    return incoming, outgoing


class Zygote:
    """Holds the imported target and answers for each case."""

    def __init__(self, job: dict[str, Any], incoming: int, outgoing: int) -> None:
        self.job = job
        rules.install(job["rules"])
        self.incoming = incoming
        self.outgoing = outgoing
        self.seconds: float = job["seconds"]
        self.limits = sandbox.Limits.from_plain(job["limits"])
        self.measure: Measure | OutsideMeasure = (
            OutsideMeasure(job["name"], job["file"]) if job["file"].endswith(".pyc") else Measure(job["file"])
        )
        self.preconditions = Preconditions(job["assume"], annotated=job["more"])
        self.module: types.ModuleType = sys

    def run(self) -> None:
        answer = self._import()
        wire.write_all(self.outgoing, wire.pack(answer))
        if "error" in answer:
            return
        gc.collect()
        gc.freeze()
        cases, first = self.job["cases"], 0
        while True:
            for number, case in enumerate(cases, first):
                wire.write_all(self.outgoing, self._answer(number, case))
            if not self.job["more"]:
                return
            cases, first = wire.read(self.incoming), first + len(cases)

    def _import(self) -> dict[str, Any]:
        job = self.job
        drift.start_machine(long_ago=not job["drift"])
        if job["drift"]:
            drift.apply()
        sys.argv[:] = [""]
        sys.dont_write_bytecode = True
        self.kept = hiding.hide_ourselves()
        hiding.target_first(job["root"], job["search_path"])
        here = str(Path.cwd())
        sandbox.enter(self.limits, drift.folder(here) if job["drift"] else here)
        if job["drift"]:
            drift.settle()
        warnings.simplefilter("ignore")
        sys.modules.pop(job["name"], None)
        importlib.invalidate_caches()
        # Whoever started us may be gone by the time an import hangs.
        signal.setitimer(signal.ITIMER_REAL, self.limits.import_seconds + GRACE)
        try:
            self.measure.start()
            self.module = importlib.import_module(job["name"])
        except BaseException as error:  # noqa: BLE001 - a target may raise anything when imported
            return {"error": f"{type(error).__name__}: {error}"}
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if job["drift"]:
            drift.give_arguments()
        lines, arcs = self.measure.take()
        return {"lines": lines, "arcs": arcs, "outline": self.measure.outline()}

    def _answer(self, number: int, case: dict[str, Any]) -> bytes:
        """Fork a child for the case and wait for what it has to say."""
        preload(case)
        look_ahead(case)
        reading, writing = os.pipe()
        with sandbox.forking():
            child = os.fork()
        if child == 0:
            os.close(reading)
            self._child(case, writing)
        os.close(writing)
        try:
            body = wire.read_body(reading, time.monotonic() + self.seconds)
            return wire.HEADER.pack(len(body)) + body
        except wire.TooLate:
            return wire.pack(blank("timeout", f"took more than {self.seconds:g} seconds"))
        except wire.Closed:
            return wire.pack(blank("died", "the process ended"))
        finally:
            os.close(reading)
            with sandbox.forking():
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)

    def _child(self, case: dict[str, Any], writing: int) -> None:
        """Never returns: a child ends here, whatever happens."""
        try:
            os.close(self.incoming)
            os.close(self.outgoing)
            signal.setitimer(signal.ITIMER_REAL, self.seconds + GRACE)
            sandbox.kernel().die_with_parent()
            self.measure.take()
            take = self.measure.take
            file = self.measure.code_file()
            seen = run_case(case, self.module, sandbox.guard(), file, take, self.preconditions)
            lines, arcs = seen.pop("earlier", ([], []))
            seen["own_lines"], seen["own_arcs"] = take()
            seen["lines"] = sorted({*lines, *seen["own_lines"]})
            seen["arcs"] = sorted({*arcs, *seen["own_arcs"]})
            wire.write_all(writing, wire.pack(seen))
        finally:
            os._exit(0)
