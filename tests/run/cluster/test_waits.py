"""What is asked of a cluster is not waited for without end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tracetwin.model.options import Options
from tracetwin.run.cluster import client, pool
from tracetwin.run.cluster.client import within
from tracetwin.run.cluster.pool import ClusterPool, RemoteExplorer
from tracetwin.run.listener import Listener
from tracetwin.run.scheduler import scheduler
from tracetwin.run.scheduler.scheduler import generate
from tracetwin.run.tasks import FunctionExplored
from tracetwin.target.selection import resolve


def test_an_answer_or_an_error_comes_back() -> None:
    assert within(5.0, divmod, 7, 3) == (2, 1)
    assert within(5.0, sorted, [1, 2], reverse=True) == [2, 1]
    with pytest.raises(ZeroDivisionError):
        within(5.0, divmod, 7, 0)


def test_what_does_not_end_is_left_to_itself() -> None:
    never = threading.Event()
    began = time.monotonic()
    with pytest.raises(OSError, match=r"did not answer within 0\.1 seconds"):
        within(0.1, never.wait)
    assert time.monotonic() - began < 5
    never.set()


class Deaf:
    """A client of a cluster whose workers are gone: what is asked of them is never answered."""

    def __init__(self, workers: dict[str, dict[str, int]]) -> None:
        self.workers = workers
        self.never = threading.Event()

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        return {"workers": self.workers}

    def run(self, *_: Any, **__: Any) -> None:
        self.never.wait(60)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANSWER_SECONDS", "ENDING_SECONDS", "WATCH_SECONDS"):
        monkeypatch.setattr(pool, name, 0.1)
    monkeypatch.setattr(client, "ANSWER_SECONDS", 0.1)


def pool_of(deaf: Deaf, *workers: str) -> ClusterPool:
    made = ClusterPool.__new__(ClusterPool)
    made._client = deaf
    made._unfit = dict.fromkeys(workers, "gone")
    made._watched = 0.0
    made._jobs = [RemoteExplorer(deaf, worker, {}, lambda *_: None) for worker in workers]
    made._run = "run"
    made.hurry()
    return made


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("known", [{}, {"tcp://a": {"nthreads": 1}, "tcp://b": {"nthreads": 1}}])
def test_without_workers_nobody_waits_for_them(known: dict[str, dict[str, int]]) -> None:
    deaf = Deaf(known)
    made = pool_of(deaf, "tcp://a", "tcp://b")
    began = time.monotonic()
    for job in made:
        job.interrupt()
    made.replace(next(iter(made)))
    with pytest.raises(OSError, match="no worker of the cluster is left"):
        made.replace(next(iter(made)))
    assert time.monotonic() - began < 10
    deaf.never.set()


class Gone(scheduler.ExplorerPool):
    """Explorers that are gone when the first function was explored, and an interrupt comes then."""

    def answers(self, seconds: float) -> Iterator[Any]:
        if not self._jobs:
            raise OSError("no worker of the cluster is left")
        for job, answer in super().answers(seconds):
            yield job, answer
            if isinstance(answer, FunctionExplored):
                for one in self._jobs:
                    one.stop()
                self._jobs.clear()
                raise KeyboardInterrupt


def test_an_interrupt_ends_the_run_though_nobody_is_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "signs.py").write_text("def one(n: int) -> int: return n\ndef two(n: int) -> int: return n\n")
    monkeypatch.setattr(scheduler, "ExplorerPool", Gone)
    options = Options(tmp_path / "t", journal=False, max_runs=20, jobs=1)
    (result,) = generate(resolve(str(tmp_path / "signs.py"), tmp_path), options, Listener())
    assert ["no worker of the cluster is left" in failure.message for failure in result.failures] == [True]
