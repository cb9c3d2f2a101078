"""A suite is written, run, and mended by what fails, until nothing does or the time is up."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from tracetwin.emit import accounting
from tracetwin.emit.earlier_suite import FILES, STAYS, WAS_DELETED, EarlierSuite
from tracetwin.emit.exhibit import Chosen, Exhibit
from tracetwin.emit.mocks.mocked import has_mocks
from tracetwin.emit.render.calls import passes_objects
from tracetwin.emit.render.render import Rendered, RenderedTest, render
from tracetwin.emit.result import Suite
from tracetwin.emit.select.assertions import weigh
from tracetwin.emit.select.choice import Choice
from tracetwin.emit.select.suspicious import Suspicions
from tracetwin.emit.source.literals import is_plain
from tracetwin.emit.tabled import with_tables, written_in
from tracetwin.emit.verify.verify import (
    NOT_VERIFIED,
    TOOK_TOO_LONG,
    Page,
    SuiteBroken,
    Test,
    TrialFailure,
    verify,
)
from tracetwin.model.case import Case
from tracetwin.model.codec import case_key
from tracetwin.model.options import APART, OMIT
from tracetwin.replay.causes import explained
from tracetwin.replay.static import Coverable

SUSPICIOUS: Final = (
    "They pin what looks like a fault: an error that no statement raises, or a result that is not what its"
    " annotation says. Look at each before you keep it."
)

# Rounds in which failing tests are replaced by others (fewer where the time is up), in which of them only an
# assertion is dropped, the assertions that one test may lose, and the rounds in which it is found out why
# tests fail.
MOST_ROUNDS, MOST_LATE_ROUNDS = 5, 2
MOST_MENDED_ROUNDS = 10
MOST_SILENCED, MOST_IMPORTS, MOST_EXPLAINED = 3, 40, 4

OMITTED: Final = "it pins what looks like a fault, and such tests are left out (--suspicious omit)"

HINDERS: Final = "a test that was there before does not pass beside it"

ROUNDS_OF_WEIGHING: Final = 2
"""How often written tests are run on mutants: some say more the second time, which nobody may need."""

EXPLAINING: Final = 4
"""Starts of a process for which there must be time where it is to be found out what cases depend on."""

LEAST_EXPLAINING: Final = 1.0
"""Seconds for finding out what unstable cases depend on."""


class Maker:
    """Writes the cases that were chosen, and learns from what fails.

    Attributes:
        first_party: whether import sorters will know the target as part of the project.
        place: what the file says of where the target is imported from.
        suspicious: where tests go that pin what looks like a fault.
        doubts: tells which do.
        terse: whether assertions that nobody needs are left out.
        in_tables: whether tests that differ in values only become rows of one.
    """

    first_party = False
    place = ""
    suspicious = APART
    doubts = Suspicions()
    terse = False
    in_tables = False

    def __init__(self, choice: Choice, earlier: EarlierSuite) -> None:
        """Nothing is chosen yet.

        Args:
            choice: chooses among the cases.
            earlier: the tests that are there.
        """
        self.choice = choice
        self.earlier = earlier
        self.module = choice.module
        self.excluded = choice.excluded
        self.silenced = choice.silenced
        self.imports = 0
        self.explained = 0
        self.late = 0
        self.unruly: set[Test] = set()
        self.proven: dict[int, Chosen] = {}
        self.took: dict[Test, float] = dict(earlier.took)

    @property
    def facts(self) -> Coverable:
        """All that can be covered, with what is met already."""
        return self.choice.facts

    def make(self) -> Suite:
        """Write, run, and learn from what fails, until nothing does: each round leaves less to write."""
        chosen, number = self._chosen(), 0
        while chosen:
            parts = self._terse(chosen)
            if any(page.dropped for _, page in parts):
                number += 1
                for group, page in parts:
                    self._drop_unwritable(group, page)
            else:
                found = [(group, self._failures(at, group, page)) for at, (group, page) in enumerate(parts)]
                if not any(failures for _, failures in found):
                    return self._suite(self._tabled(parts) if self.in_tables else parts)
                number += 1
                for group, failures in found:
                    for test, failure in failures.items():
                        self._learn(group, test, failure, mend=number < MOST_MENDED_ROUNDS)
            # What replaces failing tests often fails for the same reason: in the end the others are kept.
            left = [position for position in chosen if position not in self.excluded]
            most = MOST_LATE_ROUNDS if self.choice.is_late else MOST_ROUNDS
            chosen = self._chosen() if number < most and not self.choice.is_over else left
        return self._suite(self._parts([]))

    def _chosen(self) -> list[int]:
        """The cases that are to be written: not those of tests that stay, or that nobody wants."""
        unwritten = set(range(len(self.earlier.cases))) - self.earlier.updated.keys()
        self.covering = self.choice.choose()
        return [position for position in self.covering if position not in unwritten]

    def _parts(self, chosen: list[int]) -> list[tuple[list[int], Rendered]]:
        """The two files, the second with the tests that pin what looks like a fault."""
        groups: list[list[int]] = [[] for _ in range(FILES)]
        for position in chosen:
            odd = self.doubts.of(*self.choice.now(position), self.facts) is not None
            if odd and self.suspicious == OMIT:
                continue
            there = self.earlier.file_of(position)
            groups[int(odd and self.suspicious == APART) if there is None else there].append(position)
        return [(group, self._render(group, number)) for number, group in enumerate(groups)]

    def _terse(self, chosen: list[int]) -> list[tuple[list[int], Rendered]]:
        """The two files without the assertions that nobody needs, and without tests that say the same."""
        parts = self._parts(chosen)
        for _ in range(ROUNDS_OF_WEIGHING):
            if any(page.dropped for _, page in parts):
                break
            found = [
                weigh(
                    self.choice,
                    page.text,
                    [(group[test.position], test) for test in page.tests],
                    terse=self.terse,
                )
                for group, page in parts
            ]
            if not any(found):
                break
            parts = self._parts(chosen)
        repeated = {group[place] for group, page in parts for place in page.repeated()}
        return self._parts([one for one in chosen if one not in repeated]) if repeated else parts

    def _tabled(self, parts: list[tuple[list[int], Rendered]]) -> list[tuple[list[int], Rendered]]:
        """The two files, which pass, with tables in them."""
        return [
            with_tables(group, page, partial(self._render, number=number), partial(self._failures, number))
            for number, (group, page) in enumerate(parts)
        ]

    def _drop_unwritable(self, chosen: list[int], page: Rendered) -> None:
        for at, why in page.dropped:
            lost = self.silenced.get(chosen[at])
            self.excluded[chosen[at]] = f"no assertion holds in every run: {lost[0]}" if lost else why

    def _learn(self, chosen: list[int], test: RenderedTest, failure: TrialFailure, *, mend: bool) -> None:
        """Drop the assertion that failed; the test where it was none, or where too many did."""
        if test.position == STAYS:
            self.earlier.give_up((test.class_name, test.name))
            return
        position = chosen[test.position]
        case, seen = self.choice.now(position)
        if failure.why == NOT_VERIFIED:
            self.excluded[position] = failure.why
            return
        mark = test.assertion(failure.line)
        if self._is_rewritten(position, case, seen) and (mark is None or not self.choice.is_late):
            return  # where there is little time, it goes on without the assertion, too
        lost = self.silenced.get(position, [])
        if mark is None or not mend or len(lost) >= MOST_SILENCED:
            self.excluded[position] = failure.why
        else:
            self.choice.silence(position, mark, failure.why)

    def _is_rewritten(self, position: int, case: Case, seen: Exhibit) -> bool:
        """Write a case otherwise from now on, nearer to how it was replayed; False where it is already."""
        if self._without_copies(case):
            return True
        mocks, objects = has_mocks(case), passes_objects(case)
        if seen.as_class or seen.lasting or not (mocks or objects):
            return False
        # Classes do exactly what was replayed; what has a name lives on, where the target holds it weakly.
        self.choice.note(position, replace(seen, as_class=mocks, lasting=objects))
        return True

    def _without_copies(self, case: Case) -> bool:
        """Put no copies of objects back after a case, which others do not refer to; False if none were."""
        leaks = self.choice.leaks.get(case_key(case), ())
        kept = tuple(leak for leak in leaks if leak.is_dict or is_plain(leak.before))
        self.choice.leaks[case_key(case)] = kept
        return len(kept) < len(leaks)

    def _render(self, group: list[int], number: int, rows: Collection[int] = ()) -> Rendered:
        """The file of that number with the tests of some cases in it, those at some places in tables."""
        if not group:
            return self.earlier.joined(Rendered(""), number, group, first_party=self.first_party)
        page = render(
            self.module.name,
            [self.choice.now(i) for i in group],
            self.facts,
            style=self.choice.style,
            mock=self.choice.mock,
            importable=self.choice.importable,
            first_party=self.first_party,
            place=self.place,
            about=SUSPICIOUS if number else "",
            beside=self.earlier.context(number),
            kept=[self.choice.now(i) for i in self.earlier.kept_in(number)],
            rows=rows,
        )
        page = replace(page, dropped=[*page.dropped, *self.earlier.deleted(page, number)])
        return self.earlier.joined(page, number, group, first_party=self.first_party)

    def _failures(self, number: int, group: list[int], page: Rendered) -> dict[RenderedTest, TrialFailure]:
        """The tests of a file that did not pass, and why."""
        if not group:
            return {}
        staying = [key for key in self.earlier.staying(number) if key not in self.unruly]
        kept = {key: RenderedTest(*key, STAYS) for key in staying}
        named = {**kept, **{(test.class_name, test.name): test for test in page.tests}}
        proven: set[Test] = set()
        try:
            before = {test for test, one in named.items() if self._has_passed(group, one)}
            failures = self._verify(page, list(named), proven, before)
        except SuiteBroken as error:
            why = f"the written file could not be imported: {error}"
            if self._is_broken(Rendered(f"import {self.module.name}\n")):
                return dict.fromkeys(page.tests, TrialFailure(why))
            return self._guilty(group, number, page, why, self._is_broken)
        if hindered := [test for test in _failed(failures) if (number, test) in self.earlier.standing]:
            return self._hindering(group, number, page, staying, hindered)
        for test in page.tests:
            if (test.class_name, test.name) in proven:
                self.proven[group[test.position]] = self.choice.now(group[test.position])
        found = {named[test]: failure for test, failure in failures.items()}
        return {test: why for test, why in found.items() if not self._is_proven(group, test, why)}

    def _is_proven(self, group: list[int], test: RenderedTest, failure: TrialFailure) -> bool:
        """Return whether a test for which there was no time has passed as it is now, beside others."""
        return failure.why == NOT_VERIFIED and (test.position == STAYS or self._has_passed(group, test))

    def _has_passed(self, group: list[int], test: RenderedTest) -> bool:
        """Return whether a test of a case has passed as it is now, alone and beside others."""
        position = STAYS if test.position == STAYS else group[test.position]
        return position in self.proven and self.proven[position] == self.choice.now(position)

    def _verify(
        self,
        page: Rendered,
        tests: list[Test],
        proven: set[Test] | None = None,
        before: Collection[Test] = (),
    ) -> dict[Test, TrialFailure]:
        choice, times = self.choice, self.choice.timetable
        until = times.verified_until(len(tests))
        made = Page(page.text, self.module, choice.style, choice.limits, choice.seconds, self.late, until)
        began = time.monotonic()
        with choice.watch.phase("verifying"):
            explain = self.explained < MOST_EXPLAINED and not choice.is_late
            failures = verify(made, tests, explain=explain, seconds=self.took, proven=proven, before=before)
        if not made.is_over:
            times.verifying = max(times.verifying, time.monotonic() - began)
        self.explained += bool(failures)
        self.late += sum(failure.why == TOOK_TOO_LONG for failure in failures.values())
        return failures

    def _hindering(
        self, group: list[int], number: int, page: Rendered, staying: list[Test], hindered: list[Test]
    ) -> dict[RenderedTest, TrialFailure]:
        """The new tests beside which some don't pass that stand in the file: those were there first.

        One that does not pass each time without new ones beside it stays all the same, and is not asked.
        """

        def failing(part: Rendered) -> set[Test]:
            self.imports += 1
            tests = [*staying, *((test.class_name, test.name) for test in part.tests)]
            return {*hindered} & {*_failed(self._verify(part, tests))}

        unruly = failing(self._render([], number))
        self.unruly |= unruly
        if unruly:
            return self._failures(number, group, page)
        return self._guilty(group, number, page, HINDERS, lambda part: bool(failing(part)))

    def _guilty(
        self, chosen: list[int], number: int, page: Rendered, why: str, is_bad: Callable[[Rendered], bool]
    ) -> dict[RenderedTest, TrialFailure]:
        """The tests of a page that make a bad file."""
        found: list[int] = []
        suspects = [list(range(len(chosen)))]
        while suspects:
            part = suspects.pop()
            if len(part) == 1 or self.imports >= MOST_IMPORTS or self.choice.is_over:
                found += part
                continue
            halves = [part[: len(part) // 2], part[len(part) // 2 :]]
            parts = [self._render([chosen[i] for i in half], number) for half in halves]
            broken = [half for half, part in zip(halves, parts, strict=True) if is_bad(part)]
            # Halves that are fine by themselves hinder each other.
            found += [] if broken else halves[1]
            suspects += broken
        return {test: TrialFailure(why) for test in page.tests if test.position in found}

    def _is_broken(self, page: Rendered) -> bool:
        self.imports += 1
        try:
            self._verify(page, [])
        except SuiteBroken:
            return True
        return False

    def _suite(self, parts: Sequence[tuple[list[int], Rendered]]) -> Suite:
        """The suite of two files, with the tests in them that stay."""
        choice, earlier = self.choice, self.earlier
        for position in set(range(len(earlier.cases))) - earlier.kept.keys() - earlier.updated.keys():
            self.excluded.setdefault(position, WAS_DELETED)
        self._explain()
        texts = [earlier.finished(page.text, number) for number, (_, page) in enumerate(parts)]
        written, standing = list(written_in(choice, earlier, parts)), list(earlier.standing.values())
        chosen = [position for position, _, _ in written]
        by_name = [(owner, name, choice.now(position)[0]) for position, owner, name in written]
        for position in self.covering if self.suspicious == OMIT else ():
            if self.doubts.of(*choice.now(position), self.facts) is not None:
                self.excluded.setdefault(position, OMITTED)
        return Suite(
            texts[0],
            accounting.tests_of(choice, chosen, standing),
            by_name,
            accounting.coverage(choice, chosen),
            [(choice.cases[i], reason) for i, reason in sorted(self.excluded.items())],
            [(choice.now(i)[0], reason) for i in chosen for reason in choice.left_out(i)],
            accounting.disagreements(choice),
            accounting.dropped_lines(choice),
            None,
            self.facts,
            accounting.first_reached(choice),
            mutants=choice.killing.fates([choice.now(position)[0] for position in chosen]),
            closest=accounting.closest(choice, written),
            shown=accounting.all_shown(choice, written, standing, texts, self.took),
            raised=accounting.raised(choice.now(position) for position in chosen),
            raised_anywhere=accounting.raised_anywhere(choice, chosen, standing),
            apart=texts[1],
            suspicious=[
                *self.doubts.listed(
                    ((f"{owner}.{name}".lstrip("."), *choice.now(at)) for at, owner, name in written),
                    self.facts,
                ),
                *earlier.suspected(),
            ],
            over=earlier.over(),
            held=tuple(earlier.held),
            by_entry=earlier.cases_by_entry(texts, by_name),
        )

    def _explain(self) -> None:
        """Say what it depends on that cases which make no test do not end alike each time."""
        places = sorted(self.excluded)
        dropped = [(self.choice.cases[i], self.excluded[i]) for i in places]
        times = self.choice.timetable
        left = max(LEAST_EXPLAINING, self.choice.until - time.monotonic())
        if times.verified_by - time.monotonic() < left + EXPLAINING * times.starting:
            return
        with self.choice.watch.phase("explaining"):
            found = explained(self.module, dropped, self.choice.limits, seconds=left)
        self.excluded.update((i, reason) for i, (_, reason) in zip(places, found, strict=True))


def _failed(failures: Mapping[Test, TrialFailure]) -> list[Test]:
    """Return the tests that did not pass, without those for which there was no time."""
    return [test for test, failure in failures.items() if failure.why != NOT_VERIFIED]
