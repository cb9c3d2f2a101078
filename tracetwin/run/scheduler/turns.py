"""Who is explored next, and for how long: without a budget, each module by itself, in rounds.

The time of a whole run, shared out among its modules as they come.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence, Sized
from typing import TYPE_CHECKING, Final, Protocol

from tracetwin.explore.criteria.base import criteria_named
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.model.options import Options
    from tracetwin.run.explorer.contract import ExplorerHandle
    from tracetwin.run.scheduler.progress import ModuleState

SUITE_SHARE: Final = 0.15
"""Part of a module's time kept for replaying, shortening and writing, however little there is to write."""

REPLAYS: Final = 0.5
"""How many times what a run of the twin took is kept for each case that was found until now."""

CASE_SECONDS: Final = 0.006
"""What is kept for each case besides."""

FUNCTION_SECONDS: Final = 0.02
"""What is kept for the tests of each function, however few its cases are."""

STARTS: Final = 2.5
"""How many times what importing the original took in a process for the suite is kept for its processes.

These four are fitted to what replaying, choosing, writing and verifying took for twelve released modules.
"""

MUTANTS_SHARE: Final = 0.1
"""Part of a module's time kept for mutants besides, where a criterion wants them."""

STALE_SHARE: Final = 0.45
"""... and more by the part of the sides of branches that is taken; all of this where that is all."""

STEEP: Final = 8
"""The power of that part that counts while explorations come to something new: the last ones are hardest."""

MOST_SUITE_SHARE: Final = 0.5
"""The most that is kept, but for mutants where explorations come to nothing new."""

LEAST_EXPLORING: Final = 0.1
"""Part of a module's time for a first turn of its functions, however long it took to open it."""

IMPORTS: Final = 1.5
"""How many times what the twin's import took the suite may take for importing, in several processes."""

MOST_SHARED: Final = 24
"""Solutions of other functions that an exploration may try."""

LEAST_SUITE: Final = 1.5
"""Seconds for a suite, however late it is."""

ALLOWED, LEAST_ALLOWED = 0.1, 2.0
"""The part of its limit, and the seconds, that a module may take beyond it."""

LEADS: Final = 6
"""How many times what a run does before its first module the whole command takes beside its modules."""

MOST_AROUND: Final = 0.15
"""The part of a module's time that this may take, beyond what the command may take."""

LEAST_SECONDS: Final = 0.05
"""For one exploration: some runs, where there is time enough for all that wait."""

GLANCE_SECONDS: Final = 0.02
"""... however many there are, and of what takes no arguments and has no sides of its own: a run or two."""

KEPT: Final = 0.5
"""The part of its share of a round that a function gets however long those before it took."""

PRIVATE_PART: Final = 10
"""One part in so many of the executions is kept for private functions until others had theirs."""

ROUNDS: Final = (0.3, 0.5)
"""Parts of the time left that the first rounds get: every function has a short turn before a long one."""


@dataclass(frozen=True)
class Turn:
    """A turn: what is to be explored now.

    Attributes:
        seconds: for how long at most.
        runs: executions at most; None for no limit.
    """

    qualname: str
    seconds: float
    runs: int | None = None


class Turns(Protocol):
    """Shares out the work of a run, and its time."""

    def offers(self, states: Sequence[ModuleState], job: ExplorerHandle) -> Iterator[ModuleState]:
        """Yield the modules in the order in which a process looks for work in them."""

    def limit(self, state: ModuleState, job: ExplorerHandle) -> float:
        """Return the seconds that a module gets that is begun now by a process."""

    def begin(self, state: ModuleState, names: list[str]) -> None:
        """Queue the functions of a module that was opened."""

    def next(self, state: ModuleState, job: ExplorerHandle) -> Turn | None:
        """Take the next function of a module for a process out of its queue."""

    def ended(self, state: ModuleState, name: str) -> None:
        """A turn of a function ended."""

    def goes_on(self, state: ModuleState) -> bool:
        """All that was queued for a module has ended; return whether there is more now."""

    def time_left(self, state: ModuleState) -> float:
        """Return the seconds left for exploring a module."""

    def suite_seconds(self, state: ModuleState) -> float:
        """Return how long the suite of a module may take, about."""

    def suite_within(self, state: ModuleState) -> float:
        """Return the seconds after which it is over; infinite where executions bound the work."""


def suite_cost(state: ModuleState) -> float:
    """Return the seconds that a suite takes, about, without those for mutants and for better tests."""
    starts = STARTS * state.starting if state.starting else IMPORTS * state.opening
    replays = (CASE_SECONDS + REPLAYS * state.run_seconds) * state.cases
    return starts + replays + FUNCTION_SECONDS * len(state.outcomes)


def unfinished(state: ModuleState) -> list[str]:
    """Return the functions of a module that can be gone on with, or that lead to what others missed."""
    return [
        name
        for name, outcome in state.outcomes.items()
        if name not in state.abandoned and (not outcome.complete or state.leads_on(name))
    ]


def share_models(state: ModuleState) -> None:
    """Give the solutions that were found for each function of a module to the others."""
    known = (model for name in state.invokables for model in state.models.get(name, ()))
    state.shared = tuple(itertools.islice(known, MOST_SHARED))


def belongs(state: ModuleState, name: str, job: ExplorerHandle) -> bool:
    """Return whether a process may explore a function: it knows it already, or nobody does."""
    return state.processes.get(state.shard_of(name), job) is job


def end_of(limit: float, lead: float) -> float:
    """Return after how many of some seconds all is to be written, so that the command ends in time.

    What the command does before and after its modules takes so many times what it did before the first.
    """
    allowed = max(LEAST_ALLOWED, ALLOWED * limit)
    return limit + allowed - min(LEADS * lead, allowed + MOST_AROUND * limit)


class Rounds:
    """One module after the other: rounds of explorations, each when all of the last one ended."""

    def __init__(
        self, options: Options, processes: Sized, states: Sequence[ModuleState] = (), lead: float = 0.0
    ) -> None:
        self._lead = lead
        self._options = options
        self._states = states
        self._time = TimeBudget(options)
        self._processes = processes
        self._wants_mutants = any(one.wants_mutants for one in criteria_named(options.criteria))

    def offers(self, states: Sequence[ModuleState], job: ExplorerHandle) -> Iterator[ModuleState]:
        """See `Turns`."""
        del job
        for stage in ("explored", "exploring", "waiting"):
            yield from (state for state in states if state.stage == stage)

    def limit(self, state: ModuleState, job: ExplorerHandle) -> float:
        """See `Turns`."""
        del state, job
        return self._time.share(sum(one.result is None for one in self._states))

    def begin(self, state: ModuleState, names: list[str]) -> None:
        """See `Turns`."""
        self._begin_round(state, names)

    def ended(self, state: ModuleState, name: str) -> None:
        """See `Turns`."""

    def next(self, state: ModuleState, job: ExplorerHandle) -> Turn | None:
        """See `Turns`."""
        if state.todo and self._options.max_runs is None and self.time_left(state) <= 0:
            state.todo.clear()  # the time is up: whoever still waits in this round has had its last turn
        name = next((name for name in state.todo if belongs(state, name, job)), None)
        if name is None and self._is_idle():
            name = next((name for name in state.todo if state.divide(name, job)), None)
        if name is None:
            return None
        state.todo.remove(name)
        return Turn(name, self._share(state, name, job), state.share)

    def _is_idle(self) -> bool:
        """Return whether a process that no function is left for may take some of another process's class.

        With a limit of executions it may not: what is found must not hang on who was faster.
        """
        waiting = any(state.stage == "waiting" for state in self._states)
        return self._options.max_runs is None and not waiting

    def _share(self, state: ModuleState, name: str, job: ExplorerHandle) -> float:
        """Seconds for one exploration: its share of what is left of the module's round.

        What has many open sides gets more than what has few. A process spends the whole round on what
        belongs to it, and on its part of what belongs to nobody yet. Where others took longer than they
        should, half of what it was to have is left to it.
        """
        own = state.weight(name)
        waiting = own + sum(state.weight(other) * self._part(state, other, job) for other in state.todo)
        left = min(state.round_ends - state.elapsed, self.time_left(state))
        shown_at_once = state.invokables[name].bare and state.weight(name) <= 1
        some = LEAST_SECONDS * (not shown_at_once)
        least = max(GLANCE_SECONDS, min(some, left / (1 + len(state.todo))))
        return max(least, left * own / waiting, min(KEPT * state.round_rate * own, self.time_left(state)))

    def _part(self, state: ModuleState, name: str, job: ExplorerHandle) -> float:
        """Return which part of the work on a waiting function a process is likely to do."""
        owner = state.processes.get(state.shard_of(name))
        if owner is None or (self._is_idle() and state.is_divisible(name)):
            return 1 / len(self._processes)
        return float(owner is job)

    def time_left(self, state: ModuleState) -> float:
        """See `Turns`."""
        limit = state.limit or self._options.time_limit
        stale = state.taken ** (1 if state.stale else STEEP)
        share = SUITE_SHARE + (MUTANTS_SHARE + STALE_SHARE * stale) * self._wants_mutants
        mutants = MUTANTS_SHARE * limit * self._wants_mutants
        kept = max(share * limit, self._needed(state, mutants))
        left = min(limit, end_of(limit, self._lead)) - kept - state.elapsed
        return max(left, self._first_turns(state, limit))

    def _needed(self, state: ModuleState, more: float) -> float:
        """Return the seconds that a suite needs, and `more`: by starts of processes and by what was found."""
        limit = state.limit or self._options.time_limit
        needed = 0.0 if self._options.max_runs is not None else suite_cost(state) + more
        return min(needed, MOST_SUITE_SHARE * limit)

    def _first_turns(self, state: ModuleState, limit: float) -> float:
        """Return the seconds left for what had no turn yet, however long the module took to open.

        That, and the start of the solver, cost inputs, but not all: first turns go on until there are some.
        """
        if not any(map(state.is_untried, state.todo)):
            return -math.inf
        part = LEAST_EXPLORING if state.cases else MOST_SUITE_SHARE
        explored = sum(outcome.seconds for outcome in state.outcomes.values())
        return min(part * limit - explored, state.opening + limit - state.elapsed)

    def suite_seconds(self, state: ModuleState) -> float:
        """See `Turns`."""
        return state.limit - state.elapsed

    def suite_within(self, state: ModuleState) -> float:
        """See `Turns`: as long as it needs, where importing the module took all the time."""
        if self._options.max_runs is not None:
            return math.inf
        left = end_of(state.limit, self._lead) - state.elapsed
        return max(left, LEAST_SUITE, self._needed(state, 0.0))

    def goes_on(self, state: ModuleState) -> bool:
        """At the end of a round: another one for what is unfinished, while there is time and work is done."""
        before = state.missing
        state.note_missing()
        left = unfinished(state)
        still = not state.missing or (state.round > 1 and set(state.missing).issuperset(before))
        still = still and self._options.max_runs is None
        state.stale = still and not state.hidden
        idle = False
        if self._options.max_runs is not None:  # else it is the time that ends them
            idle = state.round > 1 and state.work == state.work_before
            state.work_before = state.work
        left = [] if idle else left
        more = self.time_left(state) > 1.0 or state.round < state.journal.rounds
        names = [*left, *self._private(state, [] if still else left)] if more else []
        if more and self._begin_round(state, names, ROUNDS[0] if still else 1.0):
            return True
        if left and not more:
            self._note_cut(state)
        return False

    def _private(self, state: ModuleState, others: list[str]) -> list[str]:
        """Let private functions be called once others had their turns; early where nothing gets into them."""
        if self._options.max_runs is not None:
            waits = others and self._options.max_runs - state.runs - len(others) >= self._kept(state)
            return [] if waits else state.uncover()
        return state.uncover(untouched=bool(others) and state.round < len(ROUNDS))

    def _kept(self, state: ModuleState) -> int:
        """Return the executions that are kept for private functions."""
        return (self._options.max_runs or 0) // PRIVATE_PART if state.hidden else 0

    def _note_cut(self, state: ModuleState) -> None:
        """Where executions were to bound the work and time did, the next run may find something else."""
        most, used = self._options.max_runs, state.runs
        if most is not None and used < most:
            limit = f"the time limit of {state.limit or self._options.time_limit:g} s"
            more = "another time it may find other tests"
            state.notes.append(f"{limit} ended it after {used} of {most} runs: {more}")

    def _begin_round(self, state: ModuleState, names: list[str], part: float = 1.0) -> bool:
        """Queue functions, the module's remaining runs shared out equally; False where nothing is left.

        A round begins when all of the last one ended, so neither shares nor models depend on timing.
        It gets a part of the time that is left, the first ones no more than theirs.
        """
        if self._options.max_runs is not None:
            left = max(0, self._options.max_runs - state.runs)
            names = names[:left]
            state.share = max(1, (left - self._kept(state)) // len(names)) if names else 0
        share_models(state)
        state.todo.extend(names)
        if self._options.max_runs is None and state.round < len(ROUNDS):
            part = min(part, ROUNDS[state.round])
        seconds = part * self.time_left(state)
        state.round_ends = state.elapsed + seconds
        state.round_rate = seconds * len(self._processes) / max(1.0, sum(map(state.weight, names)))
        state.round += bool(names)
        state.journal.note_round(state.round)
        return bool(names)


if TYPE_CHECKING:
    from tracetwin.model.options import Options

LEAST_MODULE_SECONDS: Final = 2.0
"""For one module, however many there are: below that, nothing but starting processes is done."""


class TimeBudget:
    """The seconds that each module gets.

    What a module does not need goes to those that come after it, so that a run with a budget ends in time,
    and one whose modules are small is over early.
    """

    def __init__(self, options: Options, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = options.time_limit
        self._clock = clock
        self._until = None if options.budget is None else clock() + options.budget

    def share(self, waiting: int) -> float:
        """Return the seconds for a module that is begun now."""
        if self._until is None:
            return self._most
        left = (self._until - self._clock()) / max(1, waiting)
        return max(LEAST_MODULE_SECONDS, min(self._most, left))
