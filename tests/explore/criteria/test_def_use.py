"""The criterion `def-use` of variables: what it says of them is what its written tests execute."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import pytest

from tests.analysis.flow.flows import SAFE, SCALE, TOTAL
from tests.explore.criteria.test_all import generated
from tracetwin.analysis.flow.variables import variable_pairs
from tracetwin.explore.loop.shown import flow_entry
from tracetwin.model.goal import Goal, GoalFate
from tracetwin.run.results.module_result import ModuleResult
from tracetwin.worker.dataflow.flow import FlowObserver

NEVER = """\
def never(a: int) -> int:
    x = 0
    if a * a < 0:
        x = a
    return x
"""

SOURCE = f"{SCALE}\n\n{TOTAL}\n\n{SAFE}\n\n{NEVER}"
FOUND = SOURCE.splitlines().index("        x = a") + 1

WORDS = """\
import enum
import functools


class Zone(enum.Enum):
    NEAR = 1
    FAR = 2


@functools.lru_cache(maxsize=None)
def rate(weight: int, zone: Zone = Zone.NEAR) -> int:
    price = 5
    if zone is Zone.FAR:
        price = price * 2
    if weight > 20:
        price += 3
    return price


def last_word(lines: list[str]) -> str:
    word = "none"
    for line in lines:
        match line.split():
            case [one]:
                word = one
            case [one, *rest]:
                word = rest[-1]
                break
            case _:
                continue
    return word
"""


def executed(folder: Path, result: ModuleResult, source: str) -> set[str]:
    """The pairs that the written tests execute on the original."""
    file = str(folder / "sample.py")
    observer = FlowObserver(file, source)
    sys.modules.pop("sample", None)
    sys.path.insert(0, str(folder))
    try:
        names: dict[str, object] = {"__name__": "written"}
        exec(compile(Path(str(result.test_file)).read_text(), "written", "exec", dont_inherit=True), names)
        kinds = [kind for kind in names.values() if isinstance(kind, type)]
        tests = [kind for kind in kinds if issubclass(kind, unittest.TestCase)]
        observer.start()
        try:
            suite = unittest.TestSuite(map(unittest.defaultTestLoader.loadTestsFromTestCase, tests))
            assert suite.run(unittest.TestResult()).wasSuccessful()
        finally:
            observed = observer.stop()
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("sample", None)
    return {flow_entry(*pair) for pair in observed.variables}


def open_goals(goals: list[Goal]) -> set[str]:
    return {goal.name for goal in goals if goal.fate is not GoalFate.COVERED}


def test_each_definition_comes_to_each_of_its_uses(tmp_path: Path) -> None:
    result = generated(tmp_path, "def-use", SOURCE, runs=400)
    pairs = variable_pairs(SOURCE.encode(), "sample")
    assert len(pairs) == len(result.goals) == 30
    assert open_goals(result.goals) == {
        f"a of never, from what the caller gave to line {FOUND}",
        f"x of never, from line {FOUND} to line {FOUND + 1}",
    }
    found = executed(tmp_path, result, SOURCE)
    assert {pair for pair in pairs if flow_entry(*pair) in found} == {
        pair for pair, goal in zip(pairs, result.goals, strict=True) if goal.fate is GoalFate.COVERED
    }


def test_pairs_behind_a_cache_an_enum_and_patterns_are_seen(tmp_path: Path) -> None:
    result = generated(tmp_path, "def-use", WORDS, runs=400)
    assert len(result.goals) == 15
    assert not open_goals(result.goals)


@pytest.mark.slow
def test_a_definition_that_a_branch_criterion_would_miss_has_a_test(tmp_path: Path) -> None:
    branch = generated(tmp_path, "branch", SOURCE, runs=400)
    (tmp_path / "other").mkdir()
    flows = generated(tmp_path / "other", "def-use", SOURCE, runs=400)
    assert branch.tests < flows.tests
    assert executed(tmp_path, branch, SOURCE) < executed(tmp_path / "other", flows, SOURCE)
