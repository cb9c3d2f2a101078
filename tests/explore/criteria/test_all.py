"""Every registered criterion does what the search, the selection and the report rely on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.explore.criteria.conformance import SOURCE, check
from tracetwin.api import generate_tests
from tracetwin.explore.criteria.base import criterion_named
from tracetwin.model.options import CRITERIA, criteria_in
from tracetwin.run.results.module_result import ModuleResult
from tracetwin.support.choices import ChoiceError

NAMES = CRITERIA.names()


def generated(folder: Path, criterion: str, source: str = SOURCE, runs: int = 150) -> ModuleResult:
    target = folder / "sample.py"
    target.write_text(source)
    options: dict[str, Any] = {"criterion": criterion, "max_runs": runs, "time_limit": 90.0, "jobs": 1}
    return generate_tests(target, output=folder / "out", **options)[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_criterion_conforms(name: str) -> None:
    criterion = criterion_named(name)
    assert name == criterion.name
    check(criterion)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_its_suite_passes_and_its_goals_are_told(name: str, tmp_path: Path) -> None:
    result = generated(tmp_path, name)
    assert result.test_file is not None, result
    assert {name} >= {goal.criterion for goal in result.goals}
    command = [sys.executable, "-m", "unittest", str(result.test_file)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr


def test_several_criteria_are_named_with_commas() -> None:
    assert ("statement", "branch") == criteria_in("statement, branch,statement")
    with pytest.raises(ValueError, match="'speed' is not one of 'branch', 'boundary'"):
        criteria_in("branch,speed")


def test_an_unknown_criterion_is_an_error() -> None:
    with pytest.raises(ChoiceError, match="there is no criterion 'speed'"):
        criterion_named("speed")
