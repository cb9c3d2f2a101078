"""How far the work on a module is."""

from __future__ import annotations

import itertools
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Final

from tracetwin.explore.criteria.branch import JUMPS, LOOPS
from tracetwin.explore.objects.classes import shard_of
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.explore.wanted import sites_in
from tracetwin.model.case import Case
from tracetwin.model.invokable import Invokable
from tracetwin.model.met import Met
from tracetwin.model.timeline import SlowQuestion, Span
from tracetwin.model.written_test import SettledNames
from tracetwin.run.journal.module import ModuleJournal
from tracetwin.run.results.gain import GainCurve
from tracetwin.run.results.refusals import Refusal
from tracetwin.support.data import dataclass
from tracetwin.support.failures import Failure

if TYPE_CHECKING:
    from tracetwin.analysis.callers import Callers
    from tracetwin.run.explorer.contract import ExplorerHandle
    from tracetwin.run.results.module_result import ModuleResult
    from tracetwin.run.tasks import FunctionExplored
    from tracetwin.target.selection import TargetModule

CALLED_ALONE: Final = 0.15
"""What a side counts in the first turn of a caller, where tests call its function directly as well."""

LED_TO: Final = 0.5
"""What a side counts in later ones that is missing still."""

UNENTERED: Final = 4
"""Sides that it is worth to come to a function at all."""

LARGE: Final = 3
"""Sides that are a large gain of a turn."""


@dataclass
class ModuleState:
    """Where a module is in its stages.

    Attributes:
        asked: the module as it was named, before anything was learned of it.
        limit: seconds that it gets; 0 before it is begun.
        journal: what is known from an interrupted run, and is written down for a later one.
        broken_off: how often the process that explored a function ended in the midst of it.
        processes: the process of each shard.
        joined: the processes that opened it, or get it ready meanwhile.
        refused: what its import was refused.
        failures: errors that are not the target's.
        vanished: how often each task was lost with the machine that did it.
        deaths: how often the process died that imported it, or that wrote its tests.
        explored: how often each function was explored.
        round: how many rounds of explorations were begun.
        work_before: its work when the round before the present one was over.
        round_ends: seconds after its start at which the present round is to be over.
        round_rate: seconds of it for each unit of `weight`.
        spent: where modules take turns, the seconds of its own tasks.
        writing: seconds that its suite took.
        curve: what its runs had reached at each time.
        opening: seconds that importing its twin took.
        starting: seconds that importing it took in a process for its suite; 0 where that is not known.
        sides: how many sides the conditions in each function's own body have.
        beyond: the sites that lie behind the calls of each function.
        behind: what is to be found there, as `weight` counts it.
        missing: the sides of functions that had their turns which nothing took before this round.
        taken: the part of all their sides that something took.
        gainless: in how many turns in a row each function reached nothing new; -1 after a large gain.
        hidden: private functions, as long as they are not called directly.
        uncovered: those that are, because what calls them misses some of their branches.
        settled: functions of the module that mean what they meant when its tests were written.
        before: the result of then, None where it does not matter.
        spans: what processes did for it, and when.
        slowest: what took z3 longest, for each function.
        met: what the user's own tests meet of it, None where that is not asked.
        models: solutions found for each function; in a round, each gets those of all rounds before.
        passed: the sites that each function's runs passed, and those of its import under "".
    """

    index: int
    module: TargetModule
    asked: TargetModule = field(init=False)
    journal: ModuleJournal = field(default_factory=lambda: ModuleJournal(None))
    unpacked: tuple[TargetModule, TargetModule] | None = None
    started: float = 0.0
    limit: float = 0.0
    invokables: dict[str, Invokable] = field(default_factory=dict)
    sites: tuple[Any, ...] = ()
    helpers: frozenset[int] = frozenset()
    todo: deque[str] = field(default_factory=deque)
    running: set[str] = field(default_factory=set)
    outcomes: dict[str, ExplorationOutcome] = field(default_factory=dict)
    processes: dict[str, ExplorerHandle] = field(default_factory=dict)
    joined: set[ExplorerHandle] = field(default_factory=set)
    spent: float | None = None
    share: int | None = None
    hidden: dict[str, Invokable] = field(default_factory=dict)
    uncovered: list[str] = field(default_factory=list)
    settled: SettledNames = SettledNames()
    before: ModuleResult | None = None
    met: Met | None = None
    private: tuple[tuple[int, ...], ...] = ()
    abandoned: set[str] = field(default_factory=set)
    deaths: Counter[str] = field(default_factory=Counter)
    vanished: Counter[str] = field(default_factory=Counter)
    broken_off: Counter[str] = field(default_factory=Counter)
    explored: Counter[str] = field(default_factory=Counter)
    round: int = 0
    round_ends: float = 0.0
    round_rate: float = 0.0
    work_before: int = 0
    stale: bool = False
    opening: float = 0.0
    starting: float = 0.0
    sides: dict[str, int] = field(default_factory=dict)
    beyond: dict[str, frozenset[int]] = field(default_factory=dict)
    behind: dict[str, float] = field(default_factory=dict)
    missing: tuple[int, ...] = ()
    taken: float = 0.0
    gainless: Counter[str] = field(default_factory=Counter)
    models: dict[str, tuple[dict[str, object], ...]] = field(default_factory=dict)
    passed: dict[str, frozenset[int | None]] = field(default_factory=dict)
    shared: tuple[dict[str, object], ...] = ()
    writing: float = 0.0
    stage: str = "waiting"
    curve: GainCurve = field(default_factory=GainCurve)
    solvers: dict[str, dict[str, Any]] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    slowest: dict[str, tuple[SlowQuestion, ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    result: ModuleResult | None = None

    def shard_of(self, name: str) -> str:
        """The shard of a function, or the part of it that it is in."""
        return shard_of(self.invokables[name], self.journal.parts.get(name, 0))

    def is_divisible(self, name: str) -> bool:
        """Return whether a function can be explored apart from its shard: nothing is known of it yet."""
        return self.is_untried(name) and not self.broken_off[name] and name not in self.journal.parts

    def divide(self, name: str, job: ExplorerHandle) -> bool:
        """Give a process a part of a shard of its own with a function, or False where that can't be.

        What the parts find out of the state that they share, each finds out by itself.
        """
        if not self.is_divisible(name):
            return False
        parts = itertools.count(1)
        taken = ((part, self.processes.get(shard_of(self.invokables[name], part), job)) for part in parts)
        self.journal.note_part(name, next(part for part, owner in taken if owner is job))
        return True

    def uncover(self, *, untouched: bool = False) -> list[str]:
        """Let those private functions be called some of whose sides no case shows; return their names.

        Args:
            untouched: only those of which no case shows any.
        """
        shown = {side for outcome in self.outcomes.values() for case in outcome.cases for side in case.shows}
        due: dict[str, int] = {}
        for name, invokable in self.hidden.items():
            sides = self._sides_of(invokable)
            if not sides <= shown and not invokable.problem and not (untouched and sides & shown):
                due[name] = len(sides - shown)
        self._bring_out(due)
        self.hidden = self.hidden if untouched else {}
        return list(due)

    def uncover_uncalled(self, callers: Callers) -> None:
        """Let those private functions be called from the beginning that the module itself never calls.

        They stand in its tables, or are there for others: what it does may never lead to them.
        """
        alone = [one for name, one in self.hidden.items() if not one.problem and not callers.lines(name)]
        self._bring_out({one.qualname: len(self._sides_of(one)) for one in alone})

    def _bring_out(self, due: Mapping[str, int]) -> None:
        """Let private functions be called; of each so many sides are missing."""
        self.invokables.update((name, self.hidden[name]) for name in due)
        self.sides.update(due)
        self.uncovered += due
        self.hidden = {name: one for name, one in self.hidden.items() if name not in due}

    def _sides_of(self, invokable: Invokable) -> set[int]:
        jumps = [site.id for site in sites_in(self.sites, invokable) if site.kind.value in JUMPS]
        return {2 * site + way for site in jumps for way in (0, 1)}

    def note_beyond(self, beyond: dict[str, frozenset[int]]) -> None:
        """Take in the sites that lie behind the calls of each function."""
        self.beyond = beyond
        self.behind = {
            name: 2 * (CALLED_ALONE * len(sites - self.helpers) + len(sites & self.helpers))
            for name, sites in beyond.items()
        }

    def note_missing(self) -> None:
        """Find out which sides nothing took of functions that had their turns."""
        taken = {side for outcome in self.outcomes.values() for side in outcome.covered}
        tried = (one for name, one in self.invokables.items() if not self.is_untried(name))
        jumps = (site.id for one in tried for site in sites_in(self.sites, one) if site.kind.value in JUMPS)
        sides = dict.fromkeys(2 * site + way for site in jumps for way in (0, 1))
        self.missing = tuple(side for side in sides if side not in taken)
        self.taken = 1 - len(self.missing) / max(1, len(sides))
        self.behind = {
            name: LED_TO * sum(side >> 1 in sites for side in self.missing)
            for name, sites in self.beyond.items()
        }

    def leads_on(self, name: str) -> bool:
        """Return whether a side is missing at a condition of another function that a function came to."""
        entered = self.outcomes[name].entered
        return any(side >> 1 in entered for side in self.missing)

    def note_gain(self, name: str, outcome: ExplorationOutcome) -> None:
        """Take in what a function has reached after a turn."""
        before = self.outcomes.get(name)
        gain = len(outcome.covered) - len(before.covered) if before else 1
        self.gainless[name] = self.gainless[name] + 1 if gain <= 0 else -(gain >= LARGE)

    def wanted_cases(self) -> Iterator[Case]:
        """Yield the cases that tests are made of: those of private functions for what they alone show."""
        jumps = {site.id for site in self.sites if site.kind.value in (*JUMPS, *LOOPS)}
        shown: set[int | str] = set()
        private: list[Case] = []
        for name in self.invokables:
            cases = self.outcomes[name].cases if name in self.outcomes else []
            if name in self.uncovered:
                private += cases
                if not self._sides_of(self.invokables[name]):
                    yield from cases[:1]  # what its lines show is seen when it is replayed
            else:
                yield from cases
                shown.update(side for case in cases for side in case.shows)
        for case in private:
            alone = (side for side in case.shows if isinstance(side, int) and side // 2 in jumps)
            if shows := tuple(side for side in alone if side not in shown):
                yield replace(case, shows=shows)

    @property
    def typed(self) -> frozenset[str]:
        """Return the names of what takes no argument whose type was guessed."""
        return frozenset(name for name, one in self.invokables.items() if one.typed)

    def known(self, name: str) -> FunctionExplored | None:
        """Return the result of a function's next exploration in the interrupted run."""
        return self.journal.explored(name, self.explored[name])

    def __post_init__(self) -> None:
        self.asked = self.module

    @property
    def working(self) -> TargetModule:
        """The module as it is imported: in its unpacked wheel, or where it was found."""
        return self.unpacked[0] if self.unpacked else self.module

    @property
    def runs(self) -> int:
        return sum(outcome.statistics.runs for outcome in self.outcomes.values())

    @property
    def work(self) -> int:
        """Return how many runs were made and questions asked for its functions so far."""
        return self.runs + sum(outcome.statistics.queries for outcome in self.outcomes.values())

    @property
    def run_seconds(self) -> float:
        """Seconds that a run took, without those of the solver."""
        stages = (solver.get("stages", {}) for solver in self.solvers.values())
        solving = sum(float(stage["seconds"]) for one in stages for stage in one.values())
        exploring = sum(outcome.seconds for outcome in self.outcomes.values())
        return max(0.0, exploring - solving) / max(1, self.runs)

    @property
    def cases(self) -> int:
        return sum(len(outcome.cases) for outcome in self.outcomes.values())

    def weight(self, name: str) -> float:
        """Return how much time a function is worth: by its open sides, and by those behind its calls.

        A turn without a gain leaves it half of that, one with a large gain doubles it.
        """
        outcome, own = self.outcomes.get(name), self.sides.get(name, 0)
        behind = self.behind.get(name, 0.0)
        if outcome is None:
            return 1 + own + behind
        sides = max(own - len(outcome.covered), len(outcome.fates)) + behind + UNENTERED * (not outcome.cases)
        return (1 + sides) * 2.0 ** -self.gainless[name]

    @property
    def elapsed(self) -> float:
        """Seconds since its first task began; where modules take turns, those of its own tasks."""
        return time.monotonic() - self.started if self.spent is None else self.spent

    @property
    def given(self) -> float:
        """Seconds that it had: its limit, or what it spent where modules take turns."""
        return self.limit if self.spent is None else self.spent

    def note_spent(self, seconds: float) -> None:
        """One of its tasks took some seconds."""
        if self.stage == "suite":
            self.writing = seconds
        if self.spent is not None:
            self.spent += seconds

    def go_on_after(self, seconds: float) -> None:
        """Count what an interrupted run has spent."""
        self.started = time.monotonic() - seconds
        if self.spent is not None:
            self.spent = seconds

    def is_untried(self, name: str) -> bool:
        """Return whether a function had no turn yet."""
        return not self.explored[name]
