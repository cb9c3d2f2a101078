"""A suite that is there already, and what it means for the one that is to be written.

A test that is as it was written, and passes, stays: its case is the first choice, so that others are written
only for goals that it does not meet. A test that somebody edited stays as well, and so does the lack of one
that was deleted: the goals of its case count as met. Tests that no longer hold are replaced, in their place.
Where the case of a test that stays is not known, what it meets is seen when it is run.

Tests of an earlier suite that no longer hold: what they pinned has changed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tracetwin.emit.merge.earlier import EarlierFile, EarlierTest, read_earlier, tests_of, unreadable
from tracetwin.emit.merge.ledger import LedgerEntry, entry_of, ledger_of, lines_of, with_ledger
from tracetwin.emit.merge.merge import Changes, Key, merged, without_import
from tracetwin.emit.merge.rows import rows_of, without_row
from tracetwin.emit.render.render import Rendered, RenderedTest
from tracetwin.emit.select.assertions import sole_tests
from tracetwin.emit.stamp import stamped, without_stamp
from tracetwin.emit.standing import StandingTest, met_by, needed
from tracetwin.emit.verify.trial import SAID, Page, SuiteBroken, Test, TrialPlan, attempt
from tracetwin.emit.verify.verify import watched
from tracetwin.explore.criteria.base import Criterion
from tracetwin.model.case import Case
from tracetwin.model.codec import case_key
from tracetwin.model.met import Met
from tracetwin.model.written_test import EarlierTests, KeptTwin, Suspect
from tracetwin.mutation.session import SoleTest
from tracetwin.replay.conditions.conditions import SECOND_HERE
from tracetwin.replay.static import Coverable
from tracetwin.replay.watching import Doing, names_by_line
from tracetwin.support.data import dataclass

FILES = 2
"""A module has one file of tests, and one of those that look suspicious."""

MOST_IMPORTS = 40
"""Names in a file whose import fails that are left out one by one, to run the other tests."""

_GONE = re.compile(r"cannot import name '([^']+)' from '([^']+)'")

WAS_DELETED = "a test like it was deleted or edited"
WAS_SUSPICIOUS = "an earlier run put it apart, and its results are not kept here"
IS_THERE = "its test is there already"

STAYS = -1
"""In the place of a position: of a test that is in the file already."""


@dataclass(frozen=True)
class _Place:
    """The file that a test is in, by its number, and the test."""

    file: int
    test: EarlierTest


class EarlierSuite:
    """The tests of a module that are there.

    Attributes:
        texts: the two files as they lie there.
        held: for both whether they have tests that no longer hold.
        took: how many seconds each of their tests took.
        files: the two files; an empty one where there is none that new tests can come into.
        lost: tests that no longer hold, with what was seen instead.
        notes: what is to be said of tests that belong to the user.
        cases: those that are the first choice, in the order of their positions.
        kept: the tests that stay, by the positions of their cases.
        updated: the tests that are replaced, by the positions of their cases.
        standing: tests that stay though their cases are not known, by the numbers of their files.
        settled: functions for which no new tests are made.
        theirs: what a suite of the user's own meets.
    """

    theirs: Met | None = None

    def __init__(self, module: str, style: str, before: EarlierTests) -> None:
        texts = (*before.texts, *[""] * FILES)[:FILES]
        self.files = [read_earlier(text, module, style) for text in texts]
        self.lost: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.cases: list[Case] = []
        self.kept: dict[int, _Place] = {}
        self.updated: dict[int, _Place] = {}
        self.standing: dict[tuple[int, Key], StandingTest] = {}
        self.settled = before.settled
        self._finer, self._lines = before.finer, before.lines
        self._operands, self._twin = before.twin.operands, before.twin
        self._doing: dict[tuple[int, Key], Doing] = {}
        self.texts = texts
        self.held: list[bool] = []
        self.took: dict[Key, float] = {}
        self._module = module
        self._style = style
        self._keys: dict[tuple[str, str, str, bytes], int] = {}
        self._known: dict[str, list[Case]] = {}
        for entry, case in before.cases:
            self._known.setdefault(entry, []).append(case)
        self._failing: dict[tuple[int, Key], str] = {}
        self._unneeded: set[tuple[int, Key]] = set()

    def run(self, page: Page, facts: Coverable | None = None, criteria: Sequence[Criterion] = ()) -> None:
        """Run the tests that are there on the target as it is now.

        Where they were written for more criteria than are asked for, only those stay that these need.
        """
        self._twin = self._twin if any(one.wants_sides for one in criteria) else KeptTwin()
        for number, text in enumerate(self.texts):
            if text and (why := unreadable(text)):
                self.notes.append(f"a file of tests can't be read as Python, so none of it counts: {why}")
                self.held.append(False)
                continue
            found = self._failures(page, number) if text else []
            self.held.append(bool(found))
            if any(not test for test, _ in found):  # there is none that could stay
                self.files[number] = EarlierFile()
                self.lost += found
                continue
            ours = {".".join(filter(None, test.key)): test for test in self.files[number].tests}
            self.held[number] = any(name not in ours or ours[name].is_ours for name, _ in found)
            for name, why in found:
                test = ours.get(name)
                if test is None or test.is_ours:
                    self.lost.append((name, why))
                else:
                    self.notes.append(f"your test {name} fails: {why}")
                if test is not None:
                    self._failing[number, test.key] = why
        if self._finer and facts is not None:
            self._leave_out(facts, criteria)
        self._sort()

    def _is_watched(self, number: int) -> bool:
        """Return whether it has to be seen what the tests of a file do."""
        ours = [test for test in self.files[number].tests if test.is_ours]
        return bool(ours) and (self._finer or not all(self._cases(test.entry) for test in ours))

    def _failures(self, page: Page, number: int) -> list[tuple[str, str]]:
        """The tests of a file that fail, also where what they import is gone."""
        text = self.texts[number]
        doing: dict[Test, Doing] | None = {} if self._is_watched(number) else None
        for _ in range(MOST_IMPORTS):
            found = regressions(replace(page, text=text), self.took, doing, self._twin)
            gone = next((_GONE.search(why) for test, why in found if not test), None)
            if gone is None or (gone.group(2), gone.group(1)) not in self.files[number].members:
                break
            text = without_import(text, gone.group(2), gone.group(1))
            file = read_earlier(text, self._module, self._style)
            self.files[number] = replace(file, is_untouched=self.files[number].is_untouched)
        self._doing.update(((number, key), done) for key, done in (doing or {}).items())
        return found

    def _leave_out(self, facts: Coverable, criteria: Sequence[Criterion]) -> None:
        """Take tests that no criterion needs any more for such that are none of ours to keep."""
        ours = [(n, test.key) for n, file in enumerate(self.files) for test in file.tests if test.is_ours]
        seen = [place for place in ours if place in self._doing and place not in self._failing]
        names = names_by_line(facts, self._lines)
        wanted = needed([self._doing[place] for place in seen], self._module, facts, names, criteria)
        self._unneeded = {place for at, place in enumerate(seen) if at not in wanted}

    def _sort(self) -> None:
        """Find out what becomes of each test."""
        for number, file in enumerate(self.files):
            for test in file.tests:
                if not test.is_ours or (number, test.key) in self._unneeded:
                    continue
                found = self._positions(test.entry)
                if not found:
                    self._stand(number, test)
                there = self.updated if (number, test.key) in self._failing else self.kept
                for at in found:
                    there.setdefault(at, _Place(number, test))
        for file in self.files:
            for entry in file.gone:
                self._positions(entry)

    def _positions(self, entry: LedgerEntry) -> list[int]:
        """The positions of the cases of a test: one, or one for each of its rows."""
        return [self._position(case) for case in self._cases(entry)]

    def _cases(self, entry: LedgerEntry) -> list[Case]:
        """The cases of a test, as far as they are known."""
        cases = self._known.get(str(entry))
        if cases is None:  # of a test that was renamed
            cases = next((some for key, some in self._known.items() if key[4:] == entry.body), [])
        return cases

    def _position(self, case: Case) -> int:
        key = (case.module, case.target, case.kind, case_key(case))
        found = self._keys.setdefault(key, len(self.cases))
        if found == len(self.cases):
            self.cases.append(case)
        return found

    def _stand(self, number: int, test: EarlierTest) -> None:
        """Let a test stay of which no case is known; a renamed one that fails is left to the user."""
        file, place = self.files[number], (number, test.key)
        if place not in self._failing:
            rows = rows_of(file.text)[test.key]
            self.standing[place] = StandingTest(test, rows, self._doing.get(place, Doing()))
        elif test.entry not in file.entries and file.entries:
            theirs = replace(test, is_ours=False)
            tests = tuple(theirs if one is test else one for one in file.tests)
            self.files[number] = replace(file, tests=tests, gone=(*file.gone, test.entry))

    def give_up(self, key: Key) -> bool:
        """Replace a test that passes by itself and not beside the others; False where it is not ours."""
        found = [at for at, place in self.kept.items() if place.test.key == key]
        for at in found:
            self.updated[at] = self.kept.pop(at)
        return bool(found)

    def counted(self, facts: Coverable) -> Coverable:
        """Return what there is to cover, with what is met by tests of which nothing else is known."""
        users = [(number, test.key) for number, file in enumerate(self.files) for test in file.users]
        theirs = [self._doing[place] for place in users if place in self._doing]
        names = names_by_line(facts, self._lines)
        self.standing = {place: one.about(names) for place, one in self.standing.items()}
        met = met_by(self.standing.values(), theirs, facts, names, self._operands, self.theirs)
        return replace(facts, met=met)

    def sole_tests(self) -> Iterator[tuple[Key, SoleTest]]:
        """Yield each test of which no case is known in a file of its own."""
        for number, file in enumerate(self.files):
            tests = [RenderedTest(*key, STAYS) for there, key in self.standing if there == number]
            for test, sole in sole_tests(file.text, self._style, tests) if tests else ():
                yield (test.class_name, test.name), sole

    def stays(self, number: int) -> bool:
        """Return whether new tests come into a file, rather than take its place."""
        file = self.files[number]
        return bool(file) and (bool(self.staying(number) or file.users) or not file.is_untouched)

    def staying(self, number: int) -> list[Key]:
        """Return those of our tests that stay in a file, in their order."""
        kept = {self.kept[at].test.key for at in self.kept_in(number)}
        keys = (test.key for test in self.files[number].tests)
        return [key for key in keys if key in kept or (number, key) in self.standing]

    def suspected(self) -> Iterator[Suspect]:
        """Yield the tests of which no case is known that stand among the suspicious ones."""
        for number, (owner, name) in self.standing:
            if number:
                yield Suspect(f"{owner}.{name}".lstrip("."), WAS_SUSPICIOUS)

    def over(self) -> tuple[str, ...]:
        """Return for both files what they take in, as it lies there; "" where they take its place."""
        return tuple(text if file else "" for text, file in zip(self.texts, self.files, strict=True))

    def context(self, number: int) -> EarlierFile:
        """Return what a page of new tests has to get on with."""
        if not self.stays(number):
            return EarlierFile()
        staying = self.staying(number)
        file = self.files[number]
        return replace(file, tests=tuple(one for one in file.tests if not one.is_ours or one.key in staying))

    def kept_in(self, number: int) -> list[int]:
        """Return the positions of tests that stay in a file."""
        return [at for at, place in self.kept.items() if place.file == number]

    def file_of(self, position: int) -> int | None:
        """Return the file in which a case has its place already, None for a new one."""
        place = self.updated.get(position)
        return None if place is None else place.file

    def deleted(self, page: Rendered, number: int) -> list[tuple[int, str]]:
        """Return the positions, on a page, of tests that its reader does not want, with the reason."""
        gone = self.files[number].gone
        there = {one.test.entry.body for (at, _), one in self.standing.items() if at == number}
        if not (gone or there):
            return []
        entries = entries_of(page.text)
        found: list[tuple[int, str]] = []
        for test in page.tests:
            entry = entries[test.class_name, test.name]
            if any(entry.is_like(one) for one in gone):
                found.append((test.position, WAS_DELETED))
            elif entry.body in there:
                found.append((test.position, IS_THERE))
        return found

    def joined(self, page: Rendered, number: int, positions: Sequence[int], *, first_party: bool) -> Rendered:
        """Return a file with the tests of a page in it, in the place of those that no longer hold."""
        if not self.stays(number):
            return page
        file = self.files[number]
        staying = self.staying(number)
        replaced: dict[Key, Key | None] = {
            test.key: None for test in file.tests if test.is_ours and test.key not in staying
        }
        for test in page.tests:
            place, key = self.updated.get(positions[test.position]), (test.class_name, test.name)
            if place is None or place.file != number or place.test.owner != test.class_name:
                continue
            # A table may take the place of several tests, and several tests that of a table.
            if replaced.get(place.test.key) is None and key not in replaced.values():
                replaced[place.test.key] = key
        text = merged(file, Changes(page.text, replaced, first_party))
        return replace(page, text=text, tests=_moved(page, text))

    def finished(self, text: str, number: int) -> str:
        """Return a file as it is written: with the list of its tests, and the line that says what it is."""
        file = self.files[number]
        if not text and not (file and self.stays(number)):
            return ""
        text = text or file.text
        entries = entries_of(text)
        users = {test.key for test in file.users} if self.stays(number) else set()
        written = [entry for key, entry in entries.items() if key not in users]
        listed = with_ledger(text, self._style, self._in_order(number, written))
        if listed == self.texts[number]:
            return listed
        # What somebody else changed is not to look as if we had written it.
        return listed if self.stays(number) and not file.is_untouched else stamped(without_stamp(listed))

    def _in_order(self, number: int, written: Sequence[LedgerEntry]) -> list[LedgerEntry]:
        """The entries of a file: those that it has, in their order, as long as they hold; then new ones."""
        file = self.files[number]
        if not self.stays(number):
            return [*written, *file.gone]
        bodies = {entry.body for entry in (*written, *file.gone)}
        old = [entry for entry in file.entries if entry.body in bodies]
        known = {entry.body for entry in old}
        return [*old, *(entry for entry in written if entry.body not in known)]

    def cases_by_entry(
        self, texts: Iterable[str], written: Iterable[tuple[str, str, Case]]
    ) -> dict[str, tuple[Case, ...]]:
        """Return the cases of each test that was written, now or earlier, and is in a file or was deleted."""
        by_test: dict[Key, list[Case]] = {}
        for owner, name, case in written:
            by_test.setdefault((owner, without_row(name)), []).append(case)
        # A test that got another name is listed under the one that it was written with.
        listed = {entry.body: entry for text in texts if text for entry in entries_listed(text)}
        found = {str(listed.get(entry.body, entry)): tuple(by_test[key]) for text in texts if text
                 for key, entry in entries_of(text).items() if key in by_test}  # fmt: skip
        gone = (str(entry) for file in self.files for entry in file.gone)
        return {**{entry: tuple(self._known[entry]) for entry in gone if entry in self._known}, **found}


def entries_listed(text: str) -> tuple[LedgerEntry, ...]:
    """Return the list at the end of a file."""
    ledger = ledger_of(text)
    return () if ledger is None else ledger.entries


def entries_of(text: str) -> dict[Key, LedgerEntry]:
    """Return what each test of a file says."""
    lines = lines_of(text)
    return {(owner, node.name): entry_of(node, lines) for owner, node in tests_of(ast.parse(text))}


def _moved(page: Rendered, text: str) -> list[RenderedTest]:
    """The tests of a page with their assertions where they are in another file."""
    there, here = (
        {(owner, node.name): node.lineno for owner, node in tests_of(ast.parse(one))}
        for one in (text, page.text)
    )
    return [
        test.moved(there[test.class_name, test.name] - here[test.class_name, test.name])
        for test in page.tests
    ]


def regressions(
    page: Page,
    seconds: dict[Test, float] | None = None,
    doing: dict[Test, Doing] | None = None,
    twin: KeptTwin | None = None,
) -> list[tuple[str, str]]:
    """Return the tests of a page that fail on the target as it is now, with the reason of each.

    `seconds` gets how long each test took, `doing` what it was seen to do in the target, or on the `twin`.
    """
    tests = tuple((owner, node.name) for owner, node in tests_of(ast.parse(page.text)))
    if doing is not None and watched(page, tests, doing, {} if seconds is None else seconds, twin):
        return []
    try:
        seen = attempt(page, TrialPlan(SECOND_HERE, together=tests))
    except SuiteBroken as error:
        return [("", f"none of them can be run any more: {error}")]
    if seconds is not None:
        seconds |= seen.seconds
    found = ((".".join(filter(None, test)), failure.why) for test, failure in seen.failures.items())
    return [(test, why.removeprefix(SAID)) for test, why in found]
