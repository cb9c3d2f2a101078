"""Tests that pin what looks like a fault go to a file of their own, and are named."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tracetwin.cli.main import main

FAULTS = '''\
def mean(values: list[int]) -> float:
    return sum(values) / len(values)


def first(values: list[int]) -> int:
    """Raise IndexError where there is none."""
    return values[0]


def name(code: int) -> str:
    if code == 3:
        return None
    return "x"


def checked(n: int) -> int:
    assert n < 10, "too large"
    return n


def refused(n: int) -> int:
    if n < 0:
        raise KeyError("negative")
    return n


def halves(n: int) -> tuple[int, int] | None:
    if n % 2:
        return None
    return n // 2, n // 2


def guessed(n):
    return n.upper()


class Shelf:
    def __init__(self) -> None:
        self.items: dict[str, int] = {}

    def pop(self, key: str) -> int:
        return self.items.pop(key)

    def price(self, key: str) -> int:
        return self.items[key.strip()]


class Amount:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __floordiv__(self, other: int) -> int:
        return self.cents // other


def renamed(n):
    import math

    return math.square_root(n)
'''


MEAN = "test_mean_raises_zero_division_error"


def generate(folder: Path, *options: str) -> dict[str, Any]:
    (folder / "fault_sample.py").write_text(FAULTS)
    target, places = str(folder / "fault_sample.py"), ["-o", str(folder / "t"), "--json", str(folder / "r")]
    little = ["--max-runs", "120", "--no-journal", "--criterion", "branch,exception"]
    done = CliRunner().invoke(main, ["generate", target, *places, *little, *options])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads((folder / "r").read_text())["modules"][0]
    return {**found, "output": done.output}


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("faults")
    return folder, generate(folder)


def test_each_fault_is_named_with_its_reason(apart: tuple[Path, dict[str, Any]]) -> None:
    _, module = apart
    reasons = {one["test"].partition(".")[0]: one["why"] for one in module["suspicious"]}
    assert reasons == {
        "TestMean": "ZeroDivisionError in line 2, which no statement raises",
        "TestName": "it returns None, but is said to return str",
        "TestChecked": "an assertion of the code itself fails in line 17",
        "TestShelf": "KeyError in line 45, which no statement raises",
        "TestRenamed": "AttributeError in line 59, which no statement raises",
    }
    assert "to look at before they are believed" in module["output"]


def test_what_is_raised_documented_or_looked_up_is_no_fault(apart: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = apart
    usual = (folder / "t" / "test_fault_sample.py").read_text()
    for words in ("test_first_raises_index_error", "test_refused_raises_key_error", "test_pop_"):
        assert words in usual
    assert "ZeroDivisionError" in usual  # of an operator that divides
    assert MEAN not in usual


def test_both_files_pass(apart: tuple[Path, dict[str, Any]]) -> None:
    folder, module = apart
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "discover"],
        cwd=folder / "t", env={"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"Ran {module['tests']} tests" in done.stderr


@pytest.mark.slow
def test_among_the_others_or_nowhere(tmp_path: Path) -> None:
    generate(tmp_path)
    assert (tmp_path / "t" / "test_fault_sample_suspicious.py").exists()
    shutil.rmtree(tmp_path / "t")  # what is there stays where it is
    included = generate(tmp_path, "--suspicious", "include")
    assert [file.name for file in (tmp_path / "t").glob("test_*")] == ["test_fault_sample.py"]
    assert included["suspicious"]
    assert MEAN in (tmp_path / "t" / "test_fault_sample.py").read_text()
    shutil.rmtree(tmp_path / "t")
    omitted = generate(tmp_path, "--suspicious", "omit")
    assert omitted["tests"] < included["tests"]
    assert omitted["covered_lines"] < included["covered_lines"]
    assert any("--suspicious omit" in miss["reason"] for miss in omitted["uncovered"])
    assert MEAN not in (tmp_path / "t" / "test_fault_sample.py").read_text()
