"""The whole exploration of one invokable: the plain call first, then calls that prepare its receiver."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from typing import TYPE_CHECKING

from tracetwin.analysis.effects.shared_state import shared_state
from tracetwin.analysis.sources import executable_lines, has_handlers
from tracetwin.explore.loop.budget import SHORT_TURN, Budget, ExplorationStatistics
from tracetwin.explore.loop.explorer import Explorer
from tracetwin.explore.loop.findings import MAX_PATHS
from tracetwin.explore.loop.goals import Goals, Obstacle
from tracetwin.explore.loop.repeated import with_flows
from tracetwin.explore.loop.run import Assignment, Executor, Run
from tracetwin.explore.loop.shown import borders_of, flows_of, path_of, vectors_of
from tracetwin.explore.loop.simplify import essential
from tracetwin.explore.loop.untraced import any_prefixes
from tracetwin.explore.objects.drawn_tree import drawn
from tracetwin.explore.objects.members import Member
from tracetwin.model.case import RESULT, Case, may_alias_or_change
from tracetwin.model.goal import Goal
from tracetwin.model.invokable import Invokable, variable_name
from tracetwin.model.status import Status
from tracetwin.model.tree import DrawnTree
from tracetwin.process.walls.acts import READ, act_of
from tracetwin.solving import Solver
from tracetwin.support.data import dataclass
from tracetwin.support.text import count

if TYPE_CHECKING:  # only what has states needs them
    from tracetwin.explore.loop.stage import StageExplorer
    from tracetwin.explore.objects.space import MemberSearch, ObjectSpace

MOST_PREFIXES = 200
PATIENCE = 800
"""Attempts without a new finding after which the rest of the time is saved."""

PLAIN_PATIENCE = 80
"""Attempts at a call on a new object without a finding, before objects in other states are tried."""

PLAIN_SHARE = 0.25
"""Part of the time for that: a loop that has no end finds more and more conditions to turn round."""

PLAIN_LEAST = 8
"""Attempts at it that are made whatever the share."""

BEFORE_USES = 2
"""Attempts at it before what examples do with objects is tried: a run without an end may be all of a turn."""

FINER_PATIENCE = 120
"""Attempts without a finding where only operands and conditional expressions miss a side."""

SIMPLIFYING = 5
"""One part in so many of a budget of runs is kept for simplifying inputs."""

MOST_SIMPLIFIED = 30  # cases of a target
MOST_RECEIVERS = 2
"""Inputs of a constructor that the methods of its class may begin with."""


@dataclass
class ExplorationOutcome:
    """The result of exploring one invokable.

    Attributes:
        cases: in the order found.
        fates: for each untaken side ``(site, outcome)`` that was reached: why, and a detail.
        entered: sites of other functions that its calls passed.
        complete: nothing was left to try, or to look for: every side of a condition was taken.
        tried: nothing was left to try.
        exhausted: every path was explored exactly; what is missing is proved infeasible.
        goals: those that a criterion's own search looked for, with what became of them.
        misused: sides that only runs passed whose errors show that a guess at a type was wrong, with these.
        tree: the constraint tree of the plain call, where it is wanted.
        unanswered: sides to which the solver had no answer, with how often that was so.
    """

    qualname: str
    cases: list[Case] = field(default_factory=list)
    fates: dict[tuple[int, int], tuple[Obstacle, str]] = field(default_factory=dict)
    covered: frozenset[int] = frozenset()
    entered: frozenset[int] = frozenset()
    statistics: ExplorationStatistics = field(default_factory=ExplorationStatistics)
    complete: bool = False
    tried: bool = False
    exhausted: bool = False
    seconds: float = 0.0
    endings: dict[str, int] = field(default_factory=dict)
    goals: list[Goal] = field(default_factory=list)
    tree: DrawnTree | None = None
    misused: dict[int, str] = field(default_factory=dict)
    unanswered: dict[tuple[int, int], int] = field(default_factory=dict)


class Exploration:
    """Explores one invokable; may be continued with more budget."""

    def __init__(
        self,
        module: str,
        invokable: Invokable,
        executor: Executor,
        solver: Solver,
        *,
        goals: Goals,
        tree: ast.Module,
        seed: int = 0,
        progress: Callable[[int, int, int], None] = lambda covered, total, runs: None,
        kind: type[Explorer] = Explorer,
        resumed: bool = False,
        space: ObjectSpace | None = None,
    ) -> None:
        """Begin.

        `progress` is told sides covered, sides wanted and runs after each run. One that is resumed takes up
        an exploration that broke off at a question: that one has no answer.
        """
        self._module = module
        self._kind = kind
        self._invokable = invokable
        self._executor = executor
        self._solver = solver
        self._goals = goals
        self._seed = seed
        self._statistics = ExplorationStatistics(unknowns=int(resumed))
        self._seconds = 0.0
        self._since = time.monotonic()
        self._stateful = bool(shared_state(tree).shared_by([invokable.qualname]))
        self._progress = progress
        self._lines = executable_lines(tree, invokable.first_line, invokable.last_line)
        self._space = space
        self._member = self._as_member(space, goals)
        self._member.findings.handling = has_handlers(tree, invokable.first_line, invokable.last_line)
        self._explorers = [self._explorer(())]
        self._kept: list[tuple[Member, StageExplorer]] = []
        self._prefixes = self._blind_prefixes()
        self._finished = self._at_rest = False

    def _as_member(self, space: ObjectSpace | None, goals: Goals) -> Member:
        name = self._invokable.qualname
        own = None if space is None else space.members.named(name)
        return Member(name, "", self._invokable.kind, goals) if own is None else own

    def _explorer(self, prefix: tuple[str, ...]) -> Explorer:
        return self._kind(
            self._invokable.qualname,
            prefix,
            self._executor,
            self._solver,
            goals=self._goals,
            constants=self._invokable.constants,
            seed=self._seed,
            statistics=self._statistics,
            findings=self._member.findings,
            ledger=self._member.ledger,
            progress=self._report,
            clock=self._clock,
            lines=() if prefix or self._kind is not Explorer else self._lines,
            examples=() if prefix else self._invokable.examples,
        )

    def _clock(self) -> float:
        """Seconds of exploring until now."""
        return self._seconds + time.monotonic() - self._since

    def _report(self) -> None:
        wanted = self._goals.all()
        self._progress(len(self._goals.covered & wanted), len(wanted), self._statistics.runs)

    def _blind_prefixes(self) -> Iterator[tuple[str, ...]]:
        """Calls before a method of which no condition is known."""
        return any_prefixes(self._invokable.methods, MOST_PREFIXES) if self._has_receiver() else iter(())

    def explore(self, budget: Budget) -> None:
        """Spend the budget, or less where nothing more is found."""
        self._since = time.monotonic()
        strikes = self._statistics.strikes
        budget = replace(budget.part(budget.runs), hopeless=strikes.is_hopeless)
        searching = budget.part(None if budget.runs is None else budget.runs - budget.runs // SIMPLIFYING)
        self._search(searching)
        spent = searching.spent() and not strikes.is_hopeless()
        self._at_rest = self._is_at_rest(spent=spent)
        waiting = self._goals.all_borders and len(self._member.findings.borders)
        met = self._goals.met() and self._member.findings.entered and not waiting
        cost = self._statistics.runs if budget.is_counted else self._clock()
        more = spent and self._space is not None and self._space.is_worth_more(self._member, cost)
        self._finished = self._at_rest or (met and not more)
        explorers = [*self._explorers, *(explorer for _, explorer in self._kept)]
        matter = essential([run for explorer in explorers for run in explorer.cases], MOST_SIMPLIFIED)
        for explorer in explorers:
            explorer.simplify(budget, matter)
        self._seconds = self._clock()

    def take_up(self, inputs: Iterable[Assignment]) -> None:
        """Take what objects were made of elsewhere, where no run came to the call yet for receivers, too."""
        inputs = self._member.findings.makings.taken(inputs)
        if self._has_receiver() and not self._member.findings.entered:
            own = variable_name(self._invokable.owner) + "."
            known = [one for one in inputs if any(name.startswith(own) for name in one)]
            self._explorers[0].take_up(known)
            if self._space is not None:
                self._space.makers = known

    def receivers(self) -> tuple[Assignment, ...]:
        """Return inputs with which a method has a receiver, where it is a class that was called."""
        if self._invokable.kind != "constructor":
            return ()
        own = variable_name(self._invokable.qualname)
        known = self._member.findings.inputs[:MOST_RECEIVERS]
        return tuple({f"{own}.{name}": value for name, value in one.items()} for one in known)

    @property
    def entered(self) -> frozenset[int]:
        """Return the sites of other functions that its calls passed."""
        return frozenset(self._goals.entered - {side >> 1 for side in self._goals.own})

    def hurry(self, seconds: float) -> None:
        """Have runs that do not end cost less in a turn of few seconds, and least in one of none."""
        self._statistics.strikes.in_short_turn = seconds < SHORT_TURN
        self._statistics.strikes.is_patient = seconds > 0.0

    def want_too(self, sides: Iterable[int]) -> None:
        """Want sides that explorations of other functions missed, too, where its calls pass their sites."""
        self._goals.want_too(sides)

    @property
    def wants_flows(self) -> bool:
        """Return whether definitions and uses of variables are goals."""
        return bool(self._goals.flows)

    def watch_flows(self, budget: Budget) -> None:
        """Run the cases once more, to see which definitions of variables come to which uses."""
        for explorer in [*self._explorers, *(explorer for _, explorer in self._kept)]:
            explorer.cases = [
                run if budget.spent() else with_flows(run, self._goals, self._executor, self._statistics)
                for run in explorer.cases
            ]

    def _is_at_rest(self, *, spent: bool) -> bool:
        """Return whether nothing is left to try: neither here nor at a member that may find states for it."""
        if self._space is None:
            return not spent
        self._space.note_search(self._member, spent=spent)
        return not spent and self._space.is_at_rest()

    def _search(self, budget: Budget) -> None:
        """The plain call first; while something is missing, on receivers in other states."""
        if self._space is not None:
            first = self._explorers[0]
            # What its making decides makes other states, which the space shares among all members.
            plainly = budget.hurried(PLAIN_SHARE, PLAIN_LEAST - first.attempts)
            if self._member.uses:
                first.explore(plainly.part(BEFORE_USES), PLAIN_PATIENCE, PLAIN_PATIENCE, late=True)
                self._space.follow_uses(self._object_search(budget))
            first.explore(plainly, PLAIN_PATIENCE, PLAIN_PATIENCE, late=True)
            self._search_states(self._space, budget)
        known = len(self._member.findings.inputs)
        self._search_plainly(budget)
        if self._space is not None and len(self._member.findings.inputs) > known:
            self._search_states(self._space, budget)
        self._search_blindly(budget)

    def _search_states(self, space: ObjectSpace, budget: Budget) -> None:
        """The call on receivers in the states that its class can be brought into."""
        space.search(self._object_search(budget), self._invokable.methods)

    def _object_search(self, budget: Budget) -> MemberSearch:
        from tracetwin.explore.objects.space import MemberSearch

        told = self._statistics, budget, self._report, self._clock, self._kept
        return MemberSearch(self._member, self._solver, *told)

    def _search_plainly(self, budget: Budget) -> None:
        first = self._explorers[0]
        while not first.complete and not budget.spent():
            before = first.findings
            first.explore(budget, PATIENCE, FINER_PATIENCE)
            if first.findings == before and (budget.runs is None or self._has_receiver()):
                break  # a budget of executions is there to be spent, time is not

    def _search_blindly(self, budget: Budget) -> None:
        """The call behind others of which nothing is known, or whose effect on what is missing is not."""
        if self._kind is Explorer and (budget.is_counted or not self._is_in_the_dark()):
            return
        while not budget.spent() and not self._goals.met():
            prefix = next(self._prefixes, None)
            if prefix is None:
                return
            explorer = self._explorer(prefix)
            runs = explorer.prefix_runs
            explorer.explore(budget.part(runs), runs, runs)
            if explorer.cases:
                self._explorers.append(explorer)

    def outcome(self, *, nodes: int = 0) -> ExplorationOutcome:
        """Return what was found up to now, with a constraint tree of at most so many nodes."""
        first = self._explorers[0]
        wanted, covered = self._goals.all(), self._goals.covered
        exhausted = first.complete and first.exhausted and self._is_closed()
        if cut := self._member.findings.cut:
            more = f"at least {count(cut, 'path')} beyond the first {MAX_PATHS} made no case"
            self._statistics.notes[:] = [more]
        return ExplorationOutcome(
            self._invokable.qualname,
            self._cases(),
            self._fates(first, exhausted),
            frozenset(covered & wanted),
            self.entered,
            self._statistics,
            complete=self._finished,
            tried=self._at_rest,
            exhausted=exhausted,
            seconds=self._seconds,
            endings=first.endings,
            misused={at: self._goals.misused[at] for at in self._goals.misused.keys() & wanted - covered},
            unanswered=first.ledger.unanswered(),
            tree=drawn(first.growth, first.cases, nodes, complete=first.complete) if nodes else None,
        )

    def _is_in_the_dark(self) -> bool:
        """Return whether something is missing that was never seen to depend on an input."""
        fates = self._fates(self._explorers[0], exhausted=False).values()
        return any(why is Obstacle.CONCRETE for why, _ in fates)

    def _has_receiver(self) -> bool:
        return self._invokable.kind in ("method", "property")

    def _is_closed(self) -> bool:
        """Return whether the arguments alone decide what happens, and all of their kind were tried."""
        if self._has_receiver() or self._stateful:
            return False
        return not any(may_alias_or_change(run.steps) for run in self._explorers[0].cases)

    def _fates(self, first: Explorer, exhausted: bool) -> dict[tuple[int, int], tuple[Obstacle, str]]:
        pending = first.pending_goals()
        fates = {}
        covered = self._goals.covered
        for goal in self._goals.all() - covered:
            if goal ^ 1 in covered:
                side = (goal >> 1, goal & 1)
                fate, detail = first.ledger.fate(side, pending, exhausted)
                if fate is Obstacle.SPENT and self._finished:
                    fate = Obstacle.NOT_FOUND
                fates[side] = (fate, detail)
        return fates

    def _cases(self) -> list[Case]:
        found = [(self._member, explorer) for explorer in self._explorers]
        return [
            self._case(member, run) for member, explorer in (*found, *self._kept) for run in explorer.cases
        ]

    def _case(self, member: Member, run: Run) -> Case:
        return Case(
            self._module,
            member.qualname,
            member.kind,
            run.steps,
            run.patches,
            origin=f"{run.status} {run.detail}".strip(),
            shows=_shown(run, member),
            found=run.found,
            refused=_harm(run),
        )


def _harm(run: Run) -> str:
    """Return a refusal of the walls other than of reading: outside of them a test would do that.

    In a replay it may come later than anyone looks, as from a finalizer.
    """
    acts = (f"{event}({detail}) is refused" for event, detail, _ in run.refused if act_of(event) != READ)
    return next(acts, "")


def _shown(run: Run, member: Member) -> tuple[int | str, ...]:
    """Return what a test of this run shows beyond lines and branches."""
    sides = list(run.outcomes & member.goals.all())
    decisions = [f"{site}:{outcome}" for site, outcome in run.shown_decisions]
    # A loop that ran before None came back says nothing of the loop before a list did.
    together = [f"{RESULT}{run.result}&{side}" for side in sides] if run.status is Status.RETURNED else []
    if member.kind in ("method", "property"):  # the way through the last call is what its state decides
        if way := member.way(run.latest):
            together.append(way)
        together.extend(f"changes:{name}" for name in run.effects)
    finer: list[str] = []
    if member.goals.borders:
        finer += borders_of(run, member.qualname, member.findings.borders)
    if member.goals.paths:
        finer.append(path_of(run, member.qualname))
    if member.goals.flows:
        finer += member.goals.flows.intersection(flows_of(run))
    if member.goals.vectors:
        finer += vectors_of(run, member.goals.operands)
    result = f"{RESULT}{member.qualname}:{run.result}"
    return tuple(sorted([*sides, *decisions, *together, result, *dict.fromkeys(finer)], key=str))
