"""Explores with a journal in this process, and ends at any point as a killed process does."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.explore.support import _Here, twin_module
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.past import Begun
from tracetwin.explore.loop.shard_log import ShardLog
from tracetwin.explore.objects.classes import shard_members, space_of
from tracetwin.explore.objects.exploration import Exploration, ExplorationOutcome
from tracetwin.explore.wanted import Wanted, helper_sites
from tracetwin.model.invokable import Invokable
from tracetwin.solving import Answer, Problem, build_chain


class Killed(BaseException):
    """The end of the process."""


@dataclass
class Limit:
    """How much is really done, and when the process is killed.

    Attributes:
        left: runs and questions until then, None for no end.
    """

    left: int | None = None
    runs: int = 0
    questions: int = 0

    def spend(self) -> None:
        if self.left is not None:
            if self.left == 0:
                raise Killed
            self.left -= 1


@dataclass
class Counting:
    """A worker and a solver that count, and are killed in the midst of a request."""

    runner: Any
    limit: Limit
    chain: Any = field(default_factory=build_chain)

    def request(self, message: Any) -> Any:
        self.limit.spend()
        self.limit.runs += 1
        return self.runner.handle(message)

    def replace_runner(self) -> None:
        return

    def solve(self, problem: Problem) -> Answer:
        self.limit.spend()
        self.limit.questions += 1
        answer: Answer = self.chain.solve(problem)
        return answer

    def recall(self, problem: Problem, answer: Answer) -> None:
        self.chain.recall(problem, answer)


class Process:
    """What an explorer process does with the tasks of one shard."""

    def __init__(self, source: str, module: Any, sites: Any, path: Path, limit: Limit) -> None:
        self.limit = limit
        self._source, self._module, self._sites = source, module, sites
        runner: Any = _Here(module, 4.0)
        self._invokables = [Invokable(**runner._catalogue.describe(i)) for i in runner._catalogue.invokables]
        self._helpers = helper_sites(sites, self._invokables)
        self._asked = Counting(runner, limit)
        self._executor = WorkerExecutor(self._asked)  # type: ignore[arg-type]
        self._known: dict[str, Exploration] = {}
        self._space: Any = None
        self.log = ShardLog(path)
        self._executor.through(self.log.worker)

    def explore(self, begun: Begun, seconds: float = 60.0) -> ExplorationOutcome:
        """Do a task, after those before it."""
        for earlier in self.log.before(begun.key):
            self._explore_once(earlier, seconds)
        return self._explore_once(begun, seconds)

    def _explore_once(self, begun: Begun, seconds: float) -> ExplorationOutcome:
        if begun.qualname not in self._known:
            self._known[begun.qualname] = self._new(begun.qualname)
        exploration = self._known[begun.qualname]
        budget = Budget(begun.runs, time.monotonic() + seconds, late=self.log.late)
        self.log.begin(begun)
        exploration.explore(budget)
        self.log.end()
        return exploration.outcome()

    def _new(self, qualname: str) -> Exploration:
        invokable = next(i for i in self._invokables if i.qualname == qualname)
        members = shard_members(invokable, self._invokables)
        if members and self._space is None:
            self._space = space_of(
                members, self._executor, Wanted(self._sites, self._helpers).of, self._source,
                module=self._module.__name__,
            )  # fmt: skip
        space = self._space if members else None
        goals = Wanted(self._sites, self._helpers).of(invokable)
        return Exploration(
            self._module.__name__,
            invokable,
            self._executor,
            self.log.solver(self._asked),
            goals=space.members.named(qualname).goals if space else goals,
            tree=ast.parse(self._source),
            resumed=self.log.hung,
            space=space,
        )


@contextmanager
def processes(source: str) -> Iterator[Any]:
    """A function that starts a process on a journal; all of them have the same target."""
    with twin_module(source) as (module, made):
        yield lambda path, left=None: Process(source, module, made.sites, path, Limit(left))


def plain(outcome: ExplorationOutcome) -> Any:
    """What matters of an outcome: all but seconds."""
    cases = [replace(case, found=0.0) for case in outcome.cases]
    return cases, outcome.fates, outcome.covered, outcome.statistics.runs, outcome.complete
