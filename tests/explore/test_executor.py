"""What becomes of inputs that a worker gives no answer to."""

from __future__ import annotations

from typing import Any

import pytest

from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.run import Request
from tracetwin.process.worker import ReplyNotPlain, RunnerDied, RunnerTimeout, WorkerError


class Mute:
    def __init__(self, error: WorkerError) -> None:
        self.error = error

    def request(self, _message: object) -> Any:
        raise self.error


@pytest.mark.parametrize(
    ("error", "status"),
    [(RunnerTimeout("late"), "timeout"), (RunnerDied("gone"), "died"), (ReplyNotPlain("steps"), "died")],
)
def test_it_costs_the_input_only(error: WorkerError, status: str) -> None:
    worker: Any = Mute(error)
    run = WorkerExecutor(worker).run(Request("f", (), {}))
    assert (status, str(error)) == (run.status, run.detail)
