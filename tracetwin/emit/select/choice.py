"""Which cases are written: the fewest that keep what was reached, each as short as it can be."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tracetwin.emit.exhibit import Chosen, Exhibit, Mark, exhibited
from tracetwin.emit.mocks.calls import asking_all, mark_calls, mark_questions
from tracetwin.emit.render.render import unwritable
from tracetwin.emit.render.state import asserted
from tracetwin.emit.select.caps import COARSE, within_caps
from tracetwin.emit.select.improve import Times, improved
from tracetwin.emit.select.killing import Killing
from tracetwin.emit.select.kills import new_killers, other_killers
from tracetwin.emit.select.plainer_mocks import trimmed
from tracetwin.emit.select.select import goals_of, select
from tracetwin.emit.select.telling.constants import ConstantsOfFunctions
from tracetwin.emit.select.unchanged import mark_held
from tracetwin.emit.timetable import Timetable
from tracetwin.explore.criteria.base import Criterion
from tracetwin.model.case import Case
from tracetwin.model.codec import case_key
from tracetwin.model.mutant import KILLS
from tracetwin.model.observation import Leak, Observation, ended
from tracetwin.model.options import SHORT, MockStyle
from tracetwin.model.status import Outcome
from tracetwin.mutation.session import MutantSession
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.session import NO_TIME, Replay
from tracetwin.replay.stability import TwoSessions
from tracetwin.replay.static import Coverable
from tracetwin.support.stopwatch import Stopwatch

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

SHORTENING = 0.7
"""How much of the time that is left goes into shortening; the rest is for telling values and more calls."""

MUTATING: Final = 0.6
"""How much of that time goes into noticing mutants, where a criterion wants that."""

LEAST_ADDED: Final = 20
"""Tests that may be added for mutants however few there are; else as many again as there are."""


class Choice:
    """Chooses among replayed cases, as often as some turn out to make no test.

    Args:
        replayed: what they did on the original at a glance; what is chosen is seen twice, and whole.
        facts: what there is to cover.
        sessions: the processes that cases are run in.
        mutants: runs cases on mutants, where a criterion wants them.
        criteria: say what a suite has to keep.
        importable: top-level modules that a test may import from.
        limits: those of the sandbox; None for its defaults.
        until: a time of `time.monotonic` from which on cases are written as they are.
        timetable: when all has to be over.
        watch: tells where the time goes.
        first: the positions of cases that are chosen whatever they reach, and stay as they are.
        settled: functions for which no other cases are made.
        refuses: says of a case, by what was seen of it, why nobody wants a test of it, "" otherwise.
        data: the values that are written where several do, one of `DATA`.

    Attributes:
        excluded: why cases make no test, by their positions.
        silenced: why assertions of a case were dropped.
        killing: what cases notice of the mutants.
        leaks: what is put back after cases, by their keys.
        weighed: positions of cases whose tests were run on the mutants as they are written.
    """

    def __init__(
        self,
        module: TargetModule,
        cases: Sequence[Case],
        replayed: Replay,
        facts: Coverable,
        sessions: TwoSessions,
        mutants: MutantSession,
        *,
        style: str,
        mock: MockStyle,
        criteria: Sequence[Criterion],
        importable: tuple[str, ...],
        seconds: float,
        limits: Limits | None,
        until: float,
        timetable: Timetable,
        watch: Stopwatch,
        first: Collection[int] = (),
        settled: Container[str] = (),
        refuses: Callable[[Case, Observation], str] | None = None,
        data: str = SHORT,
    ) -> None:
        self.module = module
        self.cases = [trimmed(*pair) for pair in zip(cases, replayed.observations, strict=True)]
        self.replayed = replayed
        self.facts = facts
        self.style = style
        self.mock = mock
        self.criteria = criteria
        self.importable = importable
        self.seconds = seconds
        self.limits = limits
        self.until = until
        self.timetable = timetable
        self.watch = watch
        self.silenced: dict[int, list[str]] = {}
        self.weighed: set[int] = set()
        self._exhibits = [exhibited(seen) for seen in replayed.observations]
        # What takes the place of a case: a shorter one, what was seen of it, and what was left out of that.
        self._short: dict[int, tuple[Case, Exhibit, list[str]]] = {}
        self._sessions = sessions
        free = frozenset(one.number for one in mutants.mutants if one.function in settled)
        self.killing = Killing(mutants, until, left_alone=free)
        self.killing.met = facts.met.killed if facts.met else frozenset()
        self._observed: set[int] = set()
        self._first = frozenset(first)
        self._tried = set(self._first)
        self.leaks: dict[bytes, tuple[Leak, ...]] = {}
        self._constants = ConstantsOfFunctions(Path(module.file))
        self._mark()
        self.excluded = {at: case.refused for at, case in enumerate(self.cases) if case.refused}
        self._misused: set[int] = set()
        self._refuses, self._data = refuses, data
        self._exclude_misuse(range(len(self.cases)))
        self._exclude_unwritable(
            at for at, seen in enumerate(replayed.observations) if not seen.outcome.is_answer
        )

    def now(self, position: int) -> Chosen:
        """Return a case as it is written, and what was seen of it."""
        if position in self._short:
            return self._short[position][:2]
        return self.cases[position], self._exhibits[position]

    def note(self, position: int, seen: Exhibit) -> None:
        """Remember more about a case as it is written now, and how it is written."""
        if position in self._short:
            case, _, reasons = self._short[position]
            self._short[position] = (case, seen, reasons)
        else:
            self._exhibits[position] = seen

    def silence(self, position: int, mark: Mark, why: str) -> None:
        """From now on leave out an assertion of a case."""
        seen = self.now(position)[1]
        self.silenced.setdefault(position, []).append(why)
        self.weighed.discard(position)  # what was needless beside it may be needed now
        self.note(position, replace(seen, silenced=seen.silenced | {mark}, needless=frozenset()))

    def do_without(self, position: int, marks: frozenset[Mark]) -> None:
        """From now on leave out assertions that nobody needs."""
        self.note(position, replace(self.now(position)[1], needless=marks))

    @property
    def is_late(self) -> bool:
        """Return whether nothing more is made better."""
        return time.monotonic() >= self.until

    @property
    def is_over(self) -> bool:
        """Return whether there is only time for verifying what was chosen."""
        return time.monotonic() >= self._sessions.until

    def _keep_time(self, tests: int) -> None:
        """Keep the time for verifying so many tests, and twice that before anything is made better."""
        times, killing = self.timetable, self.killing
        times.choosing = self.watch.seconds.get("choosing", 0.0)
        tests += len(killing.standing)
        self._sessions.until = killing.ends = killing.session.until = times.last_start(tests)
        kept = times.last_start(tests, twice=True)
        self.until, killing.until = min(self.until, kept), min(killing.until, kept)

    def choose(self) -> list[int]:
        """The positions of cases that make a suite, each shortened, none superfluous."""
        chosen = self._settled()
        self._shorten(chosen)
        chosen = self._without_doubles(chosen)
        self._mark_questions(chosen)
        if self.killing.session.mutants:
            with self.watch.phase("mutants"):
                chosen = self._kill(chosen)
        for narrowed in (partial(select, judged=self._judged(chosen)), within_caps):
            cases, seen = zip(*map(self.now, chosen), strict=True) if chosen else ((), ())
            first = [place for place, position in enumerate(chosen) if position in self._first]
            chosen = [chosen[place] for place in narrowed(cases, seen, self.facts, self.criteria, first)]
        self._mark_questions(chosen)
        self._find_leaks(chosen)
        return chosen

    def _judged(self, chosen: list[int]) -> frozenset[int]:
        """Which of the chosen mutants tell the worth of, unless a criterion asks for finer things."""
        places = enumerate(() if any(one.name not in COARSE for one in self.criteria) else chosen)
        return frozenset(at for at, one in places if self.killing.knows(self.now(one)[0]))

    def _settled(self) -> list[int]:
        """The cases to keep by what two whole replays saw of them."""
        while True:
            chosen = self._select()
            self._keep_time(len(chosen))
            new = [position for position in chosen if position not in self._observed]
            if not new or (self.is_over and self._first.issuperset(new)):
                return chosen  # what stands in the file already is verified there
            if self.is_over:
                known = self._observed.union(self.excluded, self._first)
                self.excluded.update((at, NO_TIME) for at in range(len(self.cases)) if at not in known)
                continue
            lost = {self.cases[position].target for position in self._observe(new)}
            # What makes no test of one case often makes none of its kind: all are looked at together then.
            kind = [at for at, case in enumerate(self.cases) if case.target in lost]
            self._observe([at for at in kind if at not in self._observed and at not in self.excluded])

    def _observe(self, positions: list[int]) -> list[int]:
        """See cases twice, and note what both replays saw in the place of what the first did.

        Returns:
            Those that make no test.
        """
        if not positions:
            return []
        self._observed.update(positions)
        with self.watch.phase("replaying twice"):
            found = self._sessions.observe([self.cases[position] for position in positions])
        if found.error:
            self.excluded.update(dict.fromkeys(positions, found.error))
            return positions
        for position, seen, reasons in zip(positions, found.observations, found.reasons, strict=True):
            self.replayed.observations[position] = seen
            self.replayed.reasons[position] = reasons
            self._exhibits[position] = exhibited(seen)
        self._mark()
        self._exclude_misuse(positions)
        return self._exclude_unwritable(positions)

    def _exclude_misuse(self, positions: Iterable[int]) -> None:
        """Leave out those of some cases of which nobody wants a test."""
        for position in positions:
            unasked = position in self.excluded or position in self._first
            why = "" if self._refuses is None or unasked else self._refuses(*self.now(position))
            if why:
                self.excluded[position] = why
                self._misused.add(position)

    def meant(self) -> list[int]:
        """Return the positions of all cases but those of which nobody wants a test."""
        return [position for position in range(len(self.cases)) if position not in self._misused]

    def _exclude_unwritable(self, positions: Iterable[int]) -> list[int]:
        """Leave out those of some cases that make no test; returns them."""
        asked = [position for position in positions if position not in self.excluded]
        found = self._unwritable([self.now(position) for position in asked])
        self.excluded.update((asked[at], why) for at, why in found)
        return [asked[at] for at, _ in found]

    def _without_doubles(self, chosen: list[int]) -> list[int]:
        """Cases that became the same are one, which shows what each of them did."""
        first: dict[tuple[str, str, str, bytes], int] = {}
        for position in chosen:
            case, _ = self.now(position)
            same = first.setdefault((case.module, case.target, case.kind, case_key(case)), position)
            if same != position and same in self._short:
                kept, seen, reasons = self._short[same]
                self._short[same] = (_showing(kept, case.shows), seen, reasons)
        return list(first.values())

    # -- mutants

    def _kill(self, chosen: list[int]) -> list[int]:
        """The chosen cases, and others with which tests notice more mutants."""
        (killing := self.killing).begin(self.now(position)[0] for position in chosen)
        for position in killing.lightest_first({position: self.now(position) for position in chosen}):
            self._note_kills(position)
        killing.try_standing()
        most = max(LEAST_ADDED, len(chosen))
        known, seen = {*self.excluded, *chosen}, self.replayed.observations
        others = [(at, case, seen[at]) for at, case in enumerate(self.cases) if at not in known]
        found = other_killers(killing, others, most)
        added = self._added([self._appended(one) if isinstance(one, Case) else one for one in found])
        now = list(map(self.now, [*chosen, *added]))
        made = new_killers(killing, now, self._constants, most - len(added))
        return [*chosen, *added, *self._added(list(map(self._appended, made)), whole=True)]

    def _note_kills(self, position: int, *, whole: bool = False) -> None:
        case, seen = self.now(position)
        killed = self.killing.note(case, asserted(seen, case.last), whole=whole)
        self.note(position, replace(seen, ordered=self.killing.is_ordered(case)))
        entries = tuple(f"{KILLS}{number}" for number in sorted(killed))
        if position in self._short:
            self._short[position] = (_showing(case, entries), *self._short[position][1:])
        self.cases[position] = _showing(self.cases[position], entries)

    def _added(self, positions: list[int], *, whole: bool = False) -> list[int]:
        """Those of some cases that make tests, seen twice; `whole`: they may stand for others."""
        self._observe([position for position in positions if position not in self._observed])
        refused = {case_key(self.cases[at]) for at in self.excluded}  # new ones may be the same as those
        left = [at for at in positions if case_key(self.cases[at]) not in refused]
        self._tried.update(left)
        for position in left:
            self.note(position, asking_all(self.now(position)[1]))
            self._note_kills(position, whole=whole)
        return left

    def _appended(self, case: Case) -> int:
        self.cases.append(case)
        self.replayed.observations.append(ended(Outcome.TIMEOUT, NO_TIME))
        self.replayed.reasons.append([])
        self._exhibits.append(exhibited(self.replayed.observations[-1]))
        return len(self.cases) - 1

    def _find_leaks(self, chosen: list[int]) -> None:
        """Note what the cases change in the module's own state, which the tests of a file share."""
        keys = {position: case_key(self.now(position)[0]) for position in chosen}
        new = [position for position in chosen if keys[position] not in self.leaks]
        with self.watch.phase("leaks"):
            asking = [replace(self.now(position)[0], asks_leaks=True) for position in new]
            found = self._sessions.attempt(asking) if asking else []
        for position, seen in zip(new, found, strict=True):
            self.leaks[keys[position]] = seen.leaks
        for position in chosen:
            self.note(position, replace(self.now(position)[1], leaks=self.leaks[keys[position]]))

    def _shorten(self, chosen: list[int]) -> None:
        """Shorten those that were not, and look at the results twice, as at everything that is written."""
        before = [self.now(position) for position in chosen]
        settled = {place for place, position in enumerate(chosen) if position in self._tried}
        now = time.monotonic()
        left = (1 - MUTATING if self.killing.session.mutants else 1.0) * (self.until - now)
        times = Times(now + SHORTENING * left, now + left)
        after = improved(
            before, self._attempt, self.facts, settled, times, self.criteria, self.watch, self._data
        )
        self._tried.update(chosen)
        pairs = zip(chosen, after, before, strict=True)
        new = {at: case for at, (case, _), (old, _) in pairs if case_key(case) != case_key(old)}
        if not new:
            return
        with self.watch.phase("replaying again"):
            again = self._sessions.observe(list(new.values()))
        found = zip(new.items(), again.observations, again.reasons, strict=True) if not again.error else ()
        once = {position: seen for position, (_, seen) in zip(chosen, after, strict=True)}
        for (position, case), seen, reasons in found:
            goals = [goals_of(case, one, self.facts, self.criteria) for one in (once[position], seen)]
            if goals[0] <= goals[1]:
                self._short[position] = (trimmed(case, seen), exhibited(seen), reasons)
        self._mark()
        self._forget_unwritable(list(new))

    def _attempt(self, cases: Sequence[Case]) -> list[Observation]:
        """Return observations of variants of cases, which fail where they would sleep."""
        return self._sessions.attempt([case.awake() for case in cases], self.until - time.monotonic())

    def _mark(self) -> None:
        """Find out what the cases, beside each other, are worth an assertion for."""
        now = [self.now(position) for position in range(len(self.cases))]
        cases, shown = [case for case, _ in now], [one for _, one in now]
        seen = mark_calls(cases, mark_held(cases, shown), self.facts)
        for position, one in enumerate(seen):
            self.note(position, one)

    def _mark_questions(self, chosen: list[int]) -> None:
        """Find out which of the chosen cases say what mocks were asked."""
        marked = mark_questions([self.now(position) for position in chosen])
        for position, seen in zip(chosen, marked, strict=True):
            self.note(position, seen)

    def _forget_unwritable(self, positions: list[int]) -> None:
        """Go back to the longer case where the shorter one makes no test."""
        made = [position for position in positions if position in self._short]
        for place, _ in self._unwritable([self.now(position) for position in made]):
            del self._short[made[place]]

    def _unwritable(self, pairs: list[Chosen]) -> list[tuple[int, str]]:
        style, mock, importable = self.style, self.mock, self.importable
        return unwritable(self.module.name, pairs, self.facts, style=style, mock=mock, importable=importable)

    def _select(self) -> list[int]:
        left = [position for position in range(len(self.cases)) if position not in self.excluded]
        cases, seen = self.cases, self.replayed.observations
        first = [place for place, position in enumerate(left) if position in self._first]
        found = select([cases[i] for i in left], [seen[i] for i in left], self.facts, self.criteria, first)
        return [left[place] for place in found]

    def left_out(self, position: int) -> list[str]:
        """Return what the test of a case says nothing about, and why."""
        seen = self._short[position][2] if position in self._short else self.replayed.reasons[position]
        return [*seen, *(f"an assertion was dropped: {why}" for why in self.silenced.get(position, []))]


def _showing(case: Case, entries: tuple[int | str, ...]) -> Case:
    """A case that shows more."""
    return replace(case, shows=tuple(dict.fromkeys([*case.shows, *entries])))
