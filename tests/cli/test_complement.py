"""`generate --complement`: only what the user's own tests don't meet is tested."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tracetwin.cli.main import main

SOURCE = """\
def price(amount: int) -> int:
    if amount < 0:
        raise ValueError("negative")
    return amount * 10


def label(code: int) -> str:
    if code == 4711:
        return "perfume"
    return "other"
"""

MINE = """\
import unittest
from complement_shop import label, price


class TestMine(unittest.TestCase):
    def test_price(self):
        self.assertEqual(20, price(2))
        with self.assertRaises(ValueError) as caught:
            price(-1)
        self.assertEqual("negative", str(caught.exception))
        self.assertEqual(0, price(0))

    def test_label(self):
        self.assertEqual("other", label(1))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "complement_shop.py").write_text(SOURCE)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "test_mine.py").write_text(MINE)
    return tmp_path


def generate(project: Path, *options: str) -> tuple[Result, dict[str, Any]]:
    target, result = str(project / "complement_shop.py"), project / "r.json"
    places = ["-o", str(project / "t"), "--json", str(result), "--complement", str(project / "mine")]
    little = ["--max-runs", "60", "--no-journal"]
    done = CliRunner().invoke(main, ["generate", target, *places, *little, *options])
    (module,) = json.loads(result.read_text())["modules"]
    return done, module


def test_only_what_is_missing_is_written(project: Path) -> None:
    done, module = generate(project, "--criterion", "branch,exception")
    assert 0 == done.exit_code, done.output
    assert ["label"] == [case["function"] for case in module["cases"]]
    assert 2 == module["theirs"]
    assert all(goal["fate"] == "covered" for goal in module["goals"]), "theirs and ours together"
    assert module["covered_lines"] == module["lines"]


@pytest.mark.slow
def test_mutants_that_the_users_tests_notice_ask_for_no_test(project: Path) -> None:
    done, module = generate(project)
    assert 0 == done.exit_code, done.output
    assert {"label"} == {case["function"] for case in module["cases"]}
    assert {"killed"} == {one["fate"] for one in module["mutants"] if one["function"] == "price"}


@pytest.mark.slow
def test_nothing_is_written_where_all_is_met(project: Path) -> None:
    more = "\n    def test_perfume(self):\n        self.assertEqual('perfume', label(4711))\n"
    (project / "mine" / "test_mine.py").write_text(MINE + more)
    done, module = generate(project, "--criterion", "branch,exception")
    assert 0 == done.exit_code
    assert module["test_file"] is None
    assert not module["cases"]
