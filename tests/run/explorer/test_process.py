"""An explorer process ends with its parent, and says nothing of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.process.walls.sandbox import Limits
from tracetwin.run.explorer.contract import ExplorerHandle
from tracetwin.run.explorer.process import Job
from tracetwin.run.tasks import ExploreTask, FunctionExplored, Starting, SuiteTask, Task


@pytest.mark.parametrize("error", [EOFError, ConnectionResetError, BrokenPipeError])
def test_it_ends_quietly_when_its_parent_has_gone(error: type[Exception]) -> None:
    def receive() -> Any:
        raise error

    job = SimpleNamespace(_connection=SimpleNamespace(recv=receive), _members=SimpleNamespace(whole=list))
    Job.serve(job)  # type: ignore[arg-type]


def test_the_import_that_a_new_process_makes_once_more_is_told_before_and_is_no_part_of_a_turn() -> None:
    done: list[object] = []
    worker = SimpleNamespace(is_started=False, limits=Limits(import_seconds=7.0))
    worker.start = lambda: done.append("imported")

    def explore(task: ExploreTask) -> FunctionExplored:
        done.append("explored")
        return FunctionExplored(task.index, ExplorationOutcome("f"))

    exploring = SimpleNamespace(explore=explore)
    job: Any = SimpleNamespace(
        _use=lambda *given, **named: SimpleNamespace(worker=worker, exploring=exploring),
        _send=done.append,
        _prepare_suite=lambda task: None,
        _ready=None,
    )
    given: Any = None
    task = ExploreTask(3, given, given, frozenset(), 0.1, None, 0)
    assert isinstance(Job._answer(job, task), FunctionExplored)
    assert done == [Starting(3, 7.0), "imported", "explored"]
    worker.is_started = True
    Job._answer(job, task)
    assert done[3:] == ["explored"]


def test_a_suite_that_takes_longer_than_it_should_is_not_taken_for_one_that_hangs() -> None:
    class Handle(ExplorerHandle):
        ending = ""

        def _send(self, task: Task) -> None: ...
        def interrupt(self) -> None: ...
        def stop(self) -> None: ...

    given: Any = None
    handle = Handle()
    handle.give(SuiteTask(0, given, (), "unittest", "auto", (), within=5.0))
    assert 60.0 < handle.deadline - handle.began < 80.0
    handle.give(ExploreTask(0, given, given, frozenset(), 5.0, None, 0))
    assert handle.deadline - handle.began < 20.0
