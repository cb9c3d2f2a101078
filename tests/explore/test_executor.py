"""What becomes of inputs that a worker gives no answer to."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from tests.explore.support import explore
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


def test_what_an_earlier_run_left_in_a_library_is_no_condition_of_this_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: list[object] = []

    def first_ever(value: object) -> object:
        kept.append(value)
        return kept[0]

    library: Any = ModuleType("some_library")
    library.first_ever = first_ever
    monkeypatch.setitem(sys.modules, "some_library", library)
    source = """
        import some_library
        def ask(x: int | str) -> str:
            if some_library.first_ever(x) == 7:
                return "seven"
            return "long" if isinstance(x, str) and len(x) > 3 else "short"
    """
    found = explore(source, "ask", runs=40)
    assert "long" in found.endings
    assert all(step.node.names <= run.variables.keys() for run in found.runs for step in run.path)
