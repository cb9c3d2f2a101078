"""The comparison with CPython's own tests works: two small modules, and what must not pass as the same."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SUITES = Path(__file__).parents[2] / "benchmarks" / "fidelity" / "suites.py"

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("test.test_shlex") is None, reason="this Python comes without CPython's tests"
)


def compared(tmp_path: Path, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """Exit status and results of the benchmark."""
    results = tmp_path / "results.json"
    kept = ["--json", str(results), "--cache", str(tmp_path / "cache")]
    argv = [sys.executable, str(SUITES), *arguments, *kept]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(results.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_small_modules_pass_their_own_tests_as_twins(tmp_path):
    status, results = compared(tmp_path, "shlex", "textwrap")
    assert ["shlex", "textwrap"] == [result["module"] for result in results]
    for result in results:
        assert [] == result["faults"]
        assert {} == result["different"]
        assert result["tests"] == result["same"] > 10
        assert result["twins"][result["module"]]["passed"] > 10
    assert status == 0


def test_a_run_without_tests_is_a_fault(tmp_path):
    status, [result] = compared(tmp_path, "shlex", "--match", "no such test")
    assert (1, 0) == (status, result["tests"])
    assert "no tests" in result["faults"]


def test_a_run_that_was_cut_off_is_a_fault(tmp_path):
    status, [result] = compared(tmp_path, "shlex", "--timeout", "0")
    assert status == 1
    assert [fault for fault in result["faults"] if fault.startswith("twin killed")]
