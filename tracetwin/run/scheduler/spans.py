"""The time line of a run, written down while tasks are handed out and answered."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tracetwin.model.timeline import Span, spent_since
from tracetwin.run.tasks import ExploreTask, FunctionExplored, JoinTask, OpenTask, SuiteBuilt, Task
from tracetwin.run.twins import TwinTask

if TYPE_CHECKING:
    from tracetwin.run.explorer.contract import ExplorerHandle
    from tracetwin.run.scheduler.progress import ModuleState


class Spans:
    """Notes what each process works on, for the module that it works for."""

    def __init__(self) -> None:
        self._zero = time.monotonic()
        self._lanes: dict[ExplorerHandle, int] = {}
        self._begun: dict[ExplorerHandle, tuple[Task, float]] = {}
        self._solved: dict[tuple[int, str], dict[str, float]] = {}

    def begin(self, job: ExplorerHandle, task: Task) -> None:
        """A process gets a task."""
        if job not in self._lanes:
            taken = set(self._lanes.values())
            self._lanes[job] = next(lane for lane in range(len(taken) + 1) if lane not in taken)
        self._begun[job] = task, self._now()

    def end(self, job: ExplorerHandle, state: ModuleState, answer: object = None) -> None:
        """A process has ended its task, or was lost; the answer is None where the process was lost."""
        if job not in self._begun:
            return
        task, began = self._begun.pop(job)
        kind, what = _named(task)
        state.spans.append(
            Span(self._lanes[job], kind, what, began, self._now(), self._parts(state.index, answer))
        )

    def gone(self, job: ExplorerHandle) -> None:
        """A process ended: another gets its place in the picture."""
        self._lanes.pop(job, None)

    def _parts(self, index: int, answer: object) -> tuple[tuple[str, float], ...]:
        if isinstance(answer, SuiteBuilt):
            return spent_since(answer.suite.phases, {})
        if not isinstance(answer, FunctionExplored):
            return ()
        key = index, answer.outcome.qualname
        seconds = _stages(answer.solver)
        before, self._solved[key] = self._solved.get(key, {}), seconds
        fresh = sum(seconds.values()) < sum(before.values())  # another process has begun to count anew
        return spent_since(seconds, {} if fresh else before)

    def _now(self) -> float:
        return time.monotonic() - self._zero


def _stages(solver: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(stage["seconds"]) for name, stage in solver.get("stages", {}).items()}


def _named(task: Task) -> tuple[str, str]:
    """The kind of a task, and what it is about."""
    match task:
        case TwinTask():
            return "rewriting", task.module.name
        case OpenTask() | JoinTask():
            return "importing", task.module.name
        case ExploreTask():
            return "exploring", task.invokable.qualname
        case _:
            return "writing", task.module.name
