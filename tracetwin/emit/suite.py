"""From cases to a test file that was seen to pass: the one call that does it all."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tracetwin.emit.exhibit import Chosen
from tracetwin.emit.mocks.mocked import has_mocks
from tracetwin.emit.neighbours import importable_beside, is_first_party
from tracetwin.emit.render.render import Rendered, WrittenTest, render
from tracetwin.emit.result import Covered, Suite
from tracetwin.emit.select.choice import Choice
from tracetwin.emit.select.select import without_repetitions
from tracetwin.emit.select.suspicious import suspicion
from tracetwin.emit.verify.regressions import regressions
from tracetwin.emit.verify.verify import TOOK_TOO_LONG, Page, SuiteBroken, Test, TrialFailure, verify
from tracetwin.explore.criteria.base import Criterion, Raising
from tracetwin.explore.criteria.branch import CRITERION as BRANCH
from tracetwin.model.case import Case
from tracetwin.model.options import APART, INCLUDE, OMIT, MockStyle
from tracetwin.model.written_test import WrittenTest as ShownTest
from tracetwin.mutation.session import MutantSession
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.causes import explained, import_explained
from tracetwin.replay.session import CASE_SECONDS, Replay
from tracetwin.replay.stability import TwoSessions
from tracetwin.replay.static import coverable, outlined
from tracetwin.support.stopwatch import Stopwatch
from tracetwin.target.outline import from_plain

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

# Rounds in which failing tests are replaced by others (fewer where the time is up), in which of them only an
# assertion is dropped, the assertions that one test may lose, and the rounds in which it is found out why
# tests fail.
SUSPICIOUS: Final = (
    "They pin what looks like a fault: an error that no statement raises, or a result that is not what its"
    " annotation says. Look at each before you keep it."
)

MOST_ROUNDS, MOST_LATE_ROUNDS = 5, 2
MOST_MENDED_ROUNDS = 10
MOST_SILENCED = 3
MOST_IMPORTS = 40
MOST_EXPLAINED = 4

LEAST_SECONDS: Final = 2.0
"""For making the chosen cases better, however little time is left."""

GLANCING: Final = 0.4
"""Part of the time for replaying all cases once; what is not replayed by then is not chosen."""

LEAST_EXPLAINING: Final = 1.0
"""Seconds for finding out what unstable cases depend on."""


def build_suite(
    module: TargetModule,
    cases: Sequence[Case],
    *,
    style: str = "unittest",
    mock: MockStyle = MockStyle.AUTO,
    criteria: Sequence[Criterion] = (BRANCH,),
    limits: Limits | None = None,
    timeout_per_case: float = CASE_SECONDS,
    first_party: bool | None = None,
    elsewhere: TargetModule | None = None,
    place: str = "",
    seconds: float = math.inf,
    before: Sequence[str] = (),
    suspicious: str = APART,
) -> Suite:
    """Replay the cases, choose, replay twice, write, run what was written, and drop what did not pass.

    The same cases give the same text, where there is time enough.

    Args:
        module: the target.
        cases: what to call.
        style: the dialect.
        criteria: say what the suite has to keep.
        mock: how mocks are written.
        limits: those of the sandbox; None for its defaults.
        timeout_per_case: seconds for one case, and for one test.
        first_party: whether import sorters will know the target as part of the project; None: whether its
            root is the current folder or `src` in it.
        elsewhere: a copy of the target at another place, where the place is none to rely on.
        place: what the file says of where the target is imported from; "" for the usual words.
        seconds: how long it may take, about; cases that are not shortened by then are written as they are.
        before: the files of tests that these are to replace: what no longer holds of them is told.
        suspicious: where tests go that pin what looks like a fault, one of `SUSPICIONS`.
    """
    started = time.monotonic()
    watch = Stopwatch()
    cases = without_repetitions(cases)
    facts = None
    try:
        if not module.file.endswith(".pyc"):
            facts = coverable(module.file)
    except Exception as error:  # noqa: BLE001 - coverage.py has its own for syntax errors and missing files
        return Suite(error=str(error))
    wants_mutants = any(criterion.wants_mutants for criterion in criteria)
    with (
        TwoSessions(
            module, timeout_per_case=timeout_per_case, limits=limits, elsewhere=elsewhere
        ) as sessions,
        MutantSession(module, limits, enabled=wants_mutants) as mutants,
    ):
        with watch.phase("replaying"):
            replayed = _glanced(sessions, cases, max(LEAST_SECONDS, GLANCING * seconds))
        replayed_at = time.monotonic()
        # What is made better is replayed twice again in the end, and then run.
        until = max(replayed_at + LEAST_SECONDS, 2 * started + seconds - replayed_at)
        if replayed.outline is not None:
            facts = outlined(module.file, from_plain(replayed.outline))
        if replayed.error or facts is None:
            why = replayed.error and import_explained(module, replayed.error, limits)
            return Suite(error=why, coverable=facts)
        maker = _Maker(
            Choice(
                module,
                cases,
                replayed,
                facts,
                sessions,
                mutants,
                style=style,
                mock=mock,
                criteria=criteria,
                importable=importable_beside(module),
                seconds=timeout_per_case,
                limits=limits,
                until=until,
                watch=watch,
            )
        )
        maker.place = place
        maker.suspicious = suspicious
        maker.first_party = is_first_party(module.root) if first_party is None else first_party
        with watch.phase("choosing"):
            suite = maker.make()
        with watch.phase("comparing"):
            pages = (Page(text, module, style, limits, timeout_per_case) for text in before)
            lost = [one for page in pages for one in regressions(page)]
        return replace(suite, phases=watch.seconds, regressions=lost)


class _Maker:
    first_party = False
    place = ""
    suspicious = APART

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.module = choice.module
        self.facts = choice.facts
        self.excluded = choice.excluded
        self.silenced = choice.silenced
        self.imports = 0
        self.explained = 0
        self.late = 0

    def make(self) -> Suite:
        """Write, run, and learn from what fails, until nothing does: each round leaves less to write."""
        chosen, number = self.choice.choose(), 0
        while chosen:
            page = self._render(chosen)
            if page.dropped:
                self._drop_unwritable(chosen, page)
            else:
                failures = self._failures(chosen, page)
                if not failures:
                    return self._parted(chosen, page)
                number += 1
                for test, failure in failures.items():
                    self._learn(chosen, test, failure, mend=number < MOST_MENDED_ROUNDS)
            # What replaces failing tests often fails for the same reason: in the end the others are kept.
            left = [position for position in chosen if position not in self.excluded]
            most = MOST_LATE_ROUNDS if self.choice.is_late else MOST_ROUNDS
            chosen = self.choice.choose() if number < most else left
        return self._suite([([], Rendered(""))], {})

    def _parted(self, chosen: list[int], page: Rendered) -> Suite:
        """The suite, with the tests that pin what looks like a fault in a file of their own."""
        looked_at = ((position, self.choice.now(position)) for position in chosen)
        odd = {
            position: why for position, pair in looked_at if (why := suspicion(*pair, self.facts))
        }
        if not odd or self.suspicious == INCLUDE:
            return self._suite([(chosen, page)], odd)
        groups = [[at for at in chosen if at not in odd], [at for at in chosen if at in odd]]
        pages = [self._render(groups[0]) if groups[0] else Rendered(""), self._render(groups[1], SUSPICIOUS)]
        parts = list(zip(groups, pages, strict=True))
        if any(one.dropped or (group and self._failures(group, one)) for group, one in parts):
            return self._suite([(chosen, page)], odd)  # they hold together only
        return self._suite(parts[:1], {}) if self.suspicious == OMIT else self._suite(parts, odd)

    def _drop_unwritable(self, chosen: list[int], page: Rendered) -> None:
        for at, why in page.dropped:
            lost = self.silenced.get(chosen[at])
            self.excluded[chosen[at]] = f"no assertion holds in every run: {lost[0]}" if lost else why

    def _learn(self, chosen: list[int], test: WrittenTest, failure: TrialFailure, *, mend: bool) -> None:
        """Drop the assertion that failed; the test where it was none, or where too many did."""
        position = chosen[test.position]
        case, seen = self.choice.now(position)
        if has_mocks(case) and not seen.as_class:
            self.choice.as_class(position)  # which does exactly what was replayed
            return
        mark = test.assertion(failure.line)
        lost = self.silenced.get(position, [])
        if mark is None or not mend or len(lost) >= MOST_SILENCED:
            self.excluded[position] = failure.why
        else:
            self.choice.silence(position, mark, failure.why)

    def _render(self, chosen: list[int], about: str = "") -> Rendered:
        return render(
            self.module.name,
            [self.choice.now(i) for i in chosen],
            self.facts,
            style=self.choice.style,
            mock=self.choice.mock,
            importable=self.choice.importable,
            first_party=self.first_party,
            place=self.place,
            about=about,
        )

    def _failures(self, chosen: list[int], page: Rendered) -> dict[WrittenTest, TrialFailure]:
        """The tests that did not pass, and why."""
        named = {(test.class_name, test.name): test for test in page.tests}
        try:
            failures = self._verify(page, list(named))
        except SuiteBroken as error:
            guilty = self._guilty(chosen, str(error))
            return {test: guilty[test.position] for test in page.tests if test.position in guilty}
        return {named[test]: failure for test, failure in failures.items()}

    def _verify(self, page: Rendered, tests: list[Test]) -> dict[Test, TrialFailure]:
        choice = self.choice
        made = Page(page.text, self.module, choice.style, choice.limits, choice.seconds, self.late)
        with choice.watch.phase("verifying"):
            failures = verify(made, tests, explain=self.explained < MOST_EXPLAINED and not choice.is_late)
        self.explained += bool(failures)
        self.late += sum(failure.why == TOOK_TOO_LONG for failure in failures.values())
        return failures

    def _guilty(self, chosen: list[int], why: str) -> dict[int, TrialFailure]:
        """Which of the chosen, by their positions in it, make a file that can't be imported."""
        failure = TrialFailure(f"the written file could not be imported: {why}")
        found: list[int] = []
        suspects = [list(range(len(chosen)))]
        if self._is_broken(f"import {self.module.name}\n"):
            return dict.fromkeys(suspects[0], failure)
        while suspects:
            part = suspects.pop()
            if len(part) == 1 or self.imports >= MOST_IMPORTS:
                found += part
                continue
            halves = [part[: len(part) // 2], part[len(part) // 2 :]]
            broken = [
                half for half in halves if self._is_broken(self._render([chosen[i] for i in half]).text)
            ]
            # Halves that are fine by themselves hinder each other.
            found += [] if broken else halves[1]
            suspects += broken
        return dict.fromkeys(found, failure)

    def _is_broken(self, text: str) -> bool:
        self.imports += 1
        try:
            self._verify(Rendered(text), [])
        except SuiteBroken:
            return True
        return False

    def _suite(self, parts: Sequence[tuple[list[int], Rendered]], odd: Mapping[int, str]) -> Suite:
        """The suite of one page, or of two: the second holds what looks like a fault."""
        self._explain()
        chosen = [position for group, _ in parts for position in group]
        written = [(group[test.position], test) for group, page in parts for test in page.tests]
        return Suite(
            parts[0][1].text,
            dict(Counter(self.choice.now(position)[0].target for position, _ in written)),
            [(test.class_name, test.name, self.choice.now(position)[0]) for position, test in written],
            self._coverage(chosen),
            [(self.choice.cases[i], reason) for i, reason in sorted(self.excluded.items())],
            [(self.choice.now(i)[0], reason) for i in chosen for reason in self.choice.left_out(i)],
            self._disagreements(),
            self._dropped_lines(),
            None,
            self.facts,
            self._first_reached(),
            mutants=self.choice.mutants(chosen),
            shown=[self._shown(position, test) for position, test in written],
            raised=self._raised(self.choice.now(position) for position in chosen),
            raised_anywhere=self._raised(map(self.choice.now, range(len(self.choice.cases)))),
            apart=parts[1][1].text if len(parts) > 1 else "",
            suspicious=[
                (f"{test.class_name}.{test.name}".lstrip("."), odd[position])
                for position, test in written
                if position in odd
            ],
        )

    def _shown(self, position: int, test: WrittenTest) -> ShownTest:
        case, seen = self.choice.now(position)
        lines, arcs = self.facts.covered(seen.lines, seen.arcs)
        killed = self.choice.noticed(case)
        return ShownTest(
            test.class_name, test.name, case.target, tuple(sorted(lines)), tuple(sorted(arcs)), killed
        )

    @staticmethod
    def _raised(cases: Iterable[Chosen]) -> frozenset[Raising]:
        found = set()
        for case, seen in cases:
            if seen.raised is not None:
                module, name = seen.raised.place
                kind = name if module in ("builtins", "") else f"{module}.{name}"
                found.add(Raising(case.target, kind, seen.raised_at or 0))
        return frozenset(found)

    def _explain(self) -> None:
        """Say what it depends on that cases which make no test do not end alike each time."""
        places = sorted(self.excluded)
        dropped = [(self.choice.cases[i], self.excluded[i]) for i in places]
        left = max(LEAST_EXPLAINING, self.choice.until - time.monotonic())
        with self.choice.watch.phase("explaining"):
            found = explained(self.module, dropped, self.choice.limits, seconds=left)
        self.excluded.update((i, reason) for i, (_, reason) in zip(places, found, strict=True))

    def _first_reached(self) -> dict[str, dict[int, float]]:
        found: dict[str, dict[int, float]] = {}
        for case, seen in zip(self.choice.cases, self.choice.replayed.observations, strict=True):
            lines = found.setdefault(case.target, {})
            for line in seen.lines:
                lines[line] = min(lines.get(line, case.found), case.found)
        return found

    def _dropped_lines(self) -> dict[str, dict[int, str]]:
        found: dict[str, dict[int, str]] = {}
        for position, reason in sorted(self.excluded.items()):
            lines = found.setdefault(self.choice.cases[position].target, {})
            for line in self.choice.replayed.observations[position].lines:
                lines.setdefault(line, reason)
        return found

    def _disagreements(self) -> dict[str, int]:
        """How often the twin did not do what the original does: each is a fault of ours, or unstable code."""
        found: dict[str, int] = {}
        for case, seen in zip(self.choice.cases, self.choice.replayed.observations, strict=True):
            if not seen.outcome.is_answer:
                continue
            ending = seen.outcome.value
            if seen.raised is not None:
                ending += " " + seen.raised.qualname.rpartition(".")[2]
            if case.origin.split()[0] in ("returned", "raised") and case.origin != ending:
                name = case.target
                found[name] = found.get(name, 0) + 1
        return found

    def _coverage(self, chosen: Iterable[int]) -> dict[str, Covered]:
        lines, arcs = set(self.choice.replayed.import_lines), set(self.choice.replayed.import_arcs)
        for position in chosen:
            seen = self.choice.now(position)[1]
            lines |= set(seen.lines)
            arcs |= set(seen.arcs)
        got_lines, got_arcs = self.facts.covered(lines, arcs)
        coverage = {"": Covered(self.facts.lines, got_lines, self.facts.arcs, got_arcs)}
        for function in self.facts.functions:
            coverage[function.place] = coverage[function.qualname] = Covered(
                function.lines, function.lines & got_lines, function.arcs, function.arcs & got_arcs
            )
        return coverage


def _glanced(sessions: TwoSessions, cases: Sequence[Case], seconds: float) -> Replay:
    """All cases replayed once, in their order; those that show something new get their turn first."""
    known: set[object] = set()
    new, others = list[int](), list[int]()
    for position, case in enumerate(cases):
        shown = {*case.shows, (case.target, case.origin)}
        (others if shown <= known else new).append(position)
        known |= shown
    order = [*new, *others]
    seen = sessions.glance([cases[position] for position in order], seconds)
    if seen.error:
        return seen
    places = sorted(range(len(order)), key=order.__getitem__)
    return replace(seen, observations=[seen.observations[place] for place in places])
