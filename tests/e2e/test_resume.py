"""What `--resume` goes on with, and what it does not."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run, started, wait_until
from tests.e2e.kills import rounds
from tests.targets.layout import lay_out

HELPER = "LIMIT = 10\n"
SHOP = """
import threading

from helper import LIMIT


def slow(x: int, text: str) -> str:
    threading.Event().wait(0.03)
    if text == "a" * x and x > LIMIT:
        return "long"
    if len(text) * 7 == x + 3:
        return "equal"
    return "small"
"""
OPTIONS = ("generate", "shop.py", "-o", "out", "-j", "1")

linux = pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "cache"))
    return lay_out(tmp_path / "project", {"shop.py": SHOP, "helper.py": HELPER})


def _journals(project: Path) -> list[Path]:
    return list((project.parent / "cache" / "journals").glob("*/home-*"))


def _written(project: Path, size: int) -> bool:
    return any(file.stat().st_size > size for file in _journals(project))


def _killed(project: Path, *options: str, size: int = 3000) -> None:
    """A run of this project that is killed when it has found something."""
    with started(*OPTIONS, *options, cwd=project, scratch=project.parent / "files") as process:
        assert wait_until(lambda: _written(project, size), 40), process.poll()
        process.kill()
        process.wait(10)
    assert not (project / "out" / "test_shop.py").exists()


def _stats(project: Path) -> dict[str, Any]:
    (module,) = json.loads((project / "result.json").read_text())["modules"]
    found: dict[str, Any] = module
    return found


@linux
def test_a_killed_run_is_gone_on_with(project: Path) -> None:
    _killed(project, "--max-runs", "60")
    before = sum(file.stat().st_size for file in _journals(project))
    done = run(*OPTIONS, "--max-runs", "60", "--resume", "--json", "result.json", cwd=project, timeout=120)
    assert 0 == done.returncode, done.stderr
    assert before
    assert "shop: going on with an interrupted run" in done.stdout + done.stderr
    assert 60 >= _stats(project)["runs"]
    assert [] == _stats(project)["uncovered"]
    assert [] == _journals(project), "nothing is left to go on with"


@linux
@pytest.mark.parametrize(
    ("changed", "options", "why"),
    [
        ("shop.py", (), "shop.py has changed since"),
        ("helper.py", (), "helper.py has changed since"),
        ("", ("--seed", "3"), "the journal is of a run with another --seed"),
    ],
)
def test_other_work_is_begun_anew(project: Path, changed: str, options: tuple[str, ...], why: str) -> None:
    _killed(project, "--max-runs", "30", size=1500)
    if changed:
        with (project / changed).open("a") as file:
            file.write("\n# changed\n")
    done = run(*OPTIONS, "--max-runs", "30", *options, "--resume", cwd=project, timeout=120)
    assert 0 == done.returncode, done.stderr
    said = done.stdout + done.stderr
    assert "shop: nothing to resume" in said
    assert "it is begun anew" in said
    assert why in said
    assert (project / "out" / "test_shop.py").exists()


def test_nothing_is_there_to_resume(project: Path) -> None:
    done = run(*OPTIONS, "--max-runs", "4", "--resume", cwd=project, timeout=120)
    assert 0 == done.returncode, done.stderr
    assert "nothing to resume: there is no journal of an interrupted run" in done.stdout + done.stderr


@linux
def test_an_interrupted_run_is_gone_on_with(project: Path) -> None:
    with started(
        *OPTIONS, "--max-runs", "60", cwd=project, scratch=project.parent / "files"
    ) as process:
        assert wait_until(lambda: _written(project, 3000), 40)
        os.kill(process.pid, signal.SIGINT)
        said, errors = process.communicate(timeout=60)
    assert "the same command with --resume goes on with this run" in said + errors
    done = run(*OPTIONS, "--max-runs", "60", "--resume", "--json", "result.json", cwd=project, timeout=120)
    assert 0 == done.returncode, done.stderr
    assert [] == _stats(project)["uncovered"]
    assert [] == _journals(project)


@pytest.mark.skipif(sys.platform == "win32", reason="a device of POSIX")
def test_a_cache_that_cannot_be_written_costs_the_journal_only(project: Path) -> None:
    (project.parent / "cache").write_text("a file in the way")
    done = run(*OPTIONS, "--max-runs", "4", cwd=project, timeout=120)
    assert 0 == done.returncode, done.stderr
    said = done.stdout + done.stderr
    assert 1 == said.count("no journal is kept, so that --resume is not possible: ")


def test_no_journal_leaves_none(project: Path) -> None:
    done = run(*OPTIONS, "--max-runs", "4", "--no-journal", cwd=project, timeout=120)
    assert 0 == done.returncode, done.stderr
    assert not list((project.parent / "cache").glob("journals/*"))


@linux
def test_runs_killed_at_random_moments_end_as_undisturbed_ones() -> None:
    """Three of the moments of `make kill`."""
    for told, wrong in rounds(3, seed=7):
        assert not wrong, (told, wrong)


@linux
def test_finished_modules_are_not_worked_on_again(project: Path) -> None:
    (project / "quick.py").write_text("def quick(x: int) -> bool:\n    return x > 3\n")
    both = ("generate", "quick.py", "shop.py", "-o", "out", "-j", "1", "--max-runs", "40")
    with started(*both, cwd=project, scratch=project.parent / "files") as process:
        assert wait_until((project / "out" / "test_quick.py").exists, 60), process.poll()
        process.kill()
        process.wait(10)
    (project / "out" / "test_quick.py").unlink()
    done = run(*both, "--resume", "--json", "result.json", cwd=project, timeout=120)
    assert 0 == done.returncode, done.stderr
    modules = json.loads((project / "result.json").read_text())["modules"]
    assert ["quick", "shop"] == [module["name"] for module in modules]
    assert "def test_quick_returns" in (project / "out" / "test_quick.py").read_text()


@linux
def test_a_full_disk_costs_the_journal_only(project: Path) -> None:
    """A limit on the size of files ends the journal in the midst of a run, as a full disk does."""
    import resource

    many = (*OPTIONS, "--max-runs", "40")
    first = run(*many, "--no-journal", cwd=project, timeout=120)  # twins are kept, which are larger
    assert 0 == first.returncode, first.stderr
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16_000, before[1]))
    try:
        done = run(*many, "--json", "result.json", cwd=project, timeout=120)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    said = done.stdout + done.stderr
    assert 0 == done.returncode, said
    assert 1 == said.count("the journal can't be written any more"), said
    assert [] == _stats(project)["uncovered"]
