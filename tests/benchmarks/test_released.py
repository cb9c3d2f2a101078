"""The judge of suites for released modules: its mutants, what it runs them on, and its verdicts."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = [str(ROOT / "benchmarks" / folder) for folder in ("", "released", "classes")]

SOURCE = """
def grade(points: int, most: int = 100) -> str:
    \"\"\"Say how good it is.\"\"\"
    if points < 0 or points > most:
        raise ValueError("out of range")
    share = points / most
    return "good" if share >= 0.5 else "bad"
"""

SUITE = """
import unittest
import grades


class GradeTest(unittest.TestCase):
    def test_grades(self):
        self.assertEqual(grades.grade(50), "good")
        self.assertEqual(grades.grade(49), "bad")
        self.assertEqual(grades.grade(0), "bad")
        self.assertEqual(grades.grade(100), "good")
        for points in (-1, 101):
            with self.assertRaises(ValueError):
                grades.grade(points)
"""


@pytest.fixture(scope="module")
def bench() -> Iterator[dict[str, Any]]:
    sys.path[:0] = FOLDERS
    names = ("sampling", "judging", "summary", "modules")
    yield {name: import_module(name) for name in names}
    for folder in FOLDERS:
        sys.path.remove(folder)
    for name in names:
        del sys.modules[name]


def test_mutants_differ_from_the_module_and_compile(bench: dict[str, Any]) -> None:
    found = bench["sampling"].sample(SOURCE, 100)
    texts = [ast.unparse(mutant.tree) for mutant in found]
    assert len(found) >= 15
    assert all(text != ast.unparse(ast.parse(SOURCE)) for text in texts)
    assert {"Lt -> LtE", "and <-> or", "condition negated", "statement dropped", "returns None"} <= {
        mutant.change for mutant in found
    }


def test_messages_docstrings_and_defaults_are_not_mutated(bench: dict[str, Any]) -> None:
    texts = [ast.unparse(mutant.tree) for mutant in bench["sampling"].sample(SOURCE, 100)]
    assert all("out of range'" in text or "raise" not in text for text in texts)
    assert all("Say how good it is." in text and "most: int=100" in text for text in texts)


def test_the_sample_depends_on_source_and_seed_alone(bench: dict[str, Any]) -> None:
    first, again, other = (
        [(mutant.line, mutant.change) for mutant in bench["sampling"].sample(SOURCE, 6, seed)]
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first != other


def test_a_sound_suite_kills_the_mutants_that_change_a_result(tmp_path: Path) -> None:
    (tmp_path / "grades.py").write_text(SOURCE, encoding="utf-8")
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "test_grades.py").write_text(SUITE, encoding="utf-8")
    job = tmp_path / "job"
    asked = {"suite": str(suite), "name": "grades", "file": str(tmp_path / "grades.py"), "most": 100}
    job.write_text(json.dumps(asked), encoding="utf-8")
    program = ROOT / "benchmarks" / "released" / "killing.py"
    done = subprocess.run(
        [sys.executable, str(program), str(job)],
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    assert answer["error"] is None
    assert not answer["survivors"]
    assert answer["killed"] == answer["made"] >= 15


def test_verdicts_name_each_missed_goal_with_its_figure(bench: dict[str, Any]) -> None:
    fine = {
        "branches": 10, "covered_branches": 10, "mutants": 10, "killed": 9, "tests": 3, "failing": 0,
        "wall": 20.0, "runs": 5000, "exploring": 5.0, "uncovered": 0, "budget": 0, "internal": 0,
    }  # fmt: skip
    assert bench["summary"].missed([fine], 20.0) == []
    poor = {**fine, "covered_branches": 2, "failing": 1, "wall": 22.5}
    assert bench["summary"].missed([fine, poor], 20.0) == [
        "branches 60.0 %",
        "1 failing tests",
        "1 modules over 22 s",
    ]


def test_the_list_names_enough_modules_and_packages_once(bench: dict[str, Any]) -> None:
    releases = bench["modules"].RELEASES
    files = [file for release in releases for file in release.files]
    assert len(files) == len(set(files)) >= 60
    assert len({release.project for release in releases}) == len(releases) >= 50
