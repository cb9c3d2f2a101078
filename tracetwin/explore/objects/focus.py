"""The states of a class and the calls on them that matter to one member, in the order of trying them."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Protocol

from tracetwin.explore.loop.run import Accesses, Run
from tracetwin.explore.objects.deducing import Deducing
from tracetwin.explore.objects.members import Member
from tracetwin.explore.states.canonical import SymbolicState
from tracetwin.explore.states.subsumption import StateSet
from tracetwin.support.data import dataclass


class DataFlow(Protocol):
    """A class's data flow, as far as it is known."""

    def relevant(self, member: str) -> frozenset[str] | None:
        """The attributes whose values may matter to a member; None: any."""

    def effects(self, member: str) -> frozenset[str]:
        """The attributes that a member may change."""

    def confirm(self, accesses: Accesses) -> None:
        """Add what a run really read and wrote."""

    def definers(self, member: str, words: Sequence[str]) -> list[str]:
        """Those of the words that may define what the member uses, in their order."""


@dataclass
class ObjectState:
    """A receiver's state, and how to get there.

    Attributes:
        prefix: the words of the sequence.
        run: its run, with the picture of the receiver.
        novelty: how many sides were covered for the first time on the way here.
        tried: what was called on it already, with how many known inputs to begin with.
    """

    prefix: tuple[str, ...]
    run: Run
    novelty: int
    tried: dict[str, int] = field(default_factory=dict)

    def attempts(self, call: str, member: Member | None, most: int) -> int:
        """Attempts at a call on it: at most so many, later as many as inputs are known, if some are new."""
        known = len(member.findings.inputs) if member is not None else 0
        before = self.tried.get(call)
        self.tried[call] = known
        if before is None:
            return most
        return known + 1 if known > before else 0


class Focus:
    """The states and calls that matter to one member, in the order in which they are to be tried.

    Attributes:
        words: the calls that may define what the member uses.
        deducing: what deduces sequences, once it was needed.
    """

    def __init__(self, facts: DataFlow, member: Member, words: Sequence[str]) -> None:
        self._states = StateSet(facts.relevant(member.qualname), prove=False)
        self.words = facts.definers(member.qualname, words)
        self.deducing: Deducing | None = None
        self._word = member.word
        self._fresh: list[tuple[int, int, ObjectState]] = []
        self._alike: Counter[tuple[str, ...]] = Counter()
        self._made: deque[ObjectState] = deque()
        self._shallow: list[tuple[int, int, ObjectState, str]] = []
        self._novel: list[tuple[int, int, int, ObjectState, str]] = []
        self._order = 0
        self._turn = 0

    def take(self, state: ObjectState) -> None:
        """Take in a state, if it is another one as far as the member can tell."""
        if not self._states.add(SymbolicState.of(state.run)):
            return
        # What the member makes of a state waits its turn, or one that always makes new ones has it alone.
        if state.prefix and state.prefix[-1] == self._word:
            self._made.append(state)
        else:
            # States that the same calls have made are often alike: of each kind one gets its turn first.
            self._order += 1
            heapq.heappush(self._fresh, (self._alike[state.prefix], self._order, state))
            self._alike[state.prefix] += 1
        for word in self.words:
            self._order += 1
            heapq.heappush(self._shallow, (len(state.prefix), self._order, state, word))
            heapq.heappush(self._novel, (-state.novelty, len(state.prefix), self._order, state, word))

    def next(self) -> tuple[ObjectState, str | None] | None:
        """A state to probe the member on, or one to grow from by a word; None when there is none."""
        if self._fresh:
            return heapq.heappop(self._fresh)[2], None
        self._turn += 1
        queues: list[Callable[[], tuple[ObjectState, str | None] | None]]
        queues = [self._next_made, self._next_novel, self._next_shallow]
        for number in range(len(queues)):
            task = queues[(self._turn + number) % len(queues)]()
            if task is not None:
                return task
        return None

    def _next_made(self) -> tuple[ObjectState, str | None] | None:
        return (self._made.popleft(), None) if self._made else None

    def _next_novel(self) -> tuple[ObjectState, str | None] | None:
        if not self._novel:
            return None
        *_, state, word = heapq.heappop(self._novel)
        return state, word

    def _next_shallow(self) -> tuple[ObjectState, str | None] | None:
        if not self._shallow:
            return None
        *_, state, word = heapq.heappop(self._shallow)
        return state, word
