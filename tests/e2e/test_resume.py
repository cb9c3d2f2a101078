"""What `--resume` goes on with, and what it does not."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run, started, wait_until
from tests.e2e.kills import rounds
from tests.target.layout import lay_out

pytestmark = pytest.mark.slow

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
OPTIONS = ("generate", "shop.py", "-o", "out", "-j", "1", "--max-runs", "40")

linux = pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")


def _laid_out(folder: Path) -> Path:
    return lay_out(folder / "project", {"shop.py": SHOP, "helper.py": HELPER})


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "cache"))
    return _laid_out(tmp_path)


def _journals(project: Path) -> list[Path]:
    return list((project.parent / "cache" / "journals").glob("*/shard-*"))


def _written(project: Path) -> bool:
    return any(file.stat().st_size > 1500 for file in _journals(project))


@pytest.fixture(scope="module")
def _broken_off(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """A run that was killed when it had found something; each call puts its files back."""
    folder, kept = tmp_path_factory.mktemp("broken_off"), tmp_path_factory.mktemp("kept") / "all"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACETWIN_CACHE", str(folder / "cache"))
        project = _laid_out(folder)
        with started(*OPTIONS, cwd=project, scratch=folder / "files") as process:
            assert wait_until(lambda: _written(project), 40), process.poll()
            process.kill()
            process.wait(10)
    assert not (project / "out" / "test_shop.py").exists()
    shutil.copytree(folder, kept, ignore=shutil.ignore_patterns("files"))

    def restored() -> Path:
        for part in kept.iterdir():  # what is left of scratch folders goes by itself
            shutil.rmtree(folder / part.name)
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        return project

    return restored


@pytest.fixture
def killed(_broken_off: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project of a run that was killed when it had found something."""
    project = _broken_off()
    monkeypatch.setenv("TRACETWIN_CACHE", str(project.parent / "cache"))
    return project


def _stats(project: Path) -> dict[str, Any]:
    (module,) = json.loads((project / "result.json").read_text())["modules"]
    found: dict[str, Any] = module
    return found


@linux
def test_a_killed_run_is_gone_on_with(killed: Path) -> None:
    assert _journals(killed)
    done = run(*OPTIONS, "--resume", "--json", "result.json", cwd=killed, timeout=120)
    assert 0 == done.returncode, done.stderr
    assert "shop: going on with an interrupted run" in done.stdout + done.stderr
    assert 40 >= _stats(killed)["runs"]
    assert [] == _stats(killed)["uncovered"]
    assert [] == _journals(killed), "nothing is left to go on with"


@linux
def test_other_work_is_begun_anew(killed: Path) -> None:
    """What else makes it other work: `tests/journal/test_place.py`."""
    with (killed / "helper.py").open("a") as file:
        file.write("\n# changed\n")
    done = run(*OPTIONS, "--resume", cwd=killed, timeout=120)
    assert 0 == done.returncode, done.stderr
    said = done.stdout + done.stderr
    assert "shop: nothing to resume: " in said
    assert "helper.py has changed since; it is begun anew" in said
    assert (killed / "out" / "test_shop.py").exists()


@linux
def test_an_interrupted_run_is_gone_on_with(project: Path) -> None:
    with started(*OPTIONS, cwd=project, scratch=project.parent / "files") as process:
        assert wait_until(lambda: _written(project), 40)
        os.kill(process.pid, signal.SIGINT)
        said, errors = process.communicate(timeout=60)
    assert "the same command with --resume goes on with this run" in said + errors
    done = run(*OPTIONS, "--resume", "--json", "result.json", cwd=project, timeout=120)
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


@linux
def test_runs_killed_at_random_moments_end_as_undisturbed_ones() -> None:
    """One of the moments of `make kill`, late in a shorter run: an explorer is killed, then the command."""
    for told, wrong in rounds(1, seed=8, options=("--max-runs", "40", "--time-limit", "600", "-j", "2")):
        assert not wrong, (told, wrong)


@linux
def test_finished_modules_are_not_worked_on_again(project: Path) -> None:
    (project / "quick.py").write_text("def quick(x: int) -> bool:\n    return x > 3\n")
    both = ("generate", "quick.py", "shop.py", "-o", "out", "-j", "1", "--max-runs", "20")
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

    first = run(*OPTIONS, "--no-journal", cwd=project, timeout=120)  # twins are kept, which are larger
    assert 0 == first.returncode, first.stderr
    assert not list((project.parent / "cache").glob("journals/*"))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16_000, before[1]))
    try:
        done = run(*OPTIONS, "--resume", "--json", "-", cwd=project, timeout=120)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    said = done.stderr
    assert 0 == done.returncode, said
    assert "nothing to resume: there is no journal of an interrupted run" in said
    assert 1 == said.count("the journal can't be written any more"), said
    assert [] == json.loads(done.stdout)["modules"][0]["uncovered"]
