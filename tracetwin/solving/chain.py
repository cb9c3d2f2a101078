"""The solver chain: which stages there are, and in which order they are asked.

split -> cache -> candidates -> nearby texts -> z3 -> search -> exact floats. Every stage may pass a
problem on; the first that finds values or a proof decides, and no model leaves the chain before the
evaluator has confirmed it.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from runtime.evaluate import holds
from runtime.expr import FALSE, TRUE
from tracetwin.solving.answers import Answer, Problem, Sat, Unknown, Unsat
from tracetwin.solving.cache import Cache
from tracetwin.solving.candidates import Candidates
from tracetwin.solving.search import Nearby, Search
from tracetwin.solving.task import Task

RLIMIT: Final = 500_000
CPU_SECONDS: Final = 6.0
NEARBY_EVALUATIONS: Final = 250
EVALUATIONS: Final = 3_000


class Stage(Protocol):
    """One link of the chain."""

    name: str

    def attempt(self, task: Task) -> Answer:
        """An answer; `Unknown` hands the problem on."""

    def learn(self, task: Task, answer: Answer) -> None:
        """Take note of the chain's answer."""

    def forget(self) -> None:
        """Drop everything that refers to nodes."""


@dataclass
class StageStatistics:
    """What one stage has done.

    Attributes:
        queries: problems put to it; `sat`, `unsat` and `unknown` count its answers.
        refused: models of it that the evaluator did not confirm.
        seconds: time spent in it.
    """

    queries: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    refused: int = 0
    seconds: float = 0.0


@dataclass
class Statistics:
    """What the chain has done.

    Attributes:
        queries: problems put to the chain.
        cache_hits: those answered from memory.
        seconds: time spent in all.
        stages: figures per stage, in the order of the chain.
    """

    queries: int = 0
    cache_hits: int = 0
    seconds: float = 0.0
    stages: dict[str, StageStatistics] = field(default_factory=dict)


class Chain:
    """Stages asked in turn."""

    def __init__(self, stages: list[Stage]) -> None:
        self._stages = stages
        self._figures = Statistics(stages={stage.name: StageStatistics() for stage in stages})

    @property
    def statistics(self) -> dict[str, Any]:
        """The figures of `Statistics` as plain data."""
        return dataclasses.asdict(self._figures)

    def solve(self, problem: Problem) -> Answer:
        """Values for which conditions and goal hold, a proof that there are none, or why neither."""
        started = time.perf_counter()
        self._figures.queries += 1
        try:
            return self._solve(problem)
        finally:
            self._figures.seconds += time.perf_counter() - started

    def _solve(self, problem: Problem) -> Answer:
        if problem.goal is FALSE:
            return Unsat()
        if problem.goal is TRUE:
            return Sat(dict(problem.current), "constant")
        task = Task(problem)
        reasons = []
        for stage in self._stages:
            answer = self._ask(stage, task)
            if not isinstance(answer, Unknown):
                if stage.name == "cache":
                    self._figures.cache_hits += 1
                for each in self._stages:
                    each.learn(task, answer)
                return answer
            reasons.append(f"{stage.name}: {answer.reason}")
        return Unknown("; ".join(reasons))

    def _ask(self, stage: Stage, task: Task) -> Answer:
        """One stage's answer, a model only if the evaluator confirms it."""
        figures = self._figures.stages[stage.name]
        figures.queries += 1
        started = time.perf_counter()
        answer = stage.attempt(task)
        if isinstance(answer, Sat) and not holds(task.roots, answer.model):
            figures.refused += 1
            answer = Unknown("its model does not hold")
        figures.seconds += time.perf_counter() - started
        match answer:
            case Sat():
                figures.sat += 1
            case Unsat():
                figures.unsat += 1
            case Unknown():
                figures.unknown += 1
        return answer

    def forget(self) -> None:
        """Drop everything that refers to nodes; to be called with `runtime.expr.reset`."""
        for stage in self._stages:
            stage.forget()


class Lazy:
    """A stage that is made when it is first asked: loading z3 costs more than most runs."""

    def __init__(self, name: str, make: Callable[[], Stage]) -> None:
        self.name = name
        self._make = make
        self._stage: Stage | None = None

    def attempt(self, task: Task) -> Answer:
        """Ask the real stage."""
        if self._stage is None:
            self._stage = self._make()
        return self._stage.attempt(task)

    def learn(self, task: Task, answer: Answer) -> None:
        """Nothing to learn."""

    def forget(self) -> None:
        """Drop what refers to nodes."""
        if self._stage is not None:
            self._stage.forget()


def build_chain(*, seed: int = 0, rlimit: int = RLIMIT, effort: int = 1) -> Chain:
    """The chain as the explorer uses it.

    Args:
        seed: makes the search repeatable.
        rlimit: z3's resource limit per check; counted, not timed, so that results repeat.
        effort: multiplies the budgets of z3 and search.
    """

    def quick() -> Stage:
        from tracetwin.solving.theories import Quick

        return Quick(rlimit * effort, CPU_SECONDS * effort)

    def exact() -> Stage:
        from tracetwin.solving.theories import Exact

        return Exact(rlimit * effort, CPU_SECONDS * effort)

    return Chain(
        [
            Cache(),
            Candidates(),
            Nearby(seed, NEARBY_EVALUATIONS * effort),
            Lazy("z3", quick),
            Search(seed, EVALUATIONS * effort),
            Lazy("floats", exact),
        ]
    )
