"""The replaying side of a worker: imports the original once, then runs one case in each fork."""

from __future__ import annotations

import importlib
import sys
import types
from dataclasses import replace
from typing import Any

from tracetwin.drawing.environment.apply import preload
from tracetwin.model.case import Act, Case
from tracetwin.model.codec import decode_case, encode
from tracetwin.model.field_types import Plain, prepare
from tracetwin.model.observation import Observation
from tracetwin.model.status import Outcome
from tracetwin.process.deadline import end_after, never_end
from tracetwin.process.importing import ImportFailure, describe, import_target
from tracetwin.process.integrity import Soundness
from tracetwin.process.serving import Handler
from tracetwin.process.walls import sandbox
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.arcs import FileMeasure, measure_for
from tracetwin.replay.conditions import packages, perturbations
from tracetwin.replay.conditions.conditions import Conditions
from tracetwin.replay.judged_case import run_case
from tracetwin.replay.observe import rules
from tracetwin.replay.observe.interfaces import look_ahead
from tracetwin.replay.observe.leaks import Leaks
from tracetwin.replay.observe.preconditions import Preconditions
from tracetwin.replay.untouched import Untouched

GRACE = 2.0

class Replayer(Handler):
    """Answers ``(seconds, derived, whole, case)`` with an observation, as plain data.

    Each case begins with the module as it was imported: in a process in which others were run before, if
    these left it as it was or that could be put back, else in a new one.

    The start message holds, beside the usual: ``conditions`` (as plain data), ``guide`` (the module's rules),
    ``assume`` (preconditions that derived cases, those of our own making, have to keep).
    """

    limits_itself = True
    _fresh = True
    _leaks: Leaks | None = None

    def surround(self, start: dict[str, Any], limits: Limits) -> tuple[Limits, str]:
        """Apply the conditions; the target's folder is one of theirs."""
        self._conditions = Conditions.from_plain(start["conditions"])
        perturbations.apply(self._conditions)
        folder = perturbations.folder(start["scratch"], self._conditions)
        return perturbations.limits(limits, self._conditions), folder

    def prepare(self, start: dict[str, Any]) -> dict[str, Any]:
        """Import the original; returns the lines and arcs that ran, and the outline of mere bytecode."""
        rules.install(start["guide"])
        assumed = Preconditions(start["assume"], annotated=True)
        self._preconditions = {False: Preconditions(), True: assumed}
        self._measure = self._measuring(start)
        sys.argv[:] = [""]
        perturbations.settle(self._conditions)
        importlib.invalidate_caches()
        try:
            self._measure.start()
        except ImportError as error:
            raise ImportFailure("import raised", describe(error)) from None
        self._module: types.ModuleType = import_target(start)
        perturbations.give_arguments(self._conditions)
        packages.have_others(self._conditions, start["name"])
        lines, arcs = self._measure.take()
        if (tempfile := sys.modules.get("tempfile")) is not None:
            tempfile.gettempdir()  # which is found out by a file that is made there, once
        self._sound = Soundness()
        self._untouched = Untouched(self._module)
        perturbations.prepare()
        prepare()
        return {"lines": lines, "arcs": arcs, "outline": self._measure.outline()}

    def _measuring(self, start: dict[str, Any]) -> FileMeasure:
        """Return what sees the lines that run; asked before the original is imported."""
        return measure_for(start["name"], start["file"], elsewhere=bool(start["elsewhere"]))

    def foresee(self, message: list[Plain]) -> None:
        """Import and look up what some cases need."""
        known = len(sys.modules)
        for case in map(decode_case, message):
            preload(case)
            look_ahead(case)
            self._get_ready_for(case)
        if len(sys.modules) != known or self._untouched.changed():
            self.imported()

    def imported(self) -> None:
        """Take what was imported now, and what that changed in others, for what is there from the start."""
        self._untouched, self._sound = Untouched(self._module), Soundness()

    def stays(self) -> bool:
        return self._untouched.has_only_grown()

    def _get_ready_for(self, case: Case) -> None:
        if case.asks_leaks and self._leaks is None:
            self._leaks = Leaks(self._module, self._changed)

    def _changed(self) -> bool:
        return self._untouched.changed()

    def handle(self, message: tuple[float, bool, bool, Plain]) -> Plain:
        seconds, derived, whole, case = *message[:3], decode_case(message[3])
        fresh, self._fresh = self._fresh, False
        self._get_ready_for(case)
        # Whoever started us may be gone by the time a case hangs.
        end_after(seconds + GRACE)
        take = self._measure.take
        take()
        perturbations.start(fresh=fresh)

        def take_before() -> Any:
            """Lines and arcs until the case's own call, which gets the same addresses each time."""
            taken = take()
            if fresh:
                perturbations.settle_addresses()
            return taken

        file, guard = self._measure.code_file(), sandbox.guard()
        kept = self._preconditions[derived]
        seen = run_case(
            case, self._module, guard, file, take_before, kept, self._sound, self._leaks, whole=whole
        )
        lines, arcs = take()
        own_lines, own_arcs = {*seen.own_lines, *lines}, {*seen.own_arcs, *arcs}
        # Where all stands still, addresses do too: they depend on what ran before.
        shared = _is_over(case, seen) and not self._conditions.held
        self.finished = not (shared and self._untouched.again())
        never_end()
        measured = replace(
            seen,
            own_lines=tuple(sorted(own_lines)),
            own_arcs=tuple(sorted(own_arcs)),
            lines=tuple(sorted({*seen.lines, *own_lines})),
            arcs=tuple(sorted({*seen.arcs, *own_arcs})),
        )
        return encode(measured)


def _is_over(case: Case, seen: Observation) -> bool:
    """Return whether a case came to an end of its own, so that its process may be as it was before.

    One that failed in its preparation may have left contexts open.
    """
    failed = seen.outcome is Outcome.FAILED_SETUP and all(step.act is not Act.WITH for step in case.steps)
    return failed or seen.outcome.is_answer
