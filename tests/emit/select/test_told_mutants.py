"""A suite calls those mutants noticed that its written tests notice, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracetwin.emit.result import Suite
from tracetwin.emit.suite import build_suite
from tracetwin.explore.criteria.branch import CRITERION as BRANCH
from tracetwin.explore.criteria.mutation import CRITERION as MUTATION
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.mutant import MutantFate
from tracetwin.model.options import ALL, MINIMAL
from tracetwin.model.recipe import Scalar
from tracetwin.mutation.suites import judge_suite
from tracetwin.target.selection import TargetModule, resolve

SOURCE = """\
class Span:
    def __init__(self, seconds: int) -> None:
        self.seconds = seconds

    def to_minutes(self) -> float:
        return self.seconds / 60

    def to_hours(self) -> float:
        return self.seconds / 3600

    def is_long(self, limit: int) -> bool:
        return self.seconds > limit

    def stretch(self, by: int) -> None:
        self.seconds += by
"""


@pytest.fixture
def target(tmp_path: Path) -> TargetModule:
    file = tmp_path / "span.py"
    file.write_text(SOURCE)
    return resolve(str(file))[0]


def case(seconds: int, method: str, *args: int) -> Case:
    made = Step(Act.CALL, "span", "Span", (Scalar(seconds),), bind="span")
    call = Step(Act.METHOD, "span", method, tuple(map(Scalar, args)))
    return Case("span", f"Span.{method}", "method", (made, call))


def told(suite: Suite) -> set[int]:
    return {mutant.number for mutant, fate in suite.mutants if fate is MutantFate.KILLED}


def noticed(target: TargetModule, suite: Suite) -> set[int]:
    """The mutants that the written file notices, by itself."""
    tests = Path(target.file).parent / "tests"
    tests.mkdir()
    (tests / "test_span.py").write_text(suite.text)
    found = judge_suite(target, [tests / "test_span.py"], pytest=False)
    assert not found.problem
    assert not found.failing
    return {mutant.number for mutant, fate, _ in found.fates if fate is MutantFate.KILLED}


@pytest.mark.parametrize("assertions", [ALL, MINIMAL])
def test_what_an_object_would_answer_that_no_test_asks_notices_nothing(
    target: TargetModule, assertions: str
) -> None:
    cases = [case(7200, "is_long", 7199), case(7200, "is_long", 7200)]
    suite = build_suite(target, cases, criteria=(BRANCH, MUTATION), assertions=assertions)
    assert "to_hours" not in suite.text
    assert told(suite) == noticed(target, suite)
    functions = {mutant.function for mutant, fate in suite.mutants if fate is MutantFate.KILLED}
    assert "Span.to_hours" not in functions


@pytest.mark.slow
def test_what_a_changed_object_is_asked_is_told(target: TargetModule) -> None:
    suite = build_suite(target, [case(7200, "stretch", 60)], criteria=(BRANCH, MUTATION))
    assert told(suite) == noticed(target, suite)
    functions = {mutant.function for mutant, fate in suite.mutants if fate is MutantFate.KILLED}
    assert "Span.stretch" in functions
