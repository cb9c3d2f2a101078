"""The criterion `def-use` of variables: what it says of them is what its written tests execute."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

from tests.explore.criteria.test_all import generated
from tracetwin.analysis.flow.variables import variable_pairs
from tracetwin.explore.loop.shown import flow_entry
from tracetwin.model.goal import Goal, GoalFate
from tracetwin.run.results.module_result import ModuleResult
from tracetwin.worker.dataflow.flow import FlowObserver

SOURCE = """\
def scale(a: int, b: int) -> int:
    x = a
    if a > 10:
        x = b
    if b > 5:
        return x + 1
    return x - 1


def total(items: list[int]) -> int:
    best = 0
    for item in items:
        if item > best:
            best = item
        elif item < 0:
            best += item
    return best


def safe(a: int, b: int) -> float:
    result = 0.0
    try:
        result = a / b
    except ZeroDivisionError:
        pass
    return result


def never(a: int) -> int:
    x = 0
    if a * a < 0:
        x = a
    return x
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
        "a of never, from what the caller gave to line 32",
        "x of never, from line 32 to line 33",
    }
    found = executed(tmp_path, result, SOURCE)
    assert {pair for pair in pairs if flow_entry(*pair) in found} == {
        pair for pair, goal in zip(pairs, result.goals, strict=True) if goal.fate is GoalFate.COVERED
    }


def test_a_definition_that_a_branch_criterion_would_miss_has_a_test(tmp_path: Path) -> None:
    branch = generated(tmp_path, "branch", SOURCE, runs=400)
    (tmp_path / "other").mkdir()
    flows = generated(tmp_path / "other", "def-use", SOURCE, runs=400)
    assert branch.tests < flows.tests
    assert executed(tmp_path, branch, SOURCE) < executed(tmp_path / "other", flows, SOURCE)
