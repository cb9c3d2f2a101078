"""The judging side of a worker: imports the meta-program once, runs cases on it, and on its mutants."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Container, Hashable, Iterable
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from tracetwin.model.case import NO_STEP, Act, Case
from tracetwin.model.codec import decode_case, decode_observation, encode, key, observation_key
from tracetwin.model.field_types import Plain
from tracetwin.model.observation import Observation, Root, ValuePath
from tracetwin.model.recipe import Dictionary
from tracetwin.model.snapshot import is_container
from tracetwin.model.status import Outcome
from tracetwin.mutation.loader import CANT, MetaFinder
from tracetwin.mutation.waits import skip_loop_sleep, skip_sleep
from tracetwin.mutation.written import TEST, SeparateTest
from tracetwin.process.deadline import Deadline, RunTimeout, end_after, never_end
from tracetwin.process.importing import ImportFailure
from tracetwin.process.walls import sandbox
from tracetwin.replay.arcs import FileMeasure
from tracetwin.replay.conditions import perturbations
from tracetwin.replay.judged_case import run_case
from tracetwin.replay.replayer import GRACE, Replayer
from tracetwin.replay.stability import merge
from tracetwin.replay.static import lines_of
from tracetwin.support.data import dataclass

_Shown = TypeVar("_Shown", bound="bool | frozenset[int]")

ASSERTED: Final = ("value", "same", "apart", "changed", "state", "stdout", "effects")
"""Parts of an observation that a test asserts, beside how the call ended."""

MOST_STEPS: Final = 2_000_000
"""Sites that a case may pass in all of its mutants together: what takes long is tried with few of them."""

MANY_STEPS: Final = 50_000
"""Sites that a case may pass of which variants are tried."""

LONG: Final = 0.06
"""Seconds that it may take, where it waits for something: twenty times as long as usual."""

WAIT: Final = 0.2
"""Seconds by which a mutant takes longer than the original that waits for something the original does not."""

FEW: Final = 6
"""Mutants that such a case is run on."""

ALONE: Final = 0.5
"""Seconds that a new case may take on the original; as many more, and it is ended."""

_seconds: Final = time.monotonic  # the target gets a clock of its own

HEAVY: Final = 0.3
"""Processor seconds after which a mutant never ends, and `HEAVIER` times those of the original.

Few sites may take for ever: numbers that are squared again and again fill the memory in fifty rounds.
"""

HEAVIER: Final = 20

MOST_AT_ONCE: Final = 8
"""Mutants that are run before it is looked whether the module is as it was before them."""

SLOW: Final = 0.02
"""Seconds beyond those of a case itself that a mutant may take to do something else."""


@dataclass
class ToRun:
    """Mutants that are to be run, and what is known of them without.

    Attributes:
        needless: those that give the same values as the original, wherever the run passes them.
        marks: those of the same mark give the same value as each other, where the run comes to them first.
    """

    numbers: list[int] = field(default_factory=list)
    needless: list[int] = field(default_factory=list)
    marks: dict[int, Hashable] = field(default_factory=dict)
    _known: dict[Hashable, Any] = field(default_factory=dict)

    def known(self, number: int) -> Any:
        """Return what became of a mutant whose run would be one that was; None where none was."""
        return self._known.get(self.marks.get(number))

    def note(self, number: int, hits: int, found: Any) -> None:
        """Remember what became of a mutant, and so of those like it, where its site was passed but once."""
        if hits == 1 and number in self.marks:
            self._known.setdefault(self.marks[number], found)


class Judge(Replayer):
    """Answers ``(seconds, case, observation or None, mutants)`` with what becomes of these.

    The answer holds ``seen``, the observation of the original (None where it is not the one that was handed
    in), ``reached``, the mutants whose sites it passes, ``steps``, how many sites it passes, ``slow``,
    whether variants of it would take too long, ``lost``, whether it was not handed in and took too long
    itself, ``refused_at``, the position of the step before its call that raised, ``tried``, those of the
    mutants that were run, ``killed``, those of them that the case notices, ``waiting``, those that it does
    not notice and that took much longer than the original, ``left``: those that were not run since this
    process is not to be used any more, and ``ordered``, whether some of the killed are noticed only by the
    order of what a returned dict holds.

    And ``("test", seconds, (source, stand-ins, class, name), mutants)`` with what a written test notices of
    them: ``fits``, whether it passes on the original, ``failing``, for each mutant that was run and makes it
    fail the numbers of its assertions that do, ``tried`` and ``left`` as above.
    """

    def _measuring(self, start: dict[str, Any]) -> FileMeasure:
        self._finder = MetaFinder(start["name"])
        self._finder.install()
        return FileMeasure(start["file"])  # the lines of mutants are of no interest

    def prepare(self, start: dict[str, Any]) -> dict[str, Any]:
        """Import the meta-program; returns its mutants."""
        skip_sleep()
        try:
            told = super().prepare(start)
        except CANT as error:
            raise ImportFailure("deep", f"it has no mutants: {type(error).__name__}") from None
        skip_loop_sleep()
        tree = ast.parse(Path(start["file"]).read_bytes())
        self._raising = {line for kind in (ast.Raise, ast.Assert) for line in lines_of(tree, kind)}
        self._sites: dict[int, list[int]] = {}
        for mutant in self._finder.mutants:
            self._sites.setdefault(mutant.site, []).append(mutant.number)
        return {**told, "mutants": [mutant.to_plain() for mutant in self._finder.mutants]}

    def handle(self, message: Any) -> Plain:
        """Run one case, or one written test, on the original and on mutants that it reaches."""
        if message[0] == TEST:
            return self._handle_test(*message[1:])
        seconds, plain, shown, asked = message
        case = decode_case(plain)
        derived = shown is None
        # A case that nobody has run yet may have no end.
        end_after(min(seconds, ALONE) + ALONE if derived else seconds + GRACE)
        switch = self._finder.switch
        switch.off()
        began = _seconds()
        seen = self._observe(case, derived=derived)
        end_after(max(0.0, seconds - (_seconds() - began)) + GRACE)
        took = _seconds() - began
        reached, steps = switch.reached, switch.steps
        lost = derived and took > ALONE
        if took > LONG and not lost:  # it waits, or it was this process that had to: a second look tells
            switch.off()
            again = _seconds()
            self._observe(case, derived=derived)
            took = min(took, _seconds() - again)
        expected = _of_new_test(case, seen) if shown is None else decode_observation(shown)
        fits = not lost and seen.outcome.is_answer and not notices(expected, seen, self._raising)
        waiting: list[int] = []
        self._ordered = False

        def noticed(number: int) -> bool:
            started = _seconds()
            found = self._notices(expected, case, self._bounded(seconds, took), derived=derived)
            if not found and _seconds() - started > took + WAIT:
                waiting.append(number)
            return found

        wanted = self._reaching(asked, took) if fits else ToRun()
        until = began + seconds - took
        tried, killed, left = self._each(wanted, noticed, steps, until)
        if derived and killed and not self.finished:
            both = self._in_common(case, expected)
            if both is not expected:
                expected, self._ordered = both, False
                _, killed, _ = self._each(ToRun([number for number, _ in killed]), noticed, steps, until)
        return {
            "seen": encode(seen) if fits else None,
            "reached": self._numbers(reached),
            "slow": steps > MANY_STEPS or took > LONG,
            "lost": lost,
            "refused_at": len(seen.setup) if seen.outcome is Outcome.FAILED_SETUP else NO_STEP,
            "steps": steps,
            "tried": tried,
            "waiting": sorted({*waiting} & {*tried}),
            "killed": [number for number, _ in killed],
            "left": left,
            "ordered": self._ordered,
        }

    def _handle_test(self, seconds: float, test: Any, asked: list[int]) -> Plain:
        """Run a written test on mutants that it reaches."""
        end_after(seconds + GRACE)
        switch = self._finder.switch
        until = _seconds() + seconds
        try:
            written = SeparateTest(*test)
        except Exception:  # noqa: BLE001 - what it imports may be gone: it says nothing then
            return {"fits": False, "tried": [], "failing": [], "left": []}
        switch.off()
        began = _seconds()
        fits = not self._run(written)
        took = _seconds() - began

        def noticed(_number: int) -> frozenset[int]:
            with self._bounded(seconds, took):
                return self._run(written)

        wanted = self._reaching(asked, took) if fits else ToRun()
        tried, failing, left = self._each(wanted, noticed, switch.steps, until - took)
        told = [(number, sorted(failed)) for number, failed in failing]
        return {"fits": fits, "tried": tried, "failing": told, "left": left}

    def _in_common(self, case: Case, expected: Observation) -> Observation:
        """Return what a second run of the original, at another time, has in common with what was seen.

        It is the same object where that is all of it.
        """
        self._finder.switch.off()
        again = self._observe(case, derived=True, later=True)
        return merge(expected, again)[0] if notices(expected, again, self._raising) else expected

    def _each(
        self, wanted: ToRun, noticed: Callable[[int], _Shown], steps: int, until: float
    ) -> tuple[list[int], list[tuple[int, _Shown]], list[int]]:
        """Switch mutants on, one after the other, until there is no time to try one more.

        After a few of them it is looked whether the module is as before. Where it is not, only the first
        of these is known to have found it so; and as that may happen again, the next process looks earlier.

        Returns those that were tried, what shows those that are noticed, and those left for another process.
        """
        tried, shown, left = wanted.needless, list[tuple[int, _Shown]](), wanted.numbers
        self.finished = not self._as_before()
        few = 1
        while left and not self.finished and _seconds() + SLOW <= until:
            found = self._some(wanted, left[:few], noticed, steps, until)
            self.finished = not self._as_before()
            found = found[:1] if self.finished else found
            tried += [number for number, _ in found]
            shown += [(number, known) for number, known in found if known]
            left = left[len(found) :]
            few = min(2 * few, MOST_AT_ONCE)
        never_end()
        return tried, shown, left if self.finished else []

    def _some(
        self,
        wanted: ToRun,
        numbers: Iterable[int],
        noticed: Callable[[int], _Shown],
        steps: int,
        until: float,
    ) -> list[tuple[int, _Shown]]:
        """Return what shows some mutants, those of them that there is time for."""
        found: list[tuple[int, _Shown]] = []
        switch = self._finder.switch
        for number in numbers:
            if _seconds() + SLOW > until:
                break
            known: _Shown | None = wanted.known(number)
            if known is None:
                mutant = self._finder.mutants[number]
                switch.on(mutant.site, mutant.choice, steps)
                known = noticed(number)
                wanted.note(number, switch.hits, known)
                switch.off()
            found.append((number, known))
        return found

    def _notices(self, expected: Observation, case: Case, bound: Deadline, *, derived: bool) -> bool:
        """Return whether a case shows that a mutant is on; one that does not end it shows."""
        try:
            with bound:
                seen = self._observe(case, derived=derived)
        except RunTimeout:
            return True
        if notices(expected, seen, self._raising):
            return True
        other = _order(expected) != _order(seen)
        self._ordered = self._ordered or other
        return other

    def _bounded(self, seconds: float, took: float) -> Deadline:
        """The processor time of a mutant whose original took so much; it may wait as long as all may."""
        return Deadline(seconds + GRACE, HEAVY + HEAVIER * took)

    def _run(self, written: SeparateTest) -> frozenset[int]:
        perturbations.start(fresh=False)
        return written.run()

    def _reaching(self, asked: list[int], took: float) -> ToRun:
        """Those of some mutants that the run before this has reached, as many as can be tried."""
        switch, mutants = self._finder.switch, self._finder.mutants
        needless, alike = switch.needless(), switch.alike()
        keys = {number: (mutants[number].site, mutants[number].choice) for number in asked}
        reached = [number for number in asked if keys[number][0] in switch.reached]
        wanted = [number for number in reached if keys[number] not in needless]
        most = FEW if took > LONG else max(1, MOST_STEPS // (1 + switch.steps))
        return ToRun(
            wanted[:most],
            [number for number in reached if keys[number] in needless],
            {number: alike[keys[number]] for number in wanted[:most] if keys[number] in alike},
        )

    def _numbers(self, sites: Iterable[int]) -> list[int]:
        return sorted(number for site in sites for number in self._sites[site])

    def _observe(self, case: Case, *, derived: bool, later: bool = False) -> Observation:
        perturbations.start(fresh=False, later=later)
        kept = self._preconditions[derived]
        return run_case(case, self._module, sandbox.guard(), self._measure.code_file(), preconditions=kept)

    def _as_before(self) -> bool:
        return not self._conditions.held and self._untouched.again()


def _of_new_test(case: Case, seen: Observation) -> Observation:
    """Return what a new test of a case will assert, at most.

    That is the calls of members of mocks that the target itself calls, and what a changed receiver tells when
    it is asked; beside what changed, attributes that stayed as they were are not looked at.
    """
    receiver = ValuePath(Root.VAR, case.last.place)
    changed = receiver in seen.touched or case.last.act is Act.SET
    if changed and seen.changed:
        told = [pair for pair in seen.state if (pair[0].attribute or "").endswith(")")]
        seen = replace(seen, state=tuple(told))
    members = {(call.number, call.member) for call in seen.calls if call.line and call.line > 0}
    own = tuple(call for call in seen.calls if (call.number, call.member) in members)
    return replace(seen, calls=own, state=seen.state if changed else ())


def notices(expected: Observation, seen: Observation, raising: Container[int] = ()) -> bool:
    """Return whether a test that asserts all of an observation fails where another is seen."""
    shown = {path for path, _ in expected.state}
    state = tuple(pair for pair in seen.state if pair[0] in shown)
    seen = replace(seen, state=state, apart=tuple(pair for pair in seen.apart if pair in expected.apart))
    both, _ = merge(expected, seen)
    if both.outcome is not expected.outcome:
        return True
    raised, again = expected.raised, seen.raised
    if raised is not None and again is not None and raised.message not in (None, again.message):
        return raised.is_stated or expected.raised_at in raising
    asserted = {(call.number, call.member) for call in expected.calls}
    if _calls(expected, asserted) != _calls(seen, asserted):
        return True
    left_alone = {path for path, snap in expected.kept if is_container(snap)}
    if any(path in left_alone for path, _ in seen.changed):
        return True
    # To `assertEqual`, 2 and 2.0 are the same.
    other = [name for name in ASSERTED if getattr(expected, name) != getattr(seen, name)]
    return observation_key(both, other) != observation_key(expected, other)


def _order(seen: Observation) -> list[bytes]:
    """The keys of a returned dict, in their order."""
    return [key(name) for name, _ in seen.value.pairs] if isinstance(seen.value, Dictionary) else []


def _calls(seen: Observation, asserted: Container[tuple[int, str]]) -> list[tuple[object, ...]]:
    """The calls of some members of mocks."""
    return [
        (call.number, call.member, call.args, call.kwargs, call.is_early)
        for call in seen.calls
        if (call.number, call.member) in asserted
    ]
