"""Delta debugging on the original: sequences are shortened until every call matters.

A chosen case stays what it is for: what no other chosen case reaches (lines, branches, and what the explorer
saw beyond them), how its call ends (type and line of an exception, kind of the result), what the call changes
in its receiver, and the way it goes through the code. Whatever is not needed for that goes: steps one
by one, in chunks and in pairs, repeated calls by bisection; then long literals, large objects and superfluous
arguments.

Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", section 3 (ddmin); here the
candidates of all cases and of all sizes are replayed in one batch, and the largest step that works is taken.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Container, Hashable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tracetwin.emit.select.candidates import Candidate, candidates
from tracetwin.emit.select.select import goals_of, unseen_goals
from tracetwin.explore.criteria.base import Criterion
from tracetwin.explore.criteria.branch import CRITERION as BRANCH
from tracetwin.model.case import RESULT, WHOLE, Case
from tracetwin.model.codec import case_key, key, observation_key
from tracetwin.model.observation import Observation, Root, ValuePath, ended
from tracetwin.model.recipe import Dictionary, Reference, Scalar, Series
from tracetwin.model.snapshot import Iterated, Shuffled, Snapshot
from tracetwin.model.status import Outcome
from tracetwin.replay.stability import type_of
from tracetwin.replay.static import Coverable
from tracetwin.support.minimize import first_accepted

MOST_ROUNDS = 200
FIRST = 8
"""Candidates of a case that are replayed first; where none of them does, twice as many."""

MOST_REPLAYS = 400
"""Replays for one case; candidates beyond it are not tried."""

MOST_OF_ALL, LEAST_REPLAYS = 4_000, 40
"""Replays for all cases together, shared out equally, and what each of however many gets."""

MOST_TIMEOUTS = 3
"""Replays of all cases that may run into their deadline."""

SLICE = 16
"""Cases replayed before the time is looked at again."""

ASKING = b"paths"
"""Behind the key of a case whose replay tells of its paths."""

_ASSERTED: Final = ("value", "raised", "changed", "stdout", "stderr", "effects", "touched", "same")

Run = Callable[[Sequence[Case]], list[Observation]]
"""Replays cases on the original."""

Seen = tuple[Case, Observation]


class Improving(NamedTuple):
    """Chosen cases that are to become better ones, and what that takes.

    Attributes:
        chosen: cases that together make a suite, and what was seen of them.
        run: replays cases on the original.
        coverable: what there is to cover.
        settled: positions of cases that stay as they are.
        until: a time of `time.monotonic` from which on nothing more is tried.
        criteria: say what a case has to keep.
    """

    chosen: Sequence[Seen]
    run: Run
    coverable: Coverable
    settled: Container[int] = ()
    until: float = math.inf
    criteria: Sequence[Criterion] = (BRANCH,)


def shorten(work: Improving) -> list[Seen]:
    """Each case with its observation, shortened where that is possible."""
    return _Shortening(work).done()


def share(most: int, together: int, least: int, cases: int) -> int:
    """Replays that each of some cases may ask for: fewer where there are many, never by the clock."""
    return max(least, min(most, together // max(1, cases)))


class Replacing:
    """Chosen cases that others take the place of; each costs replays, of which there are so many."""

    def __init__(self, work: Improving, most: int) -> None:
        self.now = list(work.chosen)
        self.coverable = work.coverable
        self._work = work
        self._known: dict[bytes, Observation] = {}
        self._spent = [0] * len(self.now)
        self._most = most


class _Shortening(Replacing):
    def __init__(self, work: Improving) -> None:
        super().__init__(work, share(MOST_REPLAYS, MOST_OF_ALL, LEAST_REPLAYS, len(work.chosen)))
        self.goals = [goals_of(case, seen, work.coverable, work.criteria) for case, seen in work.chosen]
        self._having = Counter(goal for goals in self.goals for goal in goals)  # how many cases
        self._timeouts = 0

    def done(self) -> list[Seen]:
        """The cases, when no candidate does as well any more."""
        fixed = self.coverable.literals
        found = [candidates(case, fixed) for case, _ in self.now]
        depth = [FIRST] * len(self.now)
        for _ in range(MOST_ROUNDS):
            if time.monotonic() >= self._work.until:
                break
            batches = [self._affordable(i, some[: depth[i]]) for i, some in enumerate(found)]
            self._replay([candidate.case for batch in batches for candidate in batch])
            replaced = [self._replace(i, batch) for i, batch in enumerate(batches)]
            if not any(replaced) and all(deep >= len(some) for deep, some in zip(depth, found, strict=True)):
                break
            for i, done in enumerate(replaced):
                depth[i] = FIRST if done else 2 * depth[i]
                found[i] = candidates(self.now[i][0], fixed) if done else found[i]
        return self.now

    def _affordable(self, position: int, found: Sequence[Candidate]) -> list[Candidate]:
        """Those that were replayed before, and as many others as the case may still ask for."""
        if position in self._work.settled:
            return []
        affordable = []
        for candidate in found:
            if case_key(candidate.case) not in self._known:
                if self._spent[position] >= self._most:
                    continue
                self._spent[position] += 1
            affordable.append(candidate)
        return affordable

    def _replay(self, cases: Sequence[Case]) -> None:
        new = {case_key(case): case for case in cases if case_key(case) not in self._known}
        marks = list(new)
        for start in range(0, len(marks), SLICE):
            part = marks[start : start + SLICE]
            if self._timeouts >= MOST_TIMEOUTS or time.monotonic() >= self._work.until:
                seen = [ended(Outcome.TIMEOUT, "too many candidates took too long") for _ in part]
            else:
                seen = self._work.run([new[mark] for mark in part])
            self._timeouts += sum(observed.outcome is Outcome.TIMEOUT for observed in seen)
            self._known.update(zip(part, seen, strict=True))

    def _replace(self, position: int, batch: Sequence[Candidate]) -> bool:
        """Take the first candidate that does as well."""
        if not batch:
            return False
        needed = {goal for goal in self.goals[position] if self._having[goal] == 1}
        made = first_accepted(batch, lambda candidate: self._judged(position, candidate, needed))
        if made is None:
            return False
        seen = self._known[case_key(made)]
        self.now[position] = (made, seen)
        self._having.subtract(self.goals[position])
        self.goals[position] = goals_of(made, seen, self.coverable, self._work.criteria)
        self._having.update(self.goals[position])
        return True

    def _judged(self, position: int, candidate: Candidate, needed: set[Any]) -> Case | None:
        """The candidate's case with what it still shows; None where it is no replacement."""
        case, before = self.now[position]
        seen = self._known[case_key(candidate.case)]
        if not ends_alike(before, seen, case):
            return None
        alike = _looks_alike(before, seen)
        if candidate.alike and not alike:
            return None
        # What only a call that was dropped has shown is lost, and no run of the original would tell.
        unsure = candidate.fewer and not set(before.arcs) <= set(seen.arcs)
        risked = unseen_goals(case, before, self.coverable, self._work.criteria) if unsure else set()
        if risked & needed:
            return None
        reached = goals_of(replace(candidate.case, shows=()), seen, self.coverable, self._work.criteria)
        missing = {goal for goal in needed - reached if goal[0] != "shown"}
        if missing:
            return None
        shown = self._shown(case, candidate, alike=alike, needed={goal[1] for goal in needed - reached})
        if shown is None:
            return None
        return replace(candidate.case, shows=tuple(one for one in shown if ("shown", one) not in risked))

    def _shown(
        self, case: Case, candidate: Candidate, *, alike: bool, needed: set[Any]
    ) -> tuple[int | str, ...] | None:
        """Return what the shorter case still shows; None where something needed is lost."""
        shows = case.shows
        exact = [entry for entry in shows if is_whole(entry)]
        told = [entry for entry in shows if _is_told_by_the_way(entry) or _is_change(entry)]
        lost = set(exact if candidate.fewer else ())
        if not alike:
            lost |= {entry for entry in shows if entry not in told}
        # The costly question last, and only where the answer can still matter.
        if not lost & needed and told and not self._goes_the_same_way(case, candidate.case):
            lost |= {entry for entry in told if not _is_change(entry)}
        return None if lost & needed else tuple(entry for entry in shows if entry not in lost)

    def _goes_the_same_way(self, case: Case, shorter: Case) -> bool:
        """Return whether the shorter case's call passes every instruction arc that the longer one's does."""
        ways = []
        for one in (case, shorter):
            mark = case_key(one) + ASKING
            if mark not in self._known:
                self._known[mark] = self._work.run([replace(one, asks_paths=True)])[0]
            ways.append(set(self._known[mark].paths))  # also of what it calls, whose sides count as well
        return bool(ways[0]) and ways[0] <= ways[1]


def is_whole(entry: object) -> bool:
    """Return whether it speaks of a definition and a use, which can't be seen again on the original."""
    return isinstance(entry, str) and entry.startswith(WHOLE)


def _is_told_by_the_way(entry: object) -> bool:
    """Return whether it speaks of sides of decisions, or of the kind of the result."""
    return isinstance(entry, int) or (isinstance(entry, str) and entry.startswith((RESULT, "way:")))


def _is_change(entry: object) -> bool:
    """Return whether it speaks of an attribute that the call changes: none may be missing (`ends_alike`)."""
    return isinstance(entry, str) and entry.startswith("changes:")


def ends_alike(before: Observation, after: Observation, case: Case) -> bool:
    """Return whether two calls end alike, where the second goes and changes all that the first does."""
    if (before.outcome, before.how) != (after.outcome, after.how) or not before.outcome.is_answer:
        return False
    receiver = ValuePath(Root.VAR, case.last.place)
    altered = [_altered(receiver, seen) for seen in (before, after)]
    if not (altered[0] <= altered[1] and set(before.own_arcs) <= set(after.own_arcs)):
        return False
    if before.raised is not None and after.raised is not None:
        parts = [(seen.raised.place, seen.raised_at) for seen in (before, after) if seen.raised is not None]
        return parts[0] == parts[1]
    return kind_of(before.value) == kind_of(after.value)


def _altered(receiver: ValuePath, seen: Observation) -> set[ValuePath]:
    """Return what a call changes in its receiver: the whole, and attributes."""
    return {path for path in (*seen.touched, *seen.altered) if path.value == receiver}


def kind_of(snap: Snapshot) -> Hashable:
    """Return what a reader distinguishes first: the type, whether it is empty, which of two it is."""
    match snap:
        case Scalar(None | bool()) | Reference():
            return key(snap)
        case Scalar(str() | bytes() as value):
            return type_of(snap), bool(value)
        case Series(kind, items) | Shuffled(kind, items):
            return type(snap).__name__, kind if isinstance(snap, Series) else "", bool(items)
        case Dictionary(pairs):
            return "dict", bool(pairs)
        case Iterated(type_name, items):
            return "iter", type_name, bool(items)
        case _:
            return type_of(snap)


def _looks_alike(before: Observation, after: Observation) -> bool:
    """Return whether nothing that a test could assert tells two calls apart."""
    return observation_key(before, _ASSERTED) == observation_key(after, _ASSERTED)
