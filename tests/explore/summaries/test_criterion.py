"""Tests for definition-use pairs: the criterion `def-use` from the target to the written file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.explore.summaries.test_summary import COIN_BOX
from tracetwin.api import generate_tests
from tracetwin.run.results.module_result import ModuleResult, to_json

FAULT = """\
        box.add_qtr()
        box.add_qtr()
        box.return_qtrs()
        box.vend()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "box.py").write_text(COIN_BOX.lstrip("\n"))
    return tmp_path


def _generated(folder: Path, output: str, criterion: str) -> ModuleResult:
    options: dict[str, Any] = {"criterion": criterion, "max_runs": 900, "time_limit": 120.0, "jobs": 1}
    return generate_tests(folder / "box.py", output=folder / output, **options)[0]


@pytest.mark.slow
def test_every_feasible_pair_has_a_test(folder: Path) -> None:
    result = _generated(folder, "out", "def-use")
    assert result.test_file is not None
    pairs = to_json([result])["modules"][0]["pairs"]
    statuses = [pair["status"] for pair in pairs]
    assert (12, 5, 0) == tuple(map(statuses.count, ("covered", "infeasible", "open")))
    assert {"CoinBox"} == {pair["class"] for pair in pairs}
    assert FAULT in result.test_file.read_text()
    command = [sys.executable, "-m", "unittest", str(result.test_file)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr


@pytest.mark.slow
def test_the_same_budget_gives_the_same_file(folder: Path) -> None:
    first, second = (_generated(folder, output, "def-use") for output in ("a", "b"))
    assert first.test_file is not None
    assert second.test_file is not None
    assert first.test_file.read_text() == second.test_file.read_text()
    assert first.goals == second.goals


@pytest.mark.slow
def test_other_criteria_ask_for_no_pairs(folder: Path) -> None:
    assert not [g for g in _generated(folder, "out", "branch").goals if g.criterion == "def-use"]
