"""Who is explored next where one budget is there for all modules: a bandit over their functions.

Each function is an arm. First all get a short turn; then time goes to the one of which most new goals are
expected for a second, by what each has shown: goals found in its last turns, goals that are open, answers of
the solver, time for a run. A turn that finds nothing lowers what is expected of the next one, so that what
stagnates yields to the others. (A discounted mean with a prior; as in Kocsis and Szepesvári's discounted
bandits, but the prior takes the place of the exploration bonus.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from tracetwin.explore.loop.goals import Obstacle
from tracetwin.model.goal import GoalFate
from tracetwin.run.explorer.open_modules import OPEN_MODULES
from tracetwin.run.scheduler.turns import (
    LEAST_SECONDS,
    LEAST_SUITE,
    MOST_SUITE_SHARE,
    MUTANTS_SHARE,
    SUITE_SHARE,
    Turn,
    belongs,
    end_of,
    share_models,
    suite_cost,
)
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.explore.objects.exploration import ExplorationOutcome
    from tracetwin.model.options import Options
    from tracetwin.run.explorer.contract import ExplorerHandle
    from tracetwin.run.scheduler.progress import ModuleState

SHALLOW: Final = 0.1
"""Part of the budget in which every function has its first turn."""

MOST_SHALLOW: Final = 4.0
"""Seconds of a first turn at most, in a small project."""

FUNCTIONS: Final = 8
"""How many functions a module is taken to have before any was opened."""

FADING: Final = 0.5
"""What earlier turns count beside the latest one."""

TRIED_RUNS: Final = 100
"""So many runs of which nothing is known are expected to find ..."""

HOPE: Final = 0.1
"""... this part of the open goals, where the solver answers all questions."""

LEAST_OPEN: Final = 0.2
"""Goals that a function without an open side may have: other ways through it, other errors."""

LEAST_PART: Final = 0.1
"""The part of the time for exploring that is spent however little of the project a change can affect."""

SHORTEST_SUITE: Final = 2.0
"""What is thought of each suite besides: mutants and verifying take some time of the shortest."""

MOST_LATE: Final = 0.5
"""The part of the time kept for suites that first turns may take, in modules that have tests already."""

LEAST_TURN: Final = 0.5
MOST_TURN: Final = 0.1
"""A turn in seconds at least, and as a part of the time that is left at most."""

COSTS: Final = 3.0
"""How many times longer a turn is than getting its module ready in another process."""


@dataclass
class Arm:
    """An arm of the bandit: what a function has shown.

    Attributes:
        gain: goals that its turns have found, the latest ones counting most.
        seconds: how long they took, counted in the same way.
        last: seconds of the latest turn.
        met: goals of criteria's own searches that were met until now.
        ready: seconds of exploring until now.
    """

    gain: float = 0.0
    seconds: float = 0.0
    last: float = 0.0
    met: int = 0
    ready: float = 0.0

    def note(self, outcome: ExplorationOutcome, known: set[int]) -> None:
        """A turn has ended.

        Args:
            outcome: of the function until now.
            known: the sides that were reached in its module until then, which those of the turn are added to:
                what several functions reach, such as in a helper of theirs, is one finding.
        """
        met = sum(goal.fate is GoalFate.COVERED for goal in outcome.goals)
        gain, self.met = len(outcome.covered - known) + max(0, met - self.met), met
        known.update(outcome.covered)
        self.last, self.ready = max(0.0, outcome.seconds - self.ready), outcome.seconds
        self.gain = FADING * self.gain + gain
        self.seconds = FADING * self.seconds + self.last

    def rate(self, outcome: ExplorationOutcome, goals: float) -> float:
        """Return the goals that are expected for a second."""
        done = outcome.statistics
        solved = (1 + done.queries - min(done.unknowns, done.queries)) / (1 + done.queries)
        tried = TRIED_RUNS * outcome.seconds / max(1, done.runs)
        return (self.gain + HOPE * goals * solved) / max(1e-3, self.seconds + tried)


def open_goals(outcome: ExplorationOutcome, sides: int, known: AbstractSet[int] = frozenset()) -> float:
    """Return how many goals an exploration may still meet."""
    fates = [why for (site, way), (why, _) in outcome.fates.items() if 2 * site + way not in known]
    never = sum(why is Obstacle.INFEASIBLE for why in fates)
    missing = max(sides - len(outcome.covered), len(fates)) - never
    return max(LEAST_OPEN, missing + sum(goal.fate is GoalFate.OPEN for goal in outcome.goals))


class Bandit:
    """One budget for all functions of all modules."""

    def __init__(
        self,
        options: Options,
        processes: Sized,
        states: Sequence[ModuleState],
        clock: Callable[[], float] = time.monotonic,
        lead: float = 0.0,
    ) -> None:
        assert options.budget is not None
        self._options = options
        self._processes = processes
        self._states = states
        self._clock = clock
        self._began = clock()
        end = end_of(options.budget, lead)
        self._until = self._began + min(options.budget, end)
        self._beyond = max(0.0, end - options.budget)
        self._part = 1.0
        self._asked: dict[int, float] = {}
        self._arms: dict[tuple[int, str], Arm] = {}
        self._reached: dict[int, set[int]] = {}
        self._open: dict[ExplorerHandle, list[int]] = {}

    # -- where a process looks for work

    def offers(self, states: Sequence[ModuleState], job: ExplorerHandle) -> Iterator[ModuleState]:
        """See `Turns`: what was not tried and is ready, new modules, suites, then what is promising.

        At the end short suites come first: a long one can be made shorter by what they took.
        """
        by_stage: dict[str, list[ModuleState]] = {}
        for state in states:
            by_stage.setdefault(state.stage, []).append(state)
        exploring = by_stage.get("exploring", [])
        untried = [state for state in exploring if any(map(state.is_untried, state.todo))]
        here = self._open.get(job, [])
        yield from (state for state in untried if state.index in here)
        yield from by_stage.get("waiting", [])
        yield from untried
        left = self._exploring_left()
        yield from exploring if left <= 0 else ()  # which have no more turns
        yield from sorted((state for state in states if state.stage == "explored"), key=_suite_cost)
        yield from sorted(exploring, key=lambda state: -self._promise(state, job, left))

    def _promise(self, state: ModuleState, job: ExplorerHandle, left: float) -> float:
        return max((self._worth(state, name, job, left) for name in state.todo), default=0.0)

    def _worth(self, state: ModuleState, name: str, job: ExplorerHandle, left: float) -> float:
        """Return the goals for a second that a turn of a function promises, with so many seconds left."""
        if not belongs(state, name, job):
            return -1.0
        if state.is_untried(name):
            return float("inf")
        outcome = state.outcomes[name]
        goals = open_goals(outcome, state.sides.get(name, 0), self._reached[state.index])
        seconds = self._length(state, name, job, left)
        expected = min(goals, seconds * self._arm(state, name).rate(outcome, goals))
        return expected / (seconds + self._moving(state, job))

    def _moving(self, state: ModuleState, job: ExplorerHandle) -> float:
        """Return the seconds until a process has a module ready."""
        return 0.0 if state.index in self._open.get(job, ()) else state.opening

    def _arm(self, state: ModuleState, name: str) -> Arm:
        return self._arms.setdefault((state.index, name), Arm())

    # -- turns

    def limit(self, state: ModuleState, job: ExplorerHandle) -> float:
        """See `Turns`: what one module may spend at most."""
        state.spent = 0.0
        self._note_open(state, job)
        self._share()
        return max(LEAST_SUITE, min(self._options.time_limit, self._until - self._clock()))

    def begin(self, state: ModuleState, names: list[str]) -> None:
        """See `Turns`."""
        state.todo.extend(names)
        self._asked[state.index] = _weight(state, state.invokables if state.before is None else names)
        self._share()

    def _share(self) -> None:
        """Find the part of the time that is for what was not explored before, or is affected by a change."""
        kept = [one.result for one in self._states if one.result is not None and one.result.unchanged]
        known = sum(1.0 + function.branches for result in kept for function in result.functions)
        opened = [one for one in self._states if one.index in self._asked]
        whole = known + sum(_weight(one, one.invokables) for one in opened)
        usual = whole / (len(kept) + len(opened)) if whole else 1.0
        waiting = usual * (len(self._states) - len(kept) - len(opened))
        asked = sum(self._asked.values()) + waiting
        self._part = 1.0 if asked >= whole + waiting else LEAST_PART + asked / (whole + waiting)

    def ended(self, state: ModuleState, name: str) -> None:
        """See `Turns`."""
        outcome = state.outcomes[name]
        self._arm(state, name).note(outcome, self._reached.setdefault(state.index, set()))
        if not outcome.complete and name not in state.abandoned:
            state.todo.append(name)
        if self.time_left(state) > 0 and not any(map(state.is_untried, (*state.todo, *state.running))):
            state.todo.extend(state.uncover())

    def next(self, state: ModuleState, job: ExplorerHandle) -> Turn | None:
        """See `Turns`."""
        left = self._exploring_left()
        if self._within(state, left) <= 0:
            most = (1 - MOST_LATE) * self._kept() / len(self._processes)
            late = state.cases > 0 and self._until - self._clock() < most
            for name in [name for name in state.todo if late or not state.is_untried(name)]:
                state.todo.remove(name)
        worth = {name: self._worth(state, name, job, left) for name in state.todo}
        name = max(worth, key=worth.__getitem__, default="")
        if not name or worth[name] < 0:
            return None
        seconds = self._length(state, name, job, left)
        self._note_open(state, job)
        state.todo.remove(name)
        share_models(state)
        return Turn(name, seconds)

    def _note_open(self, state: ModuleState, job: ExplorerHandle) -> None:
        """Remember which modules a process has ready: those that it worked on last."""
        known = self._open.setdefault(job, [])
        if state.index in known:
            known.remove(state.index)
        known.append(state.index)
        del known[:-OPEN_MODULES]

    def _length(self, state: ModuleState, name: str, job: ExplorerHandle, left: float) -> float:
        """Return the seconds of a turn: longer ones where shorter ones were worth it."""
        if state.is_untried(name):
            return self._shallow()
        arm = self._arm(state, name)
        wanted = max(LEAST_TURN, arm.last * (2 if arm.gain else 1), COSTS * self._moving(state, job))
        most = max(LEAST_TURN, MOST_TURN * left)
        return max(LEAST_SECONDS, min(wanted, most, self._within(state, left)))

    def _shallow(self) -> float:
        """Return the seconds of a first turn."""
        opened = [len(state.invokables) for state in self._states if state.invokables]
        usual = sum(opened) / len(opened) if opened else FUNCTIONS
        waiting = 1.0
        for state in self._states:
            if state.stage in ("waiting", "opening"):
                waiting += usual
            elif state.stage == "exploring":
                waiting += sum(map(state.is_untried, state.todo))
        left = self._began + SHALLOW * (self._until - self._began) - self._clock()
        return min(MOST_SHALLOW, max(LEAST_SECONDS, left * len(self._processes) / waiting))

    def goes_on(self, state: ModuleState) -> bool:
        """See `Turns`."""
        del state
        return False  # what is unfinished is queued again at once

    # -- time

    def time_left(self, state: ModuleState) -> float:
        """See `Turns`: nobody's time is its own."""
        return self._within(state, self._exploring_left())

    def _within(self, state: ModuleState, left: float) -> float:
        """Return how many of the seconds left a module may still spend."""
        return min(left, state.limit - state.elapsed)

    def _exploring_left(self) -> float:
        """Return the seconds until only suites are written."""
        left = self._until - self._clock() - self._kept() / len(self._processes)
        if self._part >= 1:
            return left
        spent = sum(arm.ready for arm in self._arms.values())
        return min(left, self._part * (self._until - self._began) - spent / len(self._processes))

    def _kept(self) -> float:
        """Return the seconds of processes that are kept for suites."""
        whole = (self._until - self._began) * len(self._processes)
        waiting = [state for state in self._states if state.result is None]
        share = (SUITE_SHARE + MUTANTS_SHARE) * whole * len(waiting) / max(1, len(self._states))
        return min(MOST_SUITE_SHARE * whole, max(share, self._slow() * sum(map(_suite_cost, waiting))))

    def _slow(self) -> float:
        """Return how many times longer suites take than thought, by those that were written.

        What took less says nothing of the others: short ones are written first.
        """
        written = [state for state in self._states if state.writing]
        thought = sum(map(_suite_cost, written))
        return max(1.0, sum(state.writing for state in written) / thought) if thought else 1.0

    def suite_seconds(self, state: ModuleState) -> float:
        """See `Turns`: a part of what is kept, by what is to be written; at the end, of what is left."""
        waiting = [one for one in self._states if one.result is None and one.stage != "suite"]
        left = (self._until - self._clock()) * len(self._processes)
        if self._part < 1 or any(one.stage in ("waiting", "opening", "exploring") for one in waiting):
            left = min(left, self._kept())
        own = _suite_cost(state)
        others = sum(_suite_cost(one) for one in waiting if one is not state)
        return max(LEAST_SUITE, left * own / (own + others))

    def suite_within(self, state: ModuleState) -> float:
        """See `Turns`."""
        return self.suite_seconds(state) + self._beyond


def _weight(state: ModuleState, names: Iterable[str]) -> float:
    return sum(1.0 + state.sides.get(name, 0) for name in names)


def _suite_cost(state: ModuleState) -> float:
    return SHORTEST_SUITE + suite_cost(state)
