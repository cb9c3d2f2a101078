"""The states of a class and the calls on them that matter to one member, in the order of trying them."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Final, Protocol

from tracetwin.explore.loop.run import Accesses, Run
from tracetwin.explore.objects.deducing import Deducing
from tracetwin.explore.objects.members import Member
from tracetwin.explore.states.canonical import Canonical, Canoniser, SymbolicState
from tracetwin.explore.states.subsumption import CUT, StateSet
from tracetwin.support.data import dataclass

SMOOTHING: Final = 12
"""A call that was never tried promises one new state in so many runs."""

ASSIGNED: Final = 4
"""Any value that is assigned to an attribute from outside makes another state, few of which are meant."""


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

    def __post_init__(self) -> None:
        self._forms: dict[frozenset[str] | None, Canonical] = {}

    def is_new_to(self, known: StateSet, canoniser: Canoniser) -> bool:
        """Add it to known states by what the canoniser takes for relevant; False where one subsumes it."""
        state = SymbolicState.of(self.run)
        if CUT in state.heap:
            return known.add(state)  # there is no comparing it
        relevant = canoniser.relevant
        if relevant not in self._forms:
            self._forms[relevant] = canoniser(state)
        return known.add(state, self._forms[relevant])

    def attempts(self, call: str, member: Member | None, most: int) -> int:
        """Attempts at a call on it: at most so many, later as many as inputs are known, if some are new."""
        known = len(member.findings.inputs) if member is not None else 0
        before = self.tried.get(call)
        self.tried[call] = known
        if before is None:
            return most
        return known + 1 if known > before else 0


class Yields:
    """How many new states calls have led to, by the word that was called last."""

    def __init__(self) -> None:
        self.runs: Counter[str] = Counter()
        self._states: Counter[str] = Counter()

    def note(self, word: str, runs: int, states: int) -> None:
        """Take in that a call was explored on a state, in how many runs, and how many new ones it made."""
        self.runs[word] += runs
        self._states[word] += states

    def of(self, word: str) -> float:
        """Return how many new states a run of the call promises, less where it only assigns an attribute."""
        promised = (self._states[word] + 1) / (self.runs[word] + SMOOTHING)
        return promised / ASSIGNED if word.endswith("=") else promised


class Focus:
    """The states and calls that matter to one member, in the order in which they are to be tried.

    Attributes:
        words: the calls that may define what the member uses.
        deducing: what deduces sequences, once it was needed.
    """

    def __init__(
        self, facts: DataFlow, member: Member, words: Sequence[str], yields: Yields, canoniser: Canoniser
    ) -> None:
        self._states = StateSet(prove=False)
        self._canoniser = canoniser
        self.words = facts.definers(member.qualname, words)
        self.deducing: Deducing | None = None
        self._word = member.word
        self._yields = yields
        self._fresh: list[tuple[int, int, ObjectState]] = []
        self._alike: Counter[tuple[str, ...]] = Counter()
        self._made: deque[ObjectState] = deque()
        self._shallow: dict[str, list[tuple[int, int, int, ObjectState]]] = {word: [] for word in self.words}
        self._novel: dict[str, list[tuple[int, int, int, ObjectState]]] = {word: [] for word in self.words}
        self._order = 0
        self._turn = 0
        self._probed = False

    def take(self, state: ObjectState) -> None:
        """Take in a state, if it is another one as far as the member can tell."""
        if not state.is_new_to(self._states, self._canoniser):
            return
        # States that the same calls have made are often alike: of each kind one gets its turn first.
        rank = self._alike[state.prefix]
        self._alike[state.prefix] += 1
        self._order += 1
        # What the member makes of a state waits its turn, or one that always makes new ones has it alone.
        if state.prefix and state.prefix[-1] == self._word:
            self._made.append(state)
        else:
            heapq.heappush(self._fresh, (rank, self._order, state))
        for word in self.words:
            heapq.heappush(self._shallow[word], (rank, len(state.prefix), self._order, state))
            heapq.heappush(self._novel[word], (rank, -state.novelty, self._order, state))

    def next(self, *, stuck: bool) -> tuple[ObjectState, str | None] | None:
        """A state to probe the member on, or one to grow from by a word; None when there is none.

        Args:
            stuck: whether probing shows nothing new: then every other task grows a state.
        """
        if self._fresh and not (stuck and self._probed):
            self._probed = True
            return heapq.heappop(self._fresh)[-1], None
        self._turn += 1
        queues: list[Callable[[], tuple[ObjectState, str | None] | None]]
        queues = [self._next_made, self._next_novel, self._next_shallow]
        for number in range(len(queues)):
            task = queues[(self._turn + number) % len(queues)]()
            if task is not None:
                return task
        return (heapq.heappop(self._fresh)[-1], None) if self._fresh else None

    def grown(self) -> None:
        """Take in that a state was grown from: others may be probed again."""
        self._probed = False

    def _next_made(self) -> tuple[ObjectState, str | None] | None:
        return (self._made.popleft(), None) if self._made else None

    def _next_novel(self) -> tuple[ObjectState, str | None] | None:
        """The call that promises the most new states, on a state whose making has shown the most."""
        return self._grown_from(self._novel, self._yields.of)

    def _next_shallow(self) -> tuple[ObjectState, str | None] | None:
        """The call that was tried the least, on a state that few calls have made."""
        return self._grown_from(self._shallow, lambda word: -self._yields.runs[word])

    def _grown_from(
        self, queues: Mapping[str, list[tuple[int, int, int, ObjectState]]], worth: Callable[[str], float]
    ) -> tuple[ObjectState, str | None] | None:
        word = max((word for word in self.words if queues[word]), key=worth, default=None)
        return (heapq.heappop(queues[word])[-1], word) if word is not None else None
