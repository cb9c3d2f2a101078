"""The whole exploration of one invokable: the plain call first, then calls that prepare its receiver."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tracetwin.explore.budget import Budget, Statistics
from tracetwin.explore.executable import executable_lines
from tracetwin.explore.explorer import Explorer
from tracetwin.explore.findings import Findings
from tracetwin.explore.goals import Fate, Goals
from tracetwin.explore.influence import any_prefixes, candidate_prefixes, class_facts
from tracetwin.explore.mutable_state import depends_on_state, may_alias_or_change
from tracetwin.explore.run import Executor, Run
from tracetwin.solving import Solver

LONGEST_PREFIX = 4
MOST_PREFIXES = 200
PATIENCE = 800
"""Attempts without a new finding after which the rest of the time is saved."""

FINER_PATIENCE = 120
"""The same where only operands and conditional expressions miss a side."""

SIMPLIFYING = 5
"""One part in so many of a budget of runs is kept for simplifying inputs."""


@dataclass(frozen=True)
class Invokable:
    """What the explorer must know of a target.

    Attributes:
        qualname: dotted name in the module.
        kind: function, method, constructor, ...
        owner: qualified name of the class, or "".
        first_line: first line of the definition.
        last_line: last line of the definition.
        typed: whether every argument's type is known from an annotation.
        problem: why it can't be called, or "".
        constants: values by sort name that occur in its code.
        methods: methods that may prepare its receiver.
        lines: what is wanted of it where it is explored from outside.
    """

    qualname: str
    kind: str
    owner: str
    first_line: int
    last_line: int
    typed: bool
    problem: str
    constants: Mapping[str, Sequence[object]] = field(default_factory=dict)
    methods: Sequence[str] = ()
    lines: Sequence[int] = ()


@dataclass
class Outcome:
    """What exploring one invokable gave.

    Attributes:
        cases: contract cases (plain data), in the order found.
        fates: for each untaken side ``(site, outcome)`` that was reached: why, and a detail.
        reached: sites that were passed at least once.
        complete: nothing was left to try.
        exhausted: every path was explored exactly; what is missing is proved infeasible.
    """

    qualname: str
    cases: list[dict[str, Any]] = field(default_factory=list)
    fates: dict[tuple[int, int], tuple[Fate, str]] = field(default_factory=dict)
    covered: frozenset[int] = frozenset()
    statistics: Statistics = field(default_factory=Statistics)
    complete: bool = False
    exhausted: bool = False
    seconds: float = 0.0
    endings: dict[str, int] = field(default_factory=dict)


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
    ) -> None:
        """Begin; where it takes up an exploration that broke off at a question, that one has no answer."""
        self._module = module
        self._kind = kind
        self._invokable = invokable
        self._executor = executor
        self._solver = solver
        self._goals = goals
        self._seed = seed
        self._statistics = Statistics(unknowns=int(resumed))
        self._findings = Findings()
        self._seconds = 0.0
        self._since = time.monotonic()
        self._stateful = depends_on_state(tree, invokable.qualname)
        self._progress = progress
        self._lines = executable_lines(tree, invokable.first_line, invokable.last_line)
        self._explorers = [self._explorer(())]
        self._prefixes = self._candidate_prefixes(tree)
        self._finished = False

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
            findings=self._findings,
            progress=self._report,
            clock=self._clock,
            lines=() if prefix or self._kind is not Explorer else self._lines,
        )

    def _clock(self) -> float:
        """Seconds of exploring until now."""
        return self._seconds + time.monotonic() - self._since

    def _report(self) -> None:
        wanted = self._goals.all()
        self._progress(len(self._goals.covered & wanted), len(wanted), self._statistics.runs)

    def _candidate_prefixes(self, tree: ast.Module) -> Iterator[tuple[str, ...]]:
        if not self._has_receiver():
            return iter(())
        facts = class_facts(tree, self._invokable.owner)
        name = self._invokable.qualname.rpartition(".")[2]
        if name not in facts and self._kind is not Explorer:
            return any_prefixes(self._invokable.methods, MOST_PREFIXES)
        return candidate_prefixes(facts, name, self._invokable.methods, LONGEST_PREFIX, MOST_PREFIXES)

    def explore(self, budget: Budget) -> None:
        """Spend the budget, or less where nothing more is found."""
        self._since = time.monotonic()
        searching = budget.part(None if budget.runs is None else budget.runs - budget.runs // SIMPLIFYING)
        self._search(searching)
        self._finished = self._goals.met() or not searching.spent()
        for explorer in self._explorers:
            explorer.simplify(budget)
        self._seconds = self._clock()

    def _search(self, budget: Budget) -> None:
        """The plain call first; while sides are missing, calls of other methods before it."""
        first = self._explorers[0]
        while not first.complete and not budget.spent():
            before = first.findings
            first.explore(budget, PATIENCE, FINER_PATIENCE)
            if first.findings == before and (budget.runs is None or self._has_receiver()):
                break  # a budget of executions is there to be spent, time is not
        while not budget.spent() and not self._goals.met():
            prefix = next(self._prefixes, None)
            if prefix is None:
                return
            explorer = self._explorer(prefix)
            runs = explorer.prefix_runs
            explorer.explore(budget.part(runs), runs, runs)
            if explorer.cases:
                self._explorers.append(explorer)

    def outcome(self) -> Outcome:
        """What was found up to now."""
        first = self._explorers[0]
        wanted = self._goals.all()
        exhausted = first.complete and first.exhausted and self._is_closed()
        return Outcome(
            self._invokable.qualname,
            [self._case(run) for explorer in self._explorers for run in explorer.cases],
            self._fates(first, exhausted),
            frozenset(self._goals.covered & wanted),
            self._statistics,
            complete=self._finished,
            exhausted=exhausted,
            seconds=self._seconds,
            endings=first.endings,
        )

    def _has_receiver(self) -> bool:
        return self._invokable.kind in ("method", "property")

    def _is_closed(self) -> bool:
        """Whether the arguments alone decide what happens, and all of their kind were tried."""
        if self._has_receiver() or self._stateful:
            return False
        return not any(may_alias_or_change(run.steps) for run in self._explorers[0].cases)

    def _fates(self, first: Explorer, exhausted: bool) -> dict[tuple[int, int], tuple[Fate, str]]:
        pending = first.pending_goals()
        fates = {}
        covered = self._goals.covered
        for goal in self._goals.all() - covered:
            if goal ^ 1 in covered:
                side = (goal >> 1, goal & 1)
                fate, detail = first.ledger.fate(side, pending, exhausted)
                if fate is Fate.SPENT and self._finished:
                    fate = Fate.NOT_FOUND
                elif fate is Fate.CONCRETE and pending and not (self._finished or self._statistics.losses):
                    fate = Fate.SPENT  # runs to come might have shown what it depends on
                fates[side] = (fate, detail)
        return fates

    def _case(self, run: Run) -> dict[str, Any]:
        origin = f"{run.status} {run.detail}".strip()
        return {
            "target": (self._module, self._invokable.qualname),
            "kind": self._invokable.kind,
            "steps": list(run.steps),
            "origin": origin,
            "shows": self._shown(run),
            "found": run.found,
        }

    def _shown(self, run: Run) -> list[object]:
        """What a test of this run shows beyond lines and branches."""
        sides: list[object] = list(run.outcomes & self._goals.all())
        decisions = [f"{site}:{outcome}" for site, outcome in run.decisions]
        # A loop that ran before None came back says nothing of the loop before a list did.
        together = [f"result:{run.result}&{side}" for side in sides] if run.status == "returned" else []
        return sorted([*sides, *decisions, *together, f"result:{run.result}"], key=str)
