"""Runs that are spread over a cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tracetwin.model.options import Options
from tracetwin.run.listener import Listener, Work
from tracetwin.run.scheduler.scheduler import generate
from tracetwin.support.errors import ConfigError
from tracetwin.target.selection import resolve

distributed = pytest.importorskip("distributed")

FILES = {
    "shop/__init__.py": "",
    "shop/rates.py": """\
def rate(weight: int, far: bool) -> int:
    if weight > 1000:
        raise ValueError("too heavy")
    return weight * (3 if far else 2)
""",
    "shop/cart.py": """\
import helpers
from shop.rates import rate


class Cart:
    def __init__(self) -> None:
        self.weights: list[int] = []

    def add(self, weight: int) -> None:
        if weight < 0:
            raise ValueError(weight)
        self.weights.append(weight)

    def total(self, far: bool) -> int:
        return helpers.discount(sum(rate(weight, far) for weight in self.weights))


def kind(n: int, text: str) -> str:
    if n > 10 and text.startswith("ab"):
        return "a"
    return "seven" if n * n == 49 else text[:2]
""",
    "helpers.py": "def discount(x: int) -> int:\n    return x - 5 if x > 50 else x\n",
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        file = tmp_path / "project" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "project"


def suites(project: Path, output: str, listener: Listener | None = None, **options: Any) -> dict[str, bytes]:
    """What is written of the project, at most 40 runs per module."""
    given = Options(project / output, max_runs=40, time_limit=600, journal=False, **options)
    results = generate(resolve(str(project / "shop"), project), given, listener or Listener())
    assert [] == [failure for result in results for failure in result.failures]
    return {file.name: file.read_bytes() for file in sorted((project / output).glob("*.py"))}


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
def test_a_cluster_writes_what_processes_of_this_machine_write(project, monkeypatch, shared):
    from tracetwin.run.cluster import pool

    monkeypatch.setattr(pool, "ClusterPool", partial(pool.ClusterPool, shared=shared))
    here = suites(project, "here", jobs=2)
    assert {"test_shop_cart.py", "test_shop_rates.py"} <= here.keys()
    assert here == suites(project, "there", cluster="local:2")


class Killer(Listener):
    """Kills a worker of a cluster when a module was opened, and each time that a function was explored."""

    def __init__(self, cluster: Any) -> None:
        self.killed: list[int] = []
        self._cluster = cluster

    def module_started(self, name: str, functions: list[str]) -> None:
        self._kill()

    def progress(self, module: str, function: str, work: Work) -> None:
        if len(self.killed) < 4:
            self._kill()

    def _kill(self) -> None:
        pids = [nanny.process.pid for nanny in self._cluster.workers.values() if nanny.process.pid]
        new = [pid for pid in pids if pid not in self.killed]
        if len(new) == len(pids):  # all that were killed have been replaced
            self.killed.append(new[len(self.killed) % len(new)])
            os.kill(self.killed[-1], signal.SIGKILL)


@pytest.mark.slow
def test_killed_workers_cost_nothing_but_time(project):
    here = suites(project, "here", jobs=2)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit=0, dashboard_address=":0", silence_logs=50
    ) as cluster:
        killer = Killer(cluster)
        assert here == suites(project, "there", killer, cluster=cluster.scheduler_address)
    assert len(killer.killed) >= 2


INTERRUPTED = """
import sys
from pathlib import Path
from tracetwin.model.options import Options
from tracetwin.run.listener import Listener
from tracetwin.run.scheduler.scheduler import generate
from tracetwin.target.selection import resolve

class Telling(Listener):
    def progress(self, module, function, work):
        if function == "end" and work.runs > 5:
            print("at work", flush=True)

options = Options(Path("out"), time_limit=300, journal=False, cluster="local:2")
(result,) = generate(resolve("endless.py"), options, Telling())
print("tests:", result.test_file, flush=True)
"""


@pytest.mark.slow
def test_an_interrupt_writes_what_was_found(project):
    (project / "endless.py").write_text(
        "def end(n: int) -> int:\n    k = 0\n    while k < n:\n        k += 2\n    return k\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], cwd=project, start_new_session=True, text=True,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "at work\n"
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    output, _ = process.communicate(timeout=100)
    assert "tests: out/test_endless.py" in output
    assert (project / "out" / "test_endless.py").exists()
    assert time.monotonic() - began < 60


@pytest.mark.slow
def test_an_interrupt_ends_though_all_workers_end_with_it(project):
    (project / "endless.py").write_text(
        "def one(n: int) -> int:\n    return n\n\n"
        "def end(n: int) -> int:\n    k = 0\n    while k < n:\n        k += 2\n    return k\n"
    )
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as cluster:
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
        alone = ["--no-nanny", "--nthreads", "1", "--no-dashboard"]
        workers = [subprocess.Popen([*worker, *alone]) for _ in "12"]
        script = INTERRUPTED.replace("local:2", cluster.scheduler_address)
        process = subprocess.Popen(
            [sys.executable, "-c", script], cwd=project, start_new_session=True, text=True,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "at work\n"
            for one in workers:
                one.kill()
            began = time.monotonic()
            os.killpg(process.pid, signal.SIGINT)
            output, _ = process.communicate(timeout=150)
        finally:
            process.kill()
            for one in workers:
                one.kill()
                one.wait()
    assert "tests: None" in output
    assert time.monotonic() - began < 100


def test_without_dask_it_is_said_what_to_install(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"dask is not installed: pip install tracetwin\[cluster\]"):
        suites(project, "out", cluster="local:2")


@pytest.mark.parametrize("address", ["local:", "local:0", "local:two"])
def test_a_wrong_number_of_workers_is_refused(project, address):
    with pytest.raises(ConfigError, match="is not local:N with a number of workers"):
        suites(project, "out", cluster=address)
