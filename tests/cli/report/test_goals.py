"""Goals of criteria in the report and in the JSON."""

from __future__ import annotations

from tracetwin.cli.report.table import render
from tracetwin.explore.criteria.base import tally
from tracetwin.model.goal import Goal, GoalFate, Uncovered
from tracetwin.run.results.module_result import ModuleResult, to_json


def pair(number: int, fate: GoalFate, reason: str = "") -> Goal:
    name = f"pair {number:02} of x, A (3) to A.f (7)"
    return Goal("def-use", name, "A.f", 7, fate, reason, {"number": number})


def line(number: int, fate: GoalFate, reason: str = "") -> Goal:
    return Goal("statement", f"line {number}", "f", number, fate, reason)


def test_goals_are_counted_without_the_infeasible_ones():
    assert "1 of 2 feasible pairs covered, 1 infeasible" == tally("pair", ["covered", "infeasible", "open"])
    assert "1 of 1 feasible pair covered" == tally("pair", ["covered"])


def test_the_report_names_what_is_left_open():
    goals = [pair(1, GoalFate.COVERED), pair(2, GoalFate.OPEN, "no sequence found: \x1b[2J")]
    lines = render([ModuleResult("a", "/a.py", goals=goals)])
    assert "  1 of 2 feasible definition-use pairs covered" in lines
    assert any("pair 02 of x, A (3) to A.f (7): no sequence found" in line for line in lines)
    assert not any("\x1b" in line for line in lines)


def test_what_the_table_of_functions_counts_is_not_said_again():
    goals = [line(1, GoalFate.COVERED), line(2, GoalFate.OPEN, "budget spent")]
    assert render([ModuleResult("a", "/a.py")]) == render([ModuleResult("a", "/a.py", goals=goals)])


def test_the_json_lists_the_goals_of_all_criteria_and_pairs_by_themselves():
    goals = [pair(1, GoalFate.COVERED), line(2, GoalFate.INFEASIBLE, "infeasible (proved)")]
    plain = to_json([ModuleResult("a", "/a.py", goals=goals)])["modules"][0]
    assert [{"number": 1}] == plain["pairs"]
    assert {
        "criterion": "statement", "name": "line 2", "function": "f", "line": 2, "fate": "infeasible",
        "reason": "infeasible (proved)",
    } == plain["goals"][1]  # fmt: skip


def test_a_long_reason_that_stands_above_is_told_once():
    why = "no value of another kind came to the condition in line 8 in any run"
    goals = [
        Goal("branch", "branch 8 -> 9", "f", 8, GoalFate.OPEN, why, {"line_runs": True}),
        Goal("branch", "branch 12 -> 13", "f", 12, GoalFate.OPEN, "budget spent", {"line_runs": True}),
        Goal("exception", "raise TypeError in line 9", "f", 9, GoalFate.OPEN, why),
    ]
    missed = [Uncovered(9, why), Uncovered(10, why), Uncovered(13, "budget spent")]
    lines = render([ModuleResult("a", "/a.py", goals=goals, uncovered=missed)])
    assert 1 == sum(why in line for line in lines)
    assert "  not taken: branch 8 -> 9: as line 9 above" in lines
    assert "  not taken: branch 12 -> 13: budget spent" in lines
    assert any(line.endswith("raise TypeError in line 9: as line 9 above") for line in lines)
