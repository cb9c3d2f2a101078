"""A run finds everything as the first run did, whatever ran before: by restoring, or in a new process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.run import Request
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Worker
from tracetwin.target.module import TargetModule as Target

FOLDER = Path(__file__).parent / "data"
KINDS = re.findall(r"^def write_(\w+)\(", (FOLDER / "kept.py").read_text(encoding="utf-8"), re.MULTILINE)


TARGET = Target("kept", str(FOLDER / "kept.py"), str(FOLDER))
PATTERNS = ("kept",)


@pytest.fixture(scope="module")
def runs() -> Iterator[WorkerExecutor]:
    with Worker(TARGET, Limits(wall_seconds=5), patterns=PATTERNS) as worker:
        yield WorkerExecutor(worker)


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    """What runs see where no run ever wrote."""
    with Worker(TARGET, Limits(wall_seconds=5), patterns=PATTERNS) as worker:
        return {kind: seen(WorkerExecutor(worker), kind) for kind in KINDS}


def seen(runs: WorkerExecutor, kind: str) -> Any:
    run = runs.run(Request(f"read_{kind}", (), {}))
    assert run.status == "raised", (run.status, run.detail)
    return run.detail


def test_there_are_many_kinds() -> None:
    assert len(KINDS) >= 100


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_does_not_see_what_another_wrote(
    runs: WorkerExecutor, alone: dict[str, Any], kind: str
) -> None:
    for _ in range(2):
        assert runs.run(Request(f"write_{kind}", (), {})).status in ("returned", "raised")
        assert seen(runs, kind) == alone[kind]
