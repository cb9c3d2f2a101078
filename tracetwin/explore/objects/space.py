"""The states that one class's receivers can be brought into, shared by the explorations of its members.

A state is a sequence of calls with one input, seen as heap and condition (Symstra). From each state that is
new to what matters, calls go on: the wanted member itself, then whatever may define what it uses (JTestCraft
ch. 4). Shallow states and those whose calls showed something new take turns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from tracetwin.explore.loop.budget import Budget, ExplorationStatistics
from tracetwin.explore.loop.run import Assignment, Executor, Request, Run
from tracetwin.explore.loop.stage import StageExplorer
from tracetwin.explore.objects.deducing import STATES, Deducing
from tracetwin.explore.objects.focus import DataFlow, Focus, ObjectState, Yields
from tracetwin.explore.objects.members import Member, Members
from tracetwin.explore.states.canonical import Canoniser
from tracetwin.explore.states.subsumption import StateSet
from tracetwin.model.invokable import Sequenced
from tracetwin.model.status import Status
from tracetwin.solving import Solver
from tracetwin.support.data import dataclass

PROBING: Final = 60
"""Attempts at the wanted member on one state."""

GROWING: Final = 24
"""Attempts at another call on one state: each of its paths may be a new state."""

BUILDING: Final = 600
"""Attempts at making receivers of objects that calls of their own prepare."""

PATIENCE: Final = 3000
"""Runs without a newly covered side after which the search ends."""

FINER_PATIENCE: Final = 400
"""Runs without a newly covered side where only operands and conditional expressions miss one."""

FEW_RUNS, FEW_SECONDS = 150, 0.5
"""After which no further turn is for effects alone."""

EFFECT_PATIENCE: Final = 60
"""Runs without a newly covered side where only an effect of the call, or a return of it, is missing."""

STUCK: Final = 20
"""Runs without a newly covered side after which states are grown even while known ones wait for a probe."""

DEDUCING: Final = (150, 1500)
"""Runs without a newly covered side after which sequences are deduced for what is missing, by round."""

CONFIRMING: Final = 12
"""Attempts at what a deduced sequence leads to."""

FOLLOWING: Final = 12
"""Attempts at a call that an example shows, once it has shown something new."""

OBSERVED: Final = 2
"""Inputs with which a member is run to see what it really reads and writes."""

SHAPES: Final = 60
"""States from which the shape of a free receiver is read."""

LONGEST: Final = 60
"""Calls of a sequence, the target's included."""


@dataclass(frozen=True)
class MemberSearch:
    """The member, solver and budget of one search.

    Attributes:
        member: what is explored at the time; it pays for the runs.
        clock: seconds of the exploration.
        kept: gets the explorers that found something, and for which member.
    """

    member: Member
    solver: Solver
    statistics: ExplorationStatistics
    budget: Budget
    progress: Callable[[], None]
    clock: Callable[[], float]
    kept: list[tuple[Member, StageExplorer]] = field(default_factory=list)


class ObjectSpace:
    """All states found of one class.

    Attributes:
        members: what can be called on its instances.
        makers: inputs with which an instance was made.
    """

    makers: Sequence[Assignment] = ()

    def __init__(
        self,
        executor: Executor,
        members: Members,
        facts: DataFlow,
        *,
        module: str,
        constants: Mapping[str, Mapping[str, Sequence[object]]],
        histories: Sequence[Sequenced] = (),
        seed: int = 0,
        longest: int = LONGEST,
    ) -> None:
        self._executor = executor
        self.members = members
        self._facts = facts
        self._module = module
        self._constants = constants
        self._histories = histories
        self._seed = seed
        self._longest = longest
        self._known = StateSet(prove=False)
        self._states: list[ObjectState] = []
        self._found: deque[ObjectState] = deque()
        self._covered: set[int] = set()
        self._yields = Yields()
        self._canonisers: dict[frozenset[str] | None, Canoniser] = {}
        self._quiet = 0
        self._unfinished: set[str] = set()
        self._confirmed: set[str] = set()

    def note_search(self, member: Member, *, spent: bool) -> None:
        """Take in that a member's exploration ended, because its budget was spent or for want of ideas."""
        if spent and not member.goals.met():
            self._unfinished.add(member.qualname)
        else:
            self._unfinished.discard(member.qualname)

    def is_at_rest(self) -> bool:
        """Return whether no member is to be explored further, which might find states for the others."""
        return not self._unfinished

    def is_worth_more(self, member: Member, cost: float) -> bool:
        """Return whether a member of which only effects are missing has another turn; by runs, or seconds."""
        most = FEW_RUNS if type(cost) is int else FEW_SECONDS
        return cost < most and self._misses_effects(member)

    def _misses_effects(self, member: Member) -> bool:
        """Return whether no run of a member has returned, or has changed what its text may change."""
        missing = self._facts.effects(member.qualname) - member.findings.effects
        return bool(missing or not member.findings.returned)

    def search(self, search: MemberSearch, words: Sequence[str]) -> None:
        """Look for states in which the member does what is missing, until the budget is spent."""
        self._quiet = 0
        if not self._is_worth_it(search.member):
            return
        self._confirm(search, words)
        relevant = self._facts.relevant(search.member.qualname)
        canoniser = self._canonisers.setdefault(relevant, Canoniser(relevant))
        focus = Focus(self._facts, search.member, words, self._yields, canoniser)
        if not self._states:
            self._begin(search)
        for state in self._states:
            focus.take(state)
        rounds = zip(DEDUCING, STATES, strict=True)
        due, states = next(rounds)
        while not search.budget.spent() and self._is_worth_it(search.member):
            task = focus.next(stuck=self._quiet > STUCK)
            if states and (task is None or self._quiet > due):
                self._deduce(search, focus, states)
                due, states = next(rounds, (0, 0))
            elif task is None:
                return
            if task is not None and self._try(search, *task) and task[1] is not None:
                focus.grown()
            while self._found:
                focus.take(self._found.popleft())

    def _confirm(self, search: MemberSearch, words: Sequence[str]) -> None:
        """Confirm and extend the facts by what runs of these members really read and write, once for each."""
        called = [search.member, *filter(None, map(self.members.called, words))]
        for member in called:
            if member.qualname in self._confirmed or not member.findings.inputs:
                continue
            if search.budget.spent():
                return
            self._confirmed.add(member.qualname)
            for known in member.findings.inputs[:OBSERVED]:
                search.budget.take()
                search.statistics.runs += 1
                run = self._executor.run(Request(member.qualname, (), known, flow=True))
                self._facts.confirm(run.accesses)

    def _try(self, search: MemberSearch, state: ObjectState, word: str | None) -> bool:
        """Probe the member on a state, or grow from it by a word; False where nothing is left to try."""
        if word is None:
            return self._probe(search, state)
        if len(state.prefix) + 2 > self._longest:
            return False
        attempts = state.attempts(word, self.members.called(word), GROWING)
        if attempts:
            self._grow(search, state.prefix, word, state.run.values, attempts)
        return attempts > 0

    def _deduce(self, search: MemberSearch, focus: Focus, states: int) -> None:
        """Deduce sequences for the sides that are missing, and run them."""
        if focus.deducing is None:
            heaps = [state.run.heap for state in self._states if state.run.heap is not None]
            step = max(1, len(heaps) // SHAPES)  # shallow and deep ones
            focus.deducing = Deducing(
                self._executor,
                search.solver,
                search.member,
                focus.words,
                heaps[::step],
                module=self._module,
                longest=self._longest - 2,
                budget=search.budget,
            )
        for prefix, assignment in focus.deducing.proposals(states):
            if search.budget.spent():
                return
            explorer = self._explorer(search, search.member, prefix, assignment, bare=False)
            self._run(search, explorer, search.member, CONFIRMING)

    def _is_worth_it(self, member: Member) -> bool:
        if member.goals.met():
            return self._misses_effects(member) and self._quiet < EFFECT_PATIENCE
        return self._quiet < (FINER_PATIENCE if member.goals.main_met() else PATIENCE)

    def _follow_histories(self, search: MemberSearch) -> None:
        """The states that examples bring objects into, or earlier ones where a call fails."""
        for words, known in self._histories:
            length = min(len(words), self._longest - 2)
            while length and not search.budget.spent():
                prefix = tuple(words[:length])
                explorer = self._explorer(search, self.members.called(prefix[-1]), prefix, known, bare=True)
                explorer.explore(search.budget.part(1), 1, 1)
                length = 0 if explorer.is_reached else length // 2
                explorer.close()

    def follow_uses(self, search: MemberSearch) -> None:
        """The member on objects that examples call it on, with what they pass."""
        for words, known in search.member.uses:
            if search.budget.spent():
                return
            if len(words) > self._longest - 2:
                continue
            explorer = self._explorer(search, search.member, tuple(words), known, bare=False)
            self._run(search, explorer, search.member, 1)
            if explorer.cases:
                explorer.explore(search.budget.part(FOLLOWING), FOLLOWING, FOLLOWING)
        search.member.uses = ()

    def _begin(self, search: MemberSearch) -> None:
        """The states of examples first, as the plain call has seen a new object; then the constructor's."""
        self._follow_histories(search)
        explorer = self._explorer(search, None, (), {}, bare=True)
        explorer.take_up(self.makers)
        explorer.explore(search.budget.part(GROWING * 2), GROWING, GROWING)
        if explorer.is_hard and not search.member.goals.met():
            explorer.explore(search.budget.part(BUILDING), BUILDING, BUILDING)
            self._states.sort(key=lambda state: -state.novelty)
        explorer.close()
        self._found.clear()

    def _probe(self, search: MemberSearch, state: ObjectState) -> bool:
        """Explore the wanted member on a state; False where nothing is left to try."""
        member = search.member
        attempts = state.attempts(member.word or member.qualname, member, PROBING)
        if attempts and member.word:
            self._grow(search, state.prefix, member.word, state.run.values, attempts)
        elif attempts:
            explorer = self._explorer(search, member, state.prefix, state.run.values, bare=False)
            self._run(search, explorer, member, attempts)
        return attempts > 0

    def _grow(
        self,
        search: MemberSearch,
        prefix: tuple[str, ...],
        word: str,
        start: Mapping[str, object],
        attempts: int,
    ) -> None:
        """Explore a call on a state: each of its paths that changes something is another state."""
        member = self.members.called(word)
        known, runs = len(self._states), search.statistics.runs
        explorer = self._explorer(search, member, (*prefix, word), start, bare=True)
        self._run(search, explorer, member, attempts)
        self._yields.note(word, search.statistics.runs - runs, len(self._states) - known)

    def _run(
        self, search: MemberSearch, explorer: StageExplorer, member: Member | None, attempts: int
    ) -> None:
        explorer.explore(search.budget.part(attempts), attempts, attempts)
        explorer.close()
        if explorer.cases and member is not None:
            search.kept.append((member, explorer))

    def _explorer(
        self,
        search: MemberSearch,
        member: Member | None,
        prefix: tuple[str, ...],
        start: Mapping[str, object],
        *,
        bare: bool,
    ) -> StageExplorer:
        word = prefix[-1] if prefix and bare else search.member.word
        known = member or Member("", "", "", search.member.goals)
        return StageExplorer(
            search.member.qualname,
            prefix,
            self._executor,
            search.solver,
            start=start,
            bare=bare,
            taken=lambda run: self._taken(search, prefix if bare else None, run),
            goals=known.goals,
            constants=self._constants.get(word, {}),
            seed=self._seed,
            statistics=search.statistics,
            findings=known.findings,
            ledger=known.ledger,
            progress=search.progress,
            clock=search.clock,
        )

    def _taken(self, search: MemberSearch, prefix: tuple[str, ...] | None, run: Run) -> None:
        """Take in a run: what it covers, and the state that it leads to."""
        new = run.outcomes - self._covered
        self._covered |= new
        self.members.note(run.outcomes)
        self._quiet = 0 if new else self._quiet + 1
        if prefix is None or run.status is not Status.RETURNED or run.heap is None:
            return
        state = ObjectState(prefix, _without_details(run), len(new))
        if state.is_new_to(self._known, self._canonisers.setdefault(None, Canoniser())):
            self._states.append(state)
            self._found.append(state)


def _without_details(run: Run) -> Run:
    """Return a state's run with its picture, conditions and input only."""
    nothing: frozenset[int] = frozenset()
    return replace(run, plain_steps=(), places={}, marks={}, lines=nothing, latest=nothing, flow=())
