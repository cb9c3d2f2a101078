"""Suites of a module that sets and reads the filters of warnings pass in every order, and one test by one."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.command import environment
from tracetwin import generate_tests

SOURCE = """\
import warnings


def be_loud(n: int) -> int:
    warnings.simplefilter("always")
    return n * 2


def warned(n: int) -> int:
    with warnings.catch_warnings(record=True) as seen:
        if n > 5:
            warnings.warn("old", UserWarning, stacklevel=2)
    return len(seen)


def told(n: int) -> bool:
    return any(one[0] == "always" for one in warnings.filters)


def old(n: int) -> int:
    warnings.warn("old is old", DeprecationWarning, stacklevel=2)
    return n + 1
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filters")
    (folder / "filtering.py").write_text(SOURCE)
    (result,) = generate_tests(
        folder / "filtering.py", output=folder, criterion="branch", max_runs=120, time_limit=600.0, jobs=1
    )
    assert result.test_file is not None
    return result.test_file


def names(suite: Path) -> list[str]:
    found = [node for node in ast.parse(suite.read_text()).body if isinstance(node, ast.ClassDef)]
    return [
        f"{suite.stem}.{owner.name}.{test.name}"
        for owner in found for test in owner.body if isinstance(test, ast.FunctionDef)
    ]  # fmt: skip


def run(suite: Path, *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=suite.parent, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_filters_are_put_back_by_the_test_that_changes_them(suite: Path) -> None:
    assert suite.read_text().count('patch("warnings.filters", copy.deepcopy(warnings.filters))') == 1


@pytest.mark.parametrize("option", ["ignore", "default", "always"])
def test_no_assertion_depends_on_which_warnings_are_shown(suite: Path, option: str) -> None:
    tests = names(suite)
    run(suite, "-W", option, "-m", "unittest", *tests)
    said = run(suite, "-W", option, "-m", "unittest", *reversed(tests))
    assert "old is old" not in said, "a warning that a test awaits is not shown"


def test_each_test_passes_by_itself(suite: Path) -> None:
    for name in names(suite):
        run(suite, "-m", "unittest", name)
