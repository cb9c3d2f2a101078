"""Which mutants the tests notice, and more cases for those that they don't.

Chosen cases are run on the mutants that they reach; what is noticed once is not tried again. For those that
nobody noticed, cases that were not chosen are tried, then variants of the chosen ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from tracetwin.emit.exhibit import Chosen
from tracetwin.emit.select.literal_places import has_receiver
from tracetwin.emit.select.variants import Constants, followed, variants
from tracetwin.model.case import Case
from tracetwin.model.codec.cases import case_key
from tracetwin.model.mutant import Mutant, MutantFate
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import NONE
from tracetwin.model.status import Outcome
from tracetwin.mutation.session import MutantSession, Verdict

KILLS: Final = "kills "
"""How an entry of a case's ``shows`` begins that tells of a mutant; its number follows."""

CASE_SECONDS: Final = 3.0
"""For one case and all mutants that it reaches."""

MOST_VARIANTS: Final = 40
"""Variants of one case that are tried."""

MOST_TELLING: Final = 6
"""Methods that are called behind others, to see what these did."""

MOST_FRUITLESS: Final = 25
"""Variants of one case in a row that show nothing new, after which the next case has its turn."""


@dataclass
class Killing:
    """What is known of the mutants of a module.

    Attributes:
        session: runs cases on them.
        until: a time of `time.monotonic` from which on nothing more is tried.
        killed: the numbers of those that a written test notices.
        reached: the numbers of those that a written test runs.
    """

    session: MutantSession
    until: float
    killed: set[int] = field(default_factory=set)
    reached: set[int] = field(default_factory=set)
    _tried: set[int] = field(default_factory=set)
    _judged: dict[bytes, frozenset[int]] = field(default_factory=dict)

    @property
    def is_late(self) -> bool:
        """Return whether the time is up."""
        return time.monotonic() >= self.until

    @property
    def survivors(self) -> set[int]:
        """The mutants that tests run and do not notice."""
        return self.reached - self.killed

    def note(self, case: Case, seen: Observation) -> frozenset[int]:
        """Run a case that will be written on what nobody has noticed yet; returns what it notices."""
        mark = case_key(case)
        if mark not in self._judged:
            verdict = self._judge(case, seen, self._open())
            self.reached |= verdict.reached
            self._judged[mark] = verdict.killed
            self.killed |= verdict.killed
        return self._judged[mark]

    def forget(self, numbers: Iterable[int]) -> None:
        """What noticed these mutants is no test after all."""
        self.killed -= set(numbers)

    def judge(self, case: Case, seen: Observation | None, asked: Iterable[int]) -> Verdict:
        """Run a case on some mutants, and take no note of it."""
        return self._judge(case, seen, sorted(asked, key=self._order))

    def _judge(self, case: Case, seen: Observation | None, asked: Sequence[int]) -> Verdict:
        left = min(CASE_SECONDS, self.until - time.monotonic())
        if left <= 0:
            return Verdict()
        verdict = self.session.judge(case, seen, asked, left)
        self._tried |= verdict.killed | set(asked) & verdict.reached
        return verdict

    def _open(self) -> list[int]:
        alive = (mutant.number for mutant in self.session.mutants if mutant.number not in self.killed)
        return sorted(alive, key=self._order)

    def _order(self, number: int) -> tuple[int, int]:
        return self.session.mutants[number].difficulty, number

    def lines(self, numbers: Iterable[int]) -> dict[int, set[int]]:
        """Return the mutants of each line."""
        found: dict[int, set[int]] = {}
        for number in numbers:
            found.setdefault(self.session.mutants[number].line, set()).add(number)
        return found

    def fates(self) -> list[tuple[Mutant, MutantFate]]:
        """Return all mutants with what became of them."""
        return [(mutant, self._fate(mutant.number)) for mutant in self.session.mutants]

    def _fate(self, number: int) -> MutantFate:
        if number in self.killed:
            return MutantFate.KILLED
        if number in self.reached:
            return MutantFate.SURVIVED if number in self._tried else MutantFate.UNTRIED
        return MutantFate.UNREACHED


def other_killers(
    killing: Killing, others: Sequence[tuple[int, Case, Observation]], most: int
) -> list[int]:
    """Return the positions of cases, of those that are not chosen, that notice what nobody noticed."""
    by_line = killing.lines(set(range(len(killing.session.mutants))) - killing.killed)
    queue = sorted(others, key=lambda one: -len(by_line.keys() & set(one[2].lines)))
    found: list[int] = []
    gone: set[int] = set()
    for position, case, seen in queue:
        wanted = {n for line in by_line.keys() & set(seen.lines) for n in by_line[line]} - gone
        if killing.is_late or len(found) >= most:
            break
        if wanted and seen.outcome.is_answer:
            killed = killing.judge(case, seen, wanted).killed
            gone |= killed
            if killed:
                found.append(position)
    return found


def new_killers(
    killing: Killing,
    chosen: Sequence[Chosen],
    constants: Callable[[str], Constants],
    most: int,
) -> list[Case]:
    """Return variants of chosen cases that notice what these do not."""
    found: list[Case] = []
    alive = set(killing.survivors)
    queue = [(killing.judge(case, seen, ()).reached, case, seen) for case, seen in chosen if alive]
    queue.sort(key=lambda one: -len(one[0] & alive))
    telling = _telling(chosen)
    for reached, case, seen in queue:
        fruitless = 0
        tellers = [other for other in telling if other.target != case.target or other.steps != case.steps]
        tried = chain(followed(case, tellers), variants(case, constants(case.target), MOST_VARIANTS))
        for variant in tried:
            wanted = reached & alive
            if not wanted or killing.is_late or len(found) >= most or fruitless >= MOST_FRUITLESS:
                break
            verdict = killing.judge(variant, None, alive)
            fruitless += 1
            if verdict.killed and (variant.target != case.target or _makes_sense(seen, verdict.seen)):
                found.append(variant)
                alive -= verdict.killed
                fruitless = 0
    return found


def _telling(chosen: Sequence[Chosen]) -> list[Case]:
    """The cases whose calls tell of their receiver: one of each method, the longest ways first."""
    found: dict[str, tuple[int, int, Case]] = {}
    for case, seen in chosen:
        if seen.outcome is Outcome.RETURNED and seen.value != NONE and has_receiver(case):
            rank = (-len(seen.own_arcs) - len(seen.own_lines), len(case.steps), case)
            found[case.target] = min(found.get(case.target, rank), rank, key=lambda one: one[:2])
    return [case for *_, case in sorted(found.values(), key=lambda one: one[:2])][:MOST_TELLING]


def _makes_sense(before: Observation, after: Observation | None) -> bool:
    """Return whether a variant ends in a way that a reader would expect of its like."""
    if after is None or after.outcome is Outcome.RETURNED:
        return after is not None
    raised, again = before.raised, after.raised
    return raised is not None and again is not None and raised.place == again.place
