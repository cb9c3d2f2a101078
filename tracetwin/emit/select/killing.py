"""The state of the mutants of a module beside the tests of a suite: which of them these notice.

Chosen cases are run on the mutants that they reach; what is noticed once is not tried again. Written tests
are run on them as well, each by itself, and what they notice takes the place of what their cases did.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from tracetwin.emit.exhibit import Chosen
from tracetwin.model.case import Case
from tracetwin.model.codec import case_key
from tracetwin.model.mutant import Mutant, MutantFate
from tracetwin.model.observation import Observation
from tracetwin.mutation.session import MutantSession, SoleTest, TestVerdict, Verdict
from tracetwin.support.data import dataclass

CASE_SECONDS: Final = 3.0
"""For one case and all mutants that it reaches, at least."""

CASE_PART: Final = 0.05
"""The part of the time that is left which a case may take, where that is more."""

MOST_CASE_SECONDS: Final = 60.0
"""However much time there is."""

HEAVY: Final = 1_000
"""Sites from which on it matters for the time how often a case is run."""

LEAST_SECONDS: Final = 1.0
"""For mutants, however little time is left: of a suite without it nothing would be known."""

LEAST_PART: Final = 0.25
"""Part of a suite's time that is for mutants, however long replaying and shortening took."""


def seconds_kept(whole: float) -> float:
    """Return the seconds that mutants get, however late it is, of those for a suite."""
    return max(LEAST_SECONDS, LEAST_PART * whole)


@dataclass
class Killing:
    """The state of the mutants of a module: noticed, run, or neither.

    Attributes:
        until: a time of `time.monotonic` from which on nothing more is tried.
        left_alone: the numbers of those for which no case is looked for.
        met: the numbers of those that tests of the user notice.
        equivalent: the numbers of those that no test can notice: proved.
        killed: the numbers of those that a chosen case notices.
        compared: the numbers of those that were run together with the original.
        least: seconds for them, however late it is when they are begun with.
        ends: a time of `time.monotonic` that these do not go beyond.
        standing: tests in the file that are not made of cases, by class and name.
    """

    session: MutantSession
    until: float
    left_alone: frozenset[int] = frozenset()
    met: frozenset[int] = frozenset()
    equivalent: frozenset[int] = frozenset()
    killed: set[int] = field(default_factory=set)
    compared: set[int] = field(default_factory=set)
    least: float = LEAST_SECONDS
    ends: float = math.inf
    standing: dict[tuple[str, str], SoleTest] = field(default_factory=dict)
    _judged: dict[bytes, Verdict] = field(default_factory=dict)
    _standing: dict[tuple[str, str], TestVerdict] = field(default_factory=dict)

    @property
    def is_late(self) -> bool:
        """Return whether the time is up."""
        return time.monotonic() >= self.until

    def begin(self, chosen: Iterable[Case]) -> None:
        """Forget what cases notice that are chosen no more, and take some time however late it is."""
        self.killed = {n for case in chosen for n in self._of(case).killed}
        if not self._judged:
            self.until = min(self.ends, max(self.until, time.monotonic() + self.least))

    def _of(self, case: Case) -> Verdict:
        return self._judged.get(case_key(case), Verdict())

    def try_standing(self) -> None:
        """Run the tests that are not made of cases on the mutants that nobody has noticed yet."""
        for key, test in self.standing.items():
            left, asked = self._case_seconds(), self._open()
            if key not in self._standing and left > 0:
                self._standing[key] = self.session.judge_test(test, asked, left)

    def noticed_by(self, *standing: tuple[str, str]) -> set[int]:
        """Return the numbers of the mutants that such tests were seen to notice."""
        return {number for key in standing if key in self._standing for number in self._standing[key].failing}

    def noticed(self, case: Case) -> tuple[int, ...]:
        """Return the numbers of the mutants that a case was seen to notice."""
        return tuple(sorted(self._of(case).killed))

    def note(self, case: Case, seen: Observation, *, whole: bool = False) -> frozenset[int]:
        """Run a case that will be written; returns what it notices.

        Args:
            case: the case.
            seen: what a test of it asserts.
            whole: whether it is run on all mutants, else on those only that nobody has noticed yet.
        """
        mark = case_key(case)
        if mark not in self._judged and not self.is_late:
            asked = self._open()
            more = sorted(self.killed - self._met, key=self._order) if whole else ()
            self._judged[mark] = self._judge(case, seen, [*asked, *more])
        found = self._of(case).killed
        self.killed |= found
        return found

    def is_ordered(self, case: Case) -> bool:
        """Return whether a case notices some only by the order of what a returned dict holds."""
        return self._of(case).ordered

    def lightest_first(self, chosen: Mapping[int, Chosen]) -> list[int]:
        """Return the places of cases, those last that pass many sites: they are run on what is left then."""
        steps = {at: self.judge(*pair, ()).steps for at, pair in chosen.items()}
        return sorted(chosen, key=lambda at: steps[at] if steps[at] > HEAVY else 0)

    def knows(self, case: Case) -> bool:
        """Return whether it is known which mutants a case notices."""
        return self._of(case).seen is not None

    def judge(self, case: Case, seen: Observation | None, asked: Iterable[int]) -> Verdict:
        """Run a case on some mutants, and take no note of it."""
        return self._judge(case, seen, sorted(asked, key=self._order))

    def _judge(self, case: Case, seen: Observation | None, asked: Sequence[int]) -> Verdict:
        left = self._case_seconds()
        if left <= 0:
            return Verdict()
        return self.session.judge(case, seen, asked, left)

    def correct(self, case: Case, verdict: TestVerdict) -> None:
        """Let what the written test of a case notices take the place of what the case did."""
        known = self._of(case)
        if verdict.fits and known.seen is not None:
            left = frozenset() if verdict.complete else known.killed - verdict.tried
            killed = left | verdict.failing.keys()
            self._judged[case_key(case)] = replace(known, killed=killed, tried=known.tried | verdict.tried)

    def try_test(self, test: SoleTest) -> TestVerdict:
        """Run a written test on all mutants that it reaches."""
        left = self._case_seconds()
        if left <= 0 or not self.session.mutants:
            return TestVerdict()
        return self.session.judge_test(test, range(len(self.session.mutants)), left)

    def _case_seconds(self) -> float:
        """Return the seconds that one case may take; no slow machine decides where there is much time."""
        left = self.until - time.monotonic()
        return min(max(CASE_SECONDS, min(left * CASE_PART, MOST_CASE_SECONDS)), left)

    @property
    def wanted(self) -> set[int]:
        """Return the numbers of those for which a case is looked for."""
        given_up = self.left_alone | self._met | self.equivalent
        return set(range(len(self.session.mutants))) - self.killed - given_up

    @property
    def _met(self) -> frozenset[int]:
        return self.met.union(self.noticed_by(*self.standing))

    def _open(self) -> list[int]:
        alive = set(range(len(self.session.mutants))) - self.killed - self._met - self.equivalent
        return sorted(alive, key=self._order)

    def _order(self, number: int) -> tuple[int, int]:
        return self.session.mutants[number].difficulty, number

    def lines(self, numbers: Iterable[int]) -> dict[int, set[int]]:
        """Return the mutants of each line."""
        found: dict[int, set[int]] = {}
        for number in numbers:
            found.setdefault(self.session.mutants[number].line, set()).add(number)
        return found

    def closest(self, written: Sequence[Case]) -> dict[int, int]:
        """Return for mutants that cases run and none notices the place of the one that does least else."""
        found: dict[int, tuple[int, int]] = {}
        for place, verdict in enumerate(map(self._of, written)):
            for number in verdict.tried - verdict.killed:
                rank = (len(verdict.reached), place)
                found[number] = min(found.get(number, rank), rank)
        return {number: place for number, (_, place) in found.items()}

    def fates(self, written: Sequence[Case]) -> list[tuple[Mutant, MutantFate]]:
        """Return all mutants with what became of them.

        What tests that were not written notice does not count.
        """
        verdicts = [self._of(case) for case in written]
        killed, reached, tried = (
            {number for verdict in verdicts for number in getattr(verdict, part)}
            for part in ("killed", "reached", "tried")
        )
        unknown = any(verdict.seen is None for verdict in verdicts)  # such a test may reach any of them
        # A test for which no time was left may notice what all others do not.
        unasked = {number for verdict in verdicts for number in verdict.reached - verdict.tried}
        all_asked = all(case_key(case) in self._judged for case in written)
        standing = [self._standing.get(key, TestVerdict()) for key in self.standing]
        tried |= {number for verdict in standing for number in verdict.tried}
        untold = not all(verdict.complete for verdict in standing)
        unknown, all_asked, met = unknown or untold, all_asked and not untold, self._met

        def fate(number: int) -> MutantFate:
            if number in killed or number in met:
                return MutantFate.KILLED
            if number in self.equivalent:
                return MutantFate.EQUIVALENT
            if number in tried and number not in unasked and all_asked:
                return MutantFate.SURVIVED
            return MutantFate.UNTRIED if number in reached | tried or unknown else MutantFate.UNREACHED

        return [(mutant, fate(mutant.number)) for mutant in self.session.mutants]
