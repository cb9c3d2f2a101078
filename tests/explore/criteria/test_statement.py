"""The criterion `statement` counts what coverage.py counts, and takes fewer tests than `branch`."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from instrumenter.transform import instrument
from tests.explore.criteria.test_all import generated
from tracetwin.explore.criteria.base import ModuleText
from tracetwin.explore.criteria.statement import CRITERION
from tracetwin.model.goal import GoalFate
from tracetwin.run.results.module_result import ModuleResult

SOURCE = """\
import math


class Account:
    limit = 100

    def __init__(self, balance: int) -> None:
        self.balance = balance

    def take(self, amount: int) -> int:
        if amount <= 0:
            raise ValueError("nothing to take")
        if amount > self.limit:
            self.limit = amount
        if amount == 123_456:
            self.balance -= 1
        self.balance -= amount
        return self.balance


def kind(n: int) -> str:
    found = "plain"
    if n % 2 == 0 and n > 10:
        found = "large and even"
    if n == 77_777:
        found = "special"
    if n * n == -1:
        found = "impossible"
    if n > 5:
        n = n - 1
    return found + str(math.floor(n))
"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("if n:\n    f()\nreturn 1", {(2, 1)}),
        ("if n:\n    return 1\nreturn 2", {(2, 0), (2, 1)}),
        ("if n:\n    f()\nelse:\n    g()", {(2, 0), (2, 1)}),
        ("if n:\n    f()\nelif n > 2:\n    g()", {(2, 0), (2, 1), (4, 1)}),
        ("while n > 1:\n    n -= 1", {(2, 1)}),
        ("while n > 1:\n    n -= 1\nf()", {(2, 0), (2, 1)}),
        ("for x in n:\n    f()\nf()", {(2, 1)}),
        ("assert n\nf()", {(2, 1)}),
        ("assert n", set()),
        ("return 1 if n else 2", set()),
        ("return n and f()", set()),
    ],
)
def test_a_side_is_wanted_where_a_statement_hangs_on_it(body: str, wanted: set[tuple[int, int]]) -> None:
    source = "def h(n):\n" + textwrap.indent(body, "    ") + "\n"
    sites = instrument(source, name="sample", filename="sample.py").sites
    text = ModuleText("sample", source.encode())
    found = {(site.line, side & 1) for site in sites for side in CRITERION.sides(site, text).main}
    assert wanted == found
    assert not [site for site in sites if CRITERION.sides(site, text).finer]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ModuleResult]:
    folder = tmp_path_factory.mktemp("statement")
    return folder, generated(folder, "statement", SOURCE, 300)


@pytest.mark.slow
def test_its_goals_are_what_coverage_counts(written: tuple[Path, ModuleResult]) -> None:
    folder, result = written
    run = [sys.executable, "-m", "coverage"]
    tests = [*run, "run", "--include=sample.py", "-m", "unittest", str(result.test_file)]
    subprocess.run(tests, cwd=folder, check=True, capture_output=True)
    subprocess.run([*run, "json", "-o", "cov.json"], cwd=folder, check=True, capture_output=True)
    (counted,) = json.loads((folder / "cov.json").read_text())["files"].values()
    fates = {goal.line: goal.fate for goal in result.goals}
    assert sorted(fates) == sorted([*counted["executed_lines"], *counted["missing_lines"]])
    assert counted["executed_lines"] == sorted(n for n, fate in fates.items() if fate is GoalFate.COVERED)


def test_only_what_is_infeasible_is_not_covered(written: tuple[Path, ModuleResult]) -> None:
    _, result = written
    missed = [goal for goal in result.goals if goal.fate is not GoalFate.COVERED]
    assert [("line 28", "kind")] == [(goal.name, goal.function) for goal in missed]
    assert missed[0].reason


@pytest.mark.slow
def test_it_takes_fewer_tests_than_branches_do(written: tuple[Path, ModuleResult], tmp_path: Path) -> None:
    _, result = written
    branches = generated(tmp_path, "branch", SOURCE, 300)
    assert result.covered_lines == branches.covered_lines
    assert result.tests < branches.tests
    assert result.covered_branches < branches.covered_branches == branches.branches - 1
    fates = [goal.fate for goal in branches.goals]
    assert branches.covered_branches == fates.count(GoalFate.COVERED)
    assert branches.branches == len(fates)
