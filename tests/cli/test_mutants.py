"""The command `tracetwin mutants`: tables, JSON, exit statuses, and sentences for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tracetwin.cli.main import main

SOURCE = "def twice(n: int) -> int:\n    return n * 2\n\n\ndef half(n: int) -> float:\n    return n / 2\n"
TESTS = """\
import unittest

from pair_sample import twice


class TestTwice(unittest.TestCase):
    def test_twice(self):
        self.assertEqual(6, twice(3))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pair_sample.py").write_text(SOURCE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_pair_sample.py").write_text(TESTS)
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    target = str(folder / "pair_sample.py")
    return CliRunner().invoke(main, ["mutants", target, "--tests", str(folder / "tests"), *arguments])


def test_the_table_counts_per_function(folder: Path) -> None:
    result = run(folder)
    assert 0 == result.exit_code, result.output
    row = next(line for line in result.output.splitlines() if line.startswith("twice"))
    assert ["twice", "5", "5", "0", "0", "100", "%"] == row.split()
    row = next(line for line in result.output.splitlines() if line.startswith("half"))
    assert "0 %" in row


@pytest.mark.slow
def test_a_threshold_sets_the_exit_status(folder: Path) -> None:
    assert 0 == run(folder, "--fail-under", "50").exit_code
    result = run(folder, "--fail-under", "90")
    assert 5 == result.exit_code
    assert "of the mutants are noticed, not 90 %" in result.output


def test_the_json_lists_each_mutant(folder: Path) -> None:
    result = run(folder, "--json", str(folder / "out.json"))
    assert 0 == result.exit_code
    (module,) = json.loads((folder / "out.json").read_text())["modules"]
    assert "pair_sample" == module["module"]
    assert {"killed", "not reached"} == {one["fate"] for one in module["mutants"]}
    assert {"line", "column", "function", "operator", "change", "fate", "by"} == set(module["mutants"][0])


def test_a_folder_without_tests_is_named(folder: Path) -> None:
    empty = folder / "empty"
    empty.mkdir()
    target = str(folder / "pair_sample.py")
    result = CliRunner().invoke(main, ["mutants", target, "--tests", str(empty)])
    assert 1 == result.exit_code
    assert "there is no test_*.py or *_test.py in" in result.output


def test_tests_that_all_fail_judge_nothing(folder: Path) -> None:
    (folder / "tests" / "test_pair_sample.py").write_text("import nothing_like_that\n")
    result = run(folder)
    assert 1 == result.exit_code
    assert "nothing_like_that" in result.output
