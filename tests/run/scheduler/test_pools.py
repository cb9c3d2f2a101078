"""What every pool of explorers does, wherever these are."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tracetwin.run.explorer.contract import Explorers
from tracetwin.run.scheduler.scheduler import ExplorerPool
from tracetwin.run.tasks import ExploreTask, FunctionExplored, ModuleOpened, OpenTask
from tracetwin.target.module import TargetModule

with contextlib.suppress(ImportError):
    import distributed  # noqa: F401 - it adds to the import system, which is not the doing of a test

SOURCE = """\
def sign(n: int) -> int:
    if n > 100:
        return 1
    return -1

def end(n: int) -> int:
    while n != n + 1:
        n += 1
    return n
"""


def local(module: TargetModule, folder: Path) -> Explorers[Any]:
    return ExplorerPool(1)


def cluster(module: TargetModule, folder: Path, *, shared: bool) -> Explorers[Any]:
    pytest.importorskip("distributed")
    from tracetwin.run.cluster.pool import ClusterPool

    return ClusterPool("local:1", [module], [folder], lambda _: None, shared=shared)




@pytest.fixture(
    params=[
        pytest.param(local, id="local"),
        pytest.param(partial(cluster, shared=True), id="cluster", marks=pytest.mark.slow),
        pytest.param(partial(cluster, shared=False), id="far-cluster", marks=pytest.mark.slow),
    ]
)
def pool(request, tmp_path, module):
    (tmp_path / "journals").mkdir()
    with request.param(module, tmp_path / "journals") as made:
        yield made


@pytest.fixture
def module(tmp_path):
    file = tmp_path / "project" / "signs.py"
    file.parent.mkdir()
    file.write_text(SOURCE)
    return TargetModule("signs", str(file), str(file.parent))


def last(pool: Explorers[Any], seconds: float = 60.0) -> tuple[Any, Any]:
    """The answer that ends a task, with who gave it, who is idle then."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for job, answer in pool.answers(0.2):
            if answer is None or isinstance(answer, (ModuleOpened, FunctionExplored)):
                job.task = None
                return job, answer
    raise AssertionError("no answer came")


def exploring(module: TargetModule, opened: ModuleOpened, name: str, folder: Path, **limits: Any) -> Any:
    (invokable,) = (known for known in opened.invokables if known.qualname == name)
    limits = {"seconds": 30.0, "runs": 20, **limits}
    return ExploreTask(0, module, invokable, frozenset(), **limits, seed=0, journals=folder)


def test_an_explorer_answers_its_tasks_and_is_interrupted_and_replaced(pool, module, tmp_path):
    (job,) = pool
    assert (1, None, False) == (len(pool), job.task, job.vanished)
    job.give(OpenTask(0, module))
    assert job.task is not None
    assert job.deadline > job.began
    who, opened = last(pool)
    assert who is job
    assert ["sign", "end"] == [known.qualname for known in opened.invokables]
    assert not opened.error

    journals = tmp_path / "journals"
    job.give(exploring(module, opened, "sign", journals))
    _, explored = last(pool)
    assert explored.outcome.complete
    assert len(explored.outcome.cases) >= 2
    assert list(journals.iterdir()), "what an explorer has found is here, whatever becomes of it"

    job.give(exploring(module, opened, "end", journals, runs=None))
    began = time.monotonic()
    job.interrupt()
    _, cut = last(pool)
    assert time.monotonic() - began < 20
    assert not cut.outcome.complete

    job.give(exploring(module, opened, "end", journals, runs=None))
    assert [] == pool.late()
    job.deadline = 0.0
    assert [job] == pool.late()
    pool.replace(job)
    (other,) = pool
    assert other is not job
    other.give(exploring(module, opened, "sign", journals))
    who, again = last(pool)
    assert who is other
    assert explored.outcome.covered == again.outcome.covered
