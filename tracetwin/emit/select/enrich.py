"""Values and calls that show more: what was shortened to the bone may hide a fault.

A removal from a list of one says nothing of which end it takes, adding 0 looks like not adding, and 0 and 81
leave open where too hot begins. So where a call goes the same way and ends alike, its test gets distinct
small values, up to `MOST_ADDED` more calls like those that are there, or the input beside the boundary to
another test of the method. Whatever is added changes what the test asserts.

Boundary values: White and Cohen, "A Domain Strategy for Computer Program Testing" (1980).
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, Final

from tracetwin.emit.select.literal_places import (
    distinct,
    dullness,
    fresh,
    has_receiver,
    neighbours,
    on_receiver,
    ranked,
)
from tracetwin.emit.select.select import goals_of
from tracetwin.emit.select.shorten import (
    ASKING,
    Improving,
    Replacing,
    Seen,
    ends_alike,
    is_whole,
    kind_of,
    share,
)
from tracetwin.model.case import WHOLE, Case, Step
from tracetwin.model.codec import case_key, observation_key
from tracetwin.model.observation import Arc, Observation
from tracetwin.model.status import Outcome

MOST_ADDED: Final = 3
"""Calls that a test gets beyond what it needs."""

MOST_STEPS: Final = 12
"""Steps of a test that gets more of them."""

MOST_GROWN: Final = {Outcome.RETURNED: 2, Outcome.RAISED: 1}
"""Tests of a method that get more calls, by how they end: those that go the longest way through it."""

MOST_LONGER: Final = 3
"""Steps by which a test at a boundary may be longer than the one it replaces."""

MOST_REPLAYS: Final = 100
"""Replays for one case."""

MOST_OF_ALL, LEAST_REPLAYS = 2_000, 20
"""Replays for all cases together, shared out equally, and what each of however many gets."""


def enrich(work: Improving) -> list[Seen]:
    """Each case with its observation, with values and calls that show more where there are any."""
    return _Enriching(work).done()


class _Enriching(Replacing):
    def __init__(self, work: Improving) -> None:
        super().__init__(work, share(MOST_REPLAYS, MOST_OF_ALL, LEAST_REPLAYS, len(work.chosen)))
        self._keys: dict[int, tuple[Case, bytes]] = {}
        self._free = [
            position
            for position, (case, _) in enumerate(self.now)
            if position not in work.settled
            and has_receiver(case)
            and not any(map(is_whole, case.shows))
        ]

    def done(self) -> list[Seen]:
        """The cases, when all was tried."""
        for position in self._free:
            self._enliven(position)
        at_boundary = self._move_to_boundaries()
        left: dict[Any, int] = {}
        # Those that go the longest ways first: a few of each method get more calls.
        for position in sorted(self._free, key=lambda one: -len(self.now[one][1].own_arcs)):
            case, seen = self.now[position]
            kind = (case.module, case.target, seen.outcome)
            asks_there = position in at_boundary and not seen.touched
            if left.setdefault(kind, MOST_GROWN[seen.outcome]) and not asks_there:
                left[kind] -= self._grown(position, at_boundary=position in at_boundary)
        self._repeat()
        return self.now

    # ---- values

    def _enliven(self, position: int) -> None:
        """Other values for zeros, negative and repeated numbers, where that leaves fewer of them."""
        for steps in ranked(self.now[position][0], 1):
            case = replace(self.now[position][0], steps=steps)
            if dullness(case) < dullness(self.now[position][0]):
                self._take(position, case, exactly=True)
        for steps in distinct(self.now[position][0]):
            self._take(position, replace(self.now[position][0], steps=steps), exactly=True)

    def _relabel(self, position: int, gap: int, *, at_boundary: bool = False) -> None:
        """Small distinct numbers and letters, as many of them as leave the way as it is."""
        for steps in [*ranked(self.now[position][0], gap), *distinct(self.now[position][0])]:
            case = replace(self.now[position][0], steps=steps)
            if not at_boundary or self._is_at_boundary(position, case, gap):
                self._take(position, case, exactly=True)

    def _is_at_boundary(self, position: int, case: Case, gap: int) -> bool:
        """Return whether a number a little larger or smaller leads another way."""
        way = _way(self.now[position][1])
        seen = [self._look(position, replace(case, steps=steps)) for steps in neighbours(case, (1, gap))]
        return any(one is not None and _way(one) != way for one in seen)

    # ---- calls

    def _grown(self, position: int, *, at_boundary: bool) -> bool:
        """Give a case more calls, with room between the numbers; whether it got some."""
        if not self._growers(position):
            return False
        before = self.now[position]
        self._relabel(position, 2, at_boundary=at_boundary)
        if not self._grow(position):
            self.now[position] = before
            return False
        self._relabel(position, 1, at_boundary=at_boundary)
        return True

    def _growers(self, position: int) -> list[Step]:
        """Calls with plain arguments before this call; where it raises on a new object, one before others."""
        case, seen = self.now[position]
        own = on_receiver(case)
        if own or seen.outcome is Outcome.RETURNED:
            return own
        maker = case.steps[0]
        for other, _ in self.now:
            first = other.steps[0]
            alike = (first.act, first.place, first.name) == (maker.act, maker.place, maker.name)
            if has_receiver(other) and alike and on_receiver(other):
                return [replace(step, place=case.last.place) for step in on_receiver(other)[-1:]]
        return []

    def _grow(self, position: int) -> bool:
        added = 0
        for step in fresh(self.now[position][0], self._growers(position)):
            case, before = self.now[position]
            if added >= MOST_ADDED or len(case.steps) >= MOST_STEPS:
                break
            longer = replace(case, steps=(*case.setup, step, case.last))
            added += self._each_call_shows(position, longer) and self._take(
                position, longer, unlike=before, exactly=True
            )
        return added > 0

    def _each_call_shows(self, position: int, case: Case) -> bool:
        """Return whether each call before the last one changes how that ends or the state that it leaves."""
        whole = self._look(position, case)
        setup = case.setup[1:]
        for dropped in range(len(setup)):
            if setup[dropped].bind is None:
                kept = [step for place, step in enumerate(setup) if place != dropped]
                seen = self._look(position, replace(case, steps=(case.steps[0], *kept, case.last)))
                if whole is None or seen is None or _told(seen) == _told(whole):
                    return False
        return True

    def _repeat(self) -> None:
        """All of a test twice, once for each method, where that adds up to something else.

        Only where there are no arguments: who counts or sums shows that only the second time, when it uses
        what it defined itself.
        """
        done = set()
        for position in self._free:
            case, before = self.now[position]
            target = case.module, case.target
            calls = [step for step in case.steps[1:] if step.bind is None]
            plain = not any(step.given for step in calls)
            whole = len(calls) == len(case.steps) - 1 and len(calls) > 1
            if target not in done and plain and whole and 1 + 2 * len(calls) <= MOST_STEPS:
                shows = (*case.shows, f"{WHOLE}{case.target} again")
                twice = replace(case, steps=(case.steps[0], *calls, *calls), shows=shows)
                if before.touched and self._take(position, twice, unlike=before):
                    done.add(target)

    # ---- boundaries

    def _move_to_boundaries(self) -> set[int]:
        """Where one more or one less in a test leads another test's way, that one begins at the boundary.

        Returns:
            The positions of cases on both sides of a boundary.
        """
        found: set[int] = set()
        for position in self._free:
            case, before = self.now[position]
            besides = list(neighbours(case))
            marks = {case_key(replace(case, steps=steps)) for steps in besides}
            there = {other for other in self._free if self._key(other) in marks}
            for steps in besides:
                beside = replace(case, steps=steps)
                seen = self._look(position, beside)
                if seen is not None and _way(seen) != _way(before):
                    there |= self._moved_there(beside, found | there | {position})
            found |= {position, *there} if there else set()
        return found

    def _key(self, position: int) -> bytes:
        """The `case_key` of the case that stands there now, made once: each is compared with all others."""
        case, _ = self.now[position]
        known, key = self._keys.get(position, (None, b""))
        if known is not case:
            key = case_key(case)
            self._keys[position] = case, key
        return key

    def _moved_there(self, beside: Case, settled: set[int]) -> set[int]:
        """The case whose place a case took, if there is one that goes its way and is not much shorter."""
        for position in self._free:
            case, _ = self.now[position]
            longer = len(beside.steps) - len(case.steps)
            if position in settled or case.target != beside.target or not 0 <= longer <= MOST_LONGER:
                continue
            mine = replace(case, steps=beside.steps)
            if mine.last.place == case.last.place and self._take(position, mine, exactly=True):
                return {position}
        return set()

    # ---- judging

    def _take(
        self, position: int, candidate: Case, *, unlike: Observation | None = None, exactly: bool = False
    ) -> bool:
        """Put a candidate in the place of a case, if it does the same.

        Args:
            position: that of the case.
            candidate: what may take its place.
            unlike: what it must tell more than.
            exactly: whether what the call calls must go the same ways, too; else it may go further ones.
        """
        case, before = self.now[position]
        if case_key(candidate) == case_key(case):
            return False
        seen = self._look(position, candidate)
        if seen is None or not self._does_the_same(position, candidate, seen):
            return False
        if (unlike is not None and _told(seen) == _told(unlike)) or (exactly and _way(seen) != _way(before)):
            return False
        self.now[position] = (candidate, seen)
        return True

    def _look(self, position: int, case: Case, *, ways: bool = False) -> Observation | None:
        mark = case_key(case) + (ASKING if ways else b"")
        if mark not in self._known:
            if self._spent[position] >= self._most or time.monotonic() >= self._work.until:
                return None
            self._spent[position] += 1
            (self._known[mark],) = self._work.run([replace(case, asks_paths=ways)])
        return self._known[mark]

    def _does_the_same(self, position: int, candidate: Case, seen: Observation) -> bool:
        case, before = self.now[position]
        if not ends_alike(before, seen, case):
            return False
        if self._own(case, before.own_arcs) != self._own(case, seen.own_arcs):
            return False
        if not self._goals(case, before) <= self._goals(candidate, seen):
            return False
        finer = [self._look(position, one, ways=True) for one in (case, candidate)]
        if finer[0] is None or finer[1] is None:
            return False
        return set(finer[0].paths) <= set(finer[1].paths)

    def _own(self, case: Case, arcs: Sequence[Arc]) -> set[Arc]:
        function = self.coverable.function(case.target)
        pairs = set(arcs)
        if function is None:
            return pairs
        return {arc for arc in pairs if function.first_line <= abs(arc[0]) <= function.last_line}

    def _goals(self, case: Case, seen: Observation) -> set[Any]:
        """Return what lines and arcs tell; the finer things follow from the way."""
        goals = goals_of(case, seen, self.coverable, self._work.criteria)
        return {goal for goal in goals if goal[0] != "shown"}


def _way(seen: Observation) -> Hashable:
    """How a call ends, and where it goes."""
    result = kind_of(seen.value) if seen.outcome is Outcome.RETURNED else seen.raised and seen.raised.place
    return seen.outcome, result, frozenset(seen.own_arcs)


def _told(seen: Observation) -> bytes:
    """Return what a test may assert."""
    return observation_key(seen, ("value", "raised", "changed", "state", "stdout"))
