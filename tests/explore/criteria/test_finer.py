"""The criteria condition, boundary, path, exception and mutation, with goals counted by hand."""

from __future__ import annotations

import ast
import math
import re
from datetime import date
from pathlib import Path

import pytest

from tests.explore.criteria.test_all import generated
from tracetwin.explore.loop import findings
from tracetwin.explore.objects import exploration
from tracetwin.model.goal import Goal, GoalFate
from tracetwin.run.results.module_result import ModuleResult


def covered(goals: list[Goal]) -> set[str]:
    return {goal.name for goal in goals if goal.fate is GoalFate.COVERED}


def literals(result: ModuleResult) -> set[object]:
    """The plain values that the written tests mention."""
    tree = ast.parse(Path(str(result.test_file)).read_text())
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}


def test_condition_wants_each_operand_both_ways(tmp_path: Path) -> None:
    source = (
        "def f(a: int, b: int) -> int:\n    x = 1 if a > 2 and not b == 3 else 2\n"
        "    return x if 0 < a < 9 else 0\n"
    )
    result = generated(tmp_path, "condition", source)
    # Two conditions with two operands each: 6 places, 12 outcomes.
    assert 12 == len(result.goals)
    assert 12 == len(covered(result.goals))


@pytest.mark.slow
def test_boundary_tests_stand_at_the_border_and_beside_it(tmp_path: Path) -> None:
    source = "def f(n: int) -> str:\n    if n > 5000:\n        return 'a'\n    return 'b'\n"
    result = generated(tmp_path, "boundary", source)
    place = "comparison in line 2, column 7"
    names = {f"{place}, {where} its border" for where in ("one step below", "at", "one step above")}
    assert names == covered(result.goals)
    assert {4999, 5000, 5001} <= literals(result)


def test_a_border_between_floats_is_where_they_are_equal(tmp_path: Path) -> None:
    source = "def f(x: float, y: float) -> int:\n    return 1 if x <= y else 2\n"
    result = generated(tmp_path, "boundary", source)
    assert ["comparison in line 2, column 16, at its border"] == [goal.name for goal in result.goals]
    assert len(covered(result.goals)) == 1


def test_a_border_of_a_length_is_a_text_of_that_length(tmp_path: Path) -> None:
    source = "def f(s: str) -> bool:\n    if len(s) < 3:\n        return False\n    return True\n"
    result = generated(tmp_path, "boundary", source)
    assert 3 == len(covered(result.goals))
    lengths = {len(value) for value in literals(result) if isinstance(value, str)}
    assert {2, 3, 4} <= lengths


@pytest.mark.slow
def test_a_border_of_a_float_is_followed_by_the_next_float(tmp_path: Path) -> None:
    source = "def f(weight: float) -> int:\n    if weight > 2.5:\n        return 7\n    return 4\n"
    result = generated(tmp_path, "boundary", source)
    assert 3 == len(covered(result.goals))
    assert {2.5, math.nextafter(2.5, 3), math.nextafter(2.5, 2)} <= set(literals(result))


@pytest.mark.slow
def test_a_border_that_one_path_forbids_is_reached_on_another(tmp_path: Path) -> None:
    source = (
        "def f(a: int, b: int) -> int:\n    if a > 5 or b > 5:\n        a += 1\n"
        "    if b < 10:\n        return a\n    return 0\n"
    )
    result = generated(tmp_path, "boundary", source)
    assert 9 == len(covered(result.goals))


DATES = """
from datetime import date, datetime, timedelta

def fee(due: date, today: date) -> int:
    if today - due > timedelta(days=14):
        return 10
    return 0

def after(moment: datetime) -> str:
    return "new" if moment >= datetime(2001, 3, 1, 12) else "old"
"""


@pytest.mark.slow
def test_a_border_of_dates_is_the_day_and_of_moments_the_second(tmp_path: Path) -> None:
    result = generated(tmp_path, "boundary", DATES)
    where = ("one step below", "at", "one step above")
    places = ("comparison in line 5, column 7", "comparison in line 10, column 20")
    assert {f"{place}, {side} its border" for place in places for side in where} == covered(result.goals)
    text = Path(str(result.test_file)).read_text()
    days = re.findall(r"fee\(datetime\.date\((.*?)\), datetime\.date\((.*?)\)\)", text)
    assert {13, 14, 15} <= {(_day(after) - _day(before)).days for before, after in days}
    assert {"2001, 3, 1, 12, 0, 0", "2001, 3, 1, 12, 0, 1", "2001, 3, 1, 11, 59, 59"} <= set(
        re.findall(r"after\(datetime\.datetime\((.*?)\)\)", text)
    )


def _day(numbers: str) -> date:
    return date(*map(int, numbers.split(",")))


@pytest.mark.slow
def test_a_border_of_parts_is_where_all_parts_before_are_equal(tmp_path: Path) -> None:
    source = "def new(version: tuple[int, int]) -> bool:\n    return version >= (3, 10)\n"
    result = generated(tmp_path, "boundary", source)
    where = ("one step below", "at", "one step above")
    assert {f"comparison that new returns, {side} its border" for side in where} == covered(result.goals)
    versions = set(re.findall(r"new\(\((.*?)\)\)", Path(str(result.test_file)).read_text()))
    assert {"3, 9", "3, 10", "3, 11"} <= versions


@pytest.mark.slow
def test_a_border_that_is_met_on_the_way_to_another_goal_is_kept_as_it_is(tmp_path: Path) -> None:
    source = (
        "def fits(n: int, most: int, more: bool = False) -> bool:\n"
        "    limit = most * 2 if more else most\n    return 0 <= n <= limit + 30\n"
    )
    result = generated(tmp_path, "boundary", source)
    where = ("one step below", "at", "one step above")
    places = ("comparison that fits returns", "comparison in line 3")
    assert {f"{place}, {side} its border" for place in places for side in where} <= covered(result.goals)


@pytest.mark.slow
def test_a_comparison_that_is_returned_has_borders(tmp_path: Path) -> None:
    source = "def fits(n: int) -> bool:\n    return n > 3 and n <= 100\n"
    result = generated(tmp_path, "boundary", source)
    where = ("one step below", "at", "one step above")
    places = ("comparison that fits returns", "comparison in line 2")
    assert {f"{place}, {side} its border" for place in places for side in where} == covered(result.goals)
    assert {2, 3, 4, 99, 100, 101} <= literals(result)


@pytest.mark.slow
def test_a_step_beside_a_border_is_reached_though_the_value_was_looked_up_before(tmp_path: Path) -> None:
    source = "def f(n: int) -> str:\n    seen = {n}\n    return 'a' if n > 70 and seen else 'b'\n"
    result = generated(tmp_path, "boundary", source)
    place = "comparison in line 3, column 18"
    assert {f"{place}, one step {side} its border" for side in ("above", "below")} <= covered(result.goals)


@pytest.mark.slow
def test_path_keeps_each_path_of_a_loop_in_a_loop(tmp_path: Path) -> None:
    source = (
        "def f(n: int, m: int) -> int:\n    found = 0\n    i = 0\n    while i < n and i < 2:\n"
        "        j = 0\n        while j < m and j < 2:\n            j += 1\n            found += 1\n"
        "        i += 1\n    return found\n"
    )
    result = generated(tmp_path, "path", source)
    (tmp_path / "other").mkdir()
    branch = generated(tmp_path / "other", "branch", source)
    assert result.tests > branch.tests
    # n: none, one or two turns; where there is one, m: none, one or two.
    assert 7 <= len(covered(result.goals))


def test_a_path_is_told_by_its_function_its_conditions_and_its_ending(tmp_path: Path) -> None:
    source = "def f(n: int) -> bool:\n    if n > 3:\n        raise KeyError(n)\n    return n == 2\n"
    result = generated(tmp_path, "path", source)
    assert {
        "path 1 of f: 2 false, returned False",
        "path 2 of f: 2 false, returned True",
        "path 3 of f: 2 true, raised KeyError",
    } == covered(result.goals)
    assert {("f", 2)} == {(goal.function, goal.line) for goal in result.goals}


@pytest.mark.slow
def test_the_ending_of_a_path_may_hold_any_text(tmp_path: Path) -> None:
    source = "def f(n: int) -> int:\n    if n > 3:\n        raise type('a:b', (OSError,), {})\n    return n\n"
    result = generated(tmp_path, "path", source)
    names = {goal.name for goal in result.goals}
    assert any("a:b" in name for name in names), names


@pytest.mark.slow
def test_paths_beyond_the_most_that_are_kept_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (findings, exploration):
        monkeypatch.setattr(module, "MAX_PATHS", 20)
    names = "abcdefghi"
    source = f"def g({', '.join(f'{name}: int' for name in names)}) -> int:\n    r = 0\n"
    source += "".join(f"    if {name} > 1:\n        r += 1\n" for name in names) + "    return r\n"
    result = generated(tmp_path, "path", source)
    assert 20 == len(covered(result.goals))
    (note,) = result.functions[0].notes
    assert re.fullmatch(r"at least \d+ paths beyond the first 20 made no case", note)


def test_exception_lists_what_may_leave_a_call(tmp_path: Path) -> None:
    source = (
        "def f(n: int, names: list[int]) -> int:\n    if n < 0:\n        raise ValueError('n')\n"
        "    return 10 // n + names[n]\n\n\n"
        "def g(n: int) -> int:\n    if n * n == -4:\n        raise KeyError(n)\n    return n\n"
    )
    result = generated(tmp_path, "exception", source)
    found = covered(result.goals)
    assert {"ValueError out of f in line 3", "ZeroDivisionError out of f in line 4"} <= found
    (never,) = [goal for goal in result.goals if goal.name.startswith("raise KeyError")]
    assert never.fate is not GoalFate.COVERED
    assert 9 == never.line


def test_mutation_tells_neutral_values_apart(tmp_path: Path) -> None:
    source = "def f(a: int, b: int) -> int:\n    return a * 3 + b\n"
    result = generated(tmp_path, "branch,mutation", source)
    mutants = [goal for goal in result.goals if goal.criterion == "mutation"]
    assert len(mutants) > 5
    assert {GoalFate.COVERED} == {goal.fate for goal in mutants}
    assert all(goal.details["fate"] == "killed" for goal in mutants)


@pytest.mark.slow
def test_mutation_follows_calls_until_a_difference_shows(tmp_path: Path) -> None:
    source = (
        "class Meter:\n    def __init__(self) -> None:\n        self._sum = 0\n\n"
        "    def add(self, n: int) -> None:\n        self._sum += n * 2\n\n"
        "    def total(self) -> int:\n        return self._sum\n"
    )
    result = generated(tmp_path, "branch,mutation", source)
    mutants = {goal.name: goal for goal in result.goals if goal.criterion == "mutation"}
    assert GoalFate.COVERED is mutants["line 6: `self._sum += n * 2` is left out"].fate
    assert GoalFate.COVERED is mutants["line 6: `2` becomes `3`"].fate


@pytest.mark.slow
def test_an_equivalent_mutant_survives_and_is_named(tmp_path: Path) -> None:
    source = "def f(n: int) -> int:\n    if n < 0:\n        return 0\n    return max(n, 0)\n"
    result = generated(tmp_path, "branch,mutation", source)
    (equivalent,) = [goal for goal in result.goals if goal.name == "line 2: `<` becomes `<=` in `n < 0`"]
    assert GoalFate.OPEN is equivalent.fate
    assert "survived" == equivalent.details["fate"]


@pytest.mark.slow
def test_true_and_false_are_shown_of_each_function_of_a_module(tmp_path: Path) -> None:
    source = (
        "import datetime\n\n\ndef over(a: int, b: int) -> bool:\n    return a > b + 3\n\n\n"
        "def has(items: list[int], x: int) -> bool:\n    return x in items\n\n\n"
        "def expires(now: datetime.datetime, made: datetime.datetime) -> bool:\n"
        "    return now - made > datetime.timedelta(minutes=30)\n"
    )
    result = generated(tmp_path, "branch", source)
    text = Path(str(result.test_file)).read_text()
    found = re.findall(r"def test_(over|has|expires)_returns_(true|false)", text)
    assert {(name, result) for name in ("over", "has", "expires") for result in ("true", "false")} == {*found}
