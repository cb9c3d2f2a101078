"""Ended in the middle: what was found is written or the old file stands, and nothing is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.command import SLOW, alive, family, started, wait_until
from tests.target.layout import lay_out

pytestmark = pytest.mark.slow

QUICK = "def quick(x: int) -> str:\n    if x > 3:\n        return 'big'\n    return 'small'\n"
OLD = "# the old file\n"
PROGRESS_SECONDS = 1.5

linux = pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return lay_out(tmp_path, {"slow.py": QUICK + SLOW})


def _workers(pid: int) -> list[int]:
    """The processes below `pid` in which a target runs."""
    found = []
    for child in family(pid):
        with suppress(OSError):  # gone in the meantime
            if b"process/__main__.py" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


def _progress(process: subprocess.Popen[str]) -> None:
    """Wait until the target was imported and has run for a while, however busy the machine is."""
    # Of the workers one forks the others, which run inputs.
    assert wait_until(lambda: len(_workers(process.pid)) > 1, 20)
    time.sleep(PROGRESS_SECONDS)


def _leftovers(project: Path) -> set[str]:
    return {str(f.relative_to(project)) for f in project.rglob("*")} - {"slow.py", "out", "out/test_slow.py"}


@pytest.fixture
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("temporary") / "files"


@linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_writes_what_was_found(project: Path, scratch: Path, number: int) -> None:
    with started(
        "generate", "slow.py", "-o", "out", "--time-limit", "60", cwd=project, scratch=scratch
    ) as process:
        _progress(process)
        assert process.poll() is None
        everyone = family(process.pid)
        os.kill(process.pid, number)
        process.communicate(timeout=20)
        assert 128 + number == process.returncode
        assert wait_until(lambda: not alive(everyone), 5), "processes are left"
    assert "def test_quick_returns_" in (project / "out" / "test_slow.py").read_text()
    assert not _leftovers(project)
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "out/test_slow.py"], cwd=project, timeout=60, check=False
    )
    assert 0 == done.returncode
    assert not list(scratch.iterdir())


@linux
def test_an_interruption_of_a_budget_keeps_what_was_found_in_all_modules(
    project: Path, scratch: Path
) -> None:
    names = ("first", "second", "third")
    lay_out(project, {f"shop/{name}.py": QUICK + SLOW for name in names} | {"shop/__init__.py": ""})
    with started(
        "generate", "shop", "-o", "out", "--budget", "90s", "-j", "1", "--json", "r.json",
        cwd=project, scratch=scratch,
    ) as process:  # fmt: skip
        assert wait_until(lambda: len(_workers(process.pid)) > 3, 60), "two modules are not ready"
        time.sleep(PROGRESS_SECONDS)
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=90)
        assert 130 == process.returncode
    result = json.loads((project / "r.json").read_text())
    told = {module["name"]: module for module in result["modules"]}
    assert {f"shop.{name}" for name in names} <= set(told)
    assert told["shop.first"]["tests"] > 1
    for name in names:
        written = (project / f"out/test_shop_{name}.py").exists()
        assert written or "interrupted" in told[f"shop.{name}"]["error"]
    assert result["curve"][-1]["covered"] >= 2


@linux
def test_an_interruption_of_the_whole_group_writes_too(project: Path, scratch: Path) -> None:
    """As Ctrl-C in a terminal does it: every process of the group gets the signal."""
    with started(
        "generate", "slow.py", "-o", "out", "--time-limit", "60", cwd=project, scratch=scratch
    ) as process:
        _progress(process)
        everyone = family(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=20)
        assert 130 == process.returncode
        assert wait_until(lambda: not alive(everyone), 5), "processes are left"
    assert "def test_quick_returns_" in (project / "out" / "test_slow.py").read_text()


@linux
def test_a_kill_leaves_the_old_file_and_no_process(project: Path, scratch: Path) -> None:
    lay_out(project, {"out/test_slow.py": OLD})
    with started(
        "generate", "slow.py", "-o", "out", "--time-limit", "60", cwd=project, scratch=scratch
    ) as process:
        _progress(process)
        assert process.poll() is None
        everyone = family(process.pid)
        assert len(everyone) > 3
        process.kill()
        process.wait(10)
        assert wait_until(lambda: not alive(everyone), 5), "processes are left"
    assert OLD == (project / "out" / "test_slow.py").read_text()
    assert not _leftovers(project)
    assert wait_until(lambda: not list(scratch.iterdir()), 5), "temporary files are left"


@linux
def test_a_killed_worker_costs_its_runs_only(project: Path, scratch: Path) -> None:
    with started(
        "generate",
        "slow.py",
        "-o",
        "out",
        "--time-limit",
        "8",
        "-j",
        "1",
        cwd=project,
        scratch=scratch,
    ) as process:
        _progress(process)
        for pid in _workers(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.communicate(timeout=30)
        assert 0 == process.returncode
    assert "def test_slow_returns_" in (project / "out" / "test_slow.py").read_text()


@linux
def test_nothing_is_left_after_a_normal_end(project: Path, scratch: Path) -> None:
    with started(
        "generate", "slow.py", "-o", "out", "--max-runs", "20", cwd=project, scratch=scratch
    ) as process:
        time.sleep(1.0)
        everyone = family(process.pid)
        process.communicate(timeout=30)
        assert 0 == process.returncode
        assert not alive(everyone)
    assert not _leftovers(project)
    assert not list(scratch.iterdir())
