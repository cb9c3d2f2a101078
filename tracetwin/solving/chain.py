"""The solver chain: the stages, and the order in which they are asked.

fold -> order -> cache -> choices -> candidates -> backward -> nearby texts -> small ints -> z3's special
theories -> z3 -> small ints further -> search -> z3's last theories. Every stage may pass a problem on; the
first that finds values or a proof decides. No model leaves the chain before the evaluator has confirmed it.

Texts that are put together from numbers become equations of the numbers before the first stage. Conditions
that have nothing to do with the goal are left out when a stage first asks for the conditions.
"""

from __future__ import annotations

import dataclasses
import gc
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from runtime.evaluate import holds
from runtime.expr import TRUE
from tracetwin.solving.answers import HURRIED, Answer, Problem, Sat, Unknown, Unsat
from tracetwin.solving.figures import Slow, Slowest, StageStatistics, Statistics
from tracetwin.solving.stages.backward import Backward
from tracetwin.solving.stages.cache import Cache
from tracetwin.solving.stages.candidates import Candidates
from tracetwin.solving.stages.choices import Choices
from tracetwin.solving.stages.fold import Fold
from tracetwin.solving.stages.order import Order
from tracetwin.solving.stages.search import Nearby, Search
from tracetwin.solving.stages.sweep import Sweep
from tracetwin.solving.task import AskingTheories, Stage, Task
from tracetwin.solving.unformat import Unformat
from tracetwin.support.plugins import MODELS, plugins

if TYPE_CHECKING:
    from tracetwin.solving.smt.theory import TheoryTurn

RLIMIT: Final = 500_000
CPU_SECONDS: Final = 6.0
NEARBY_EVALUATIONS: Final = 250
BACKWARD_EVALUATIONS: Final = 800
SWEEP_EVALUATIONS: Final = 300
EVALUATIONS: Final = 3_000


class Chain:
    """Stages asked in turn."""

    def __init__(
        self,
        stages: list[Stage],
        on_error: Callable[[Exception], object] | None = None,
        until: Callable[[], float | None] = lambda: None,
    ) -> None:
        """Take the links.

        Args:
            stages: in the order in which they are asked; the first one is asked however late it is.
            on_error: told of an exception in a stage, which is a mistake of ours and costs one answer of that
                stage. Without it the exception is raised.
            until: gives a time of `time.monotonic` from which on no other stage is asked; None for never.
        """
        self._stages = stages
        self._on_error = on_error
        self._until = until
        self._unformat = Unformat()
        self._figures = Statistics(stages={stage.name: StageStatistics() for stage in stages})

    @property
    def statistics(self) -> dict[str, Any]:
        """The figures of `Statistics` as plain data."""
        for stage in self._stages:
            if isinstance(stage, Lazy):
                self._figures.theories.update(stage.theories)
        return dataclasses.asdict(self._figures)

    @property
    def seconds(self) -> float:
        """How long it was at work until now."""
        return self._figures.seconds

    @property
    def slowest(self) -> list[Slow]:
        """The questions that took z3 longest, the slowest first."""
        found = Slowest()
        for stage in self._stages:
            for slow in stage.slowest if isinstance(stage, Lazy) else ():
                found.take(slow)
        return found

    def solve(self, problem: Problem) -> Answer:
        """Values for which conditions and goal hold, a proof that there are none, or why neither."""
        started = time.perf_counter()
        self._figures.queries += 1
        try:
            return self._solve(problem)
        finally:
            self._figures.seconds += time.perf_counter() - started

    def recall(self, problem: Problem, answer: Answer) -> None:
        """Take note of an answer that was given at another time."""
        self._figures.queries += 1
        problem = self._unformat(problem)
        if problem.goal.op != "const" and not isinstance(answer, Unknown):
            task = Task(problem)
            for each in self._stages:
                each.learn(task, answer)

    def _solve(self, problem: Problem) -> Answer:
        problem = self._unformat(problem)
        if problem.goal.op == "const":
            self._figures.folded += 1
            return Sat(dict(problem.current), "constant") if problem.goal is TRUE else Unsat()
        task = Task(problem)
        reasons = []
        for stage in self._stages:
            answer = self._ask(stage, task)
            if not isinstance(answer, Unknown):
                self._figures.folded += stage.name == "fold"
                self._figures.cache_hits += stage.name == "cache"
                if stage.name != "fold":  # what is seen at a glance is not worth remembering
                    for each in self._stages:
                        each.learn(task, answer)
                return answer
            reasons.append(f"{stage.name}: {answer.reason}")
            if self._is_late():
                reasons.append(HURRIED)
                break
        self._figures.unknown += 1
        return Unknown("; ".join(reasons))

    def _is_late(self) -> bool:
        until = self._until()
        return until is not None and time.monotonic() >= until

    def _ask(self, stage: Stage, task: Task) -> Answer:
        """One stage's answer, a model only if the evaluator confirms it."""
        figures = self._figures.stages[stage.name]
        started = time.perf_counter()
        answer = self._attempted(stage, task)
        if isinstance(answer, Sat) and not holds(task.roots, answer.model):
            figures.refused += 1
            answer = Unknown("its model does not hold")
        figures.count(answer, time.perf_counter() - started)
        return answer

    def _attempted(self, stage: Stage, task: Task) -> Answer:
        try:
            return stage.attempt(task)
        except Exception as error:
            if self._on_error is None:
                raise
            stage.forget()  # it may have stopped halfway
            self._on_error(error)
            return Unknown(f"an internal error, {type(error).__name__}")

    @property
    def models(self) -> tuple[dict[str, object], ...]:
        """The last models found, as plain values."""
        return tuple(model for stage in self._stages if isinstance(stage, Cache) for model in stage.latest)

    def share(self, models: Sequence[Mapping[str, object]]) -> None:
        """Take models found for other functions into account.

        Where the same seed is to give the same answers, they must not depend on who was faster.
        """
        for stage in self._stages:
            if isinstance(stage, Cache):
                stage.shared = models

    def rest(self) -> None:
        """Give back what z3 holds, some 20 MiB for each theory; answers and figures stay known."""
        if sum(stage.rest() for stage in self._stages if isinstance(stage, Lazy)):
            gc.collect()  # alarms and what they interrupt refer to each other


class Apart(Protocol):
    """A process that asks z3.

    Attributes:
        until: a time of `time.monotonic` from which on nothing is begun with; None for never.
    """

    until: float | None

    def stage(self, turn: TheoryTurn, rlimit: int, cpu_seconds: float) -> AskingTheories:
        """A stage that asks there."""


class Lazy(Stage):
    """A stage that is made when it is first asked: loading z3 costs more than most runs."""

    def __init__(self, name: str, make: Callable[[], AskingTheories]) -> None:
        self.name = name
        self._make = make
        self._stage: AskingTheories | None = None
        self._theories: dict[str, StageStatistics] = {}
        self.slowest = Slowest()

    @property
    def theories(self) -> Mapping[str, StageStatistics]:
        """The figures of the theories that it asked."""
        return self._theories

    def attempt(self, task: Task) -> Answer:
        if self._stage is None:
            self._stage = self._make()
            self._stage.theories, self._stage.slowest = self._theories, self.slowest
        return self._stage.attempt(task)

    def rest(self) -> bool:
        """Drop the real stage until it is asked again; says whether that left something to collect."""
        stage = self._stage
        if stage is None:
            return False
        stage.rest()
        if stage.here:
            self._stage = None
        return stage.here

    def forget(self) -> None:
        """Drop what refers to nodes."""
        self.slowest.clear()
        if self._stage is not None:
            self._stage.forget()


def build_chain(
    *,
    seed: int = 0,
    rlimit: int = RLIMIT,
    on_error: Callable[[Exception], object] | None = None,
    apart: Apart | None = None,
) -> Chain:
    """The chain as the explorer uses it.

    Args:
        seed: makes the search repeatable.
        rlimit: z3's resource limit per check; counted, not timed, so that results repeat.
        on_error: see `Chain`.
        apart: makes the stages that ask z3 in a process of its own; None: it is asked in this one.
    """
    plugins(MODELS)

    def asking(turn: str) -> Lazy:
        def make() -> AskingTheories:
            from tracetwin.solving.smt.stage import Z3Stage
            from tracetwin.solving.smt.theory import TheoryTurn

            if apart is not None:
                return apart.stage(TheoryTurn(turn), rlimit, CPU_SECONDS)
            return Z3Stage(TheoryTurn(turn), rlimit, CPU_SECONDS)

        return Lazy(turn, make)

    return Chain(
        [
            Fold(),
            Order(),
            Cache(),
            Choices(),
            Candidates(),
            Backward(BACKWARD_EVALUATIONS),
            Nearby(seed, NEARBY_EVALUATIONS),
            Sweep("sweep", SWEEP_EVALUATIONS),
            asking("special z3"),
            asking("z3"),
            Sweep("wide sweep", EVALUATIONS),
            Search(seed, EVALUATIONS),
            asking("last z3"),
        ],
        on_error,
        (lambda: apart.until) if apart is not None else (lambda: None),
    )
