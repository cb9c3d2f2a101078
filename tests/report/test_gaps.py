"""Gaps, packages, and how near tests come to a line that none runs."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.hostile import goal, node, result
from tracetwin.model.goal import Uncovered
from tracetwin.report.advice import FATES, fate_of
from tracetwin.report.gaps import gaps_of, is_below, packages_of, told_of_line
from tracetwin.report.result import Module, ReportedMutant, result_of
from tracetwin.report.scores import scores
from tracetwin.report.sides import Nearest, SourceLines

SOURCE = """\
def f(x):
    if x > 1:
        return 1
    for one in x:
        g(one)

def g(x):

    while x:
        x -= 1
"""


def module(folder: Path) -> Module:
    plain = result(folder, bad="")
    (found,) = plain["modules"]
    found["uncovered"] = [{"line": line, "reason": "budget spent: late", "function": "g"} for line in (9, 10)]
    found["uncovered"].append({"line": 3, "reason": "infeasible"})
    found["functions"][0]["uncovered"] = [{"line": 3, "reason": "infeasible"}]
    found["cases"][0].update(lines=[2, 4], branches=[[2, 4], [4, -1]])
    found["goals"] = [
        goal("branch", "branch 2 -> 3", 2, "infeasible", "infeasible"),
        goal("branch", "branch 2 -> 4", 2, "covered"),
        goal("branch", "branch 4 -> 5", 4, "open", "budget spent"),
        goal("branch", "branch 4 -> exit", 4, "covered"),
        goal("branch", "branch 9 -> exit", 9, "open", "budget spent"),
    ]
    return replace(result_of(plain).modules[0], source=SOURCE)


def test_lines_in_a_row_are_one_gap_and_the_largest_comes_first(tmp_path: Path) -> None:
    gaps = gaps_of([module(tmp_path)])
    assert [(gap.words, gap.size, gap.kind, gap.function) for gap in gaps] == [
        ("lines 9 to 10", 2, "budget spent", "g"),
        ("line 4 to line 5", 0, "budget spent", "f"),
        ("line 3", 1, "infeasible", "f"),
    ]


def test_a_side_that_leaves_the_function_is_a_side(tmp_path: Path) -> None:
    sides = SourceLines(module(tmp_path)).at(4).sides
    assert [(side.words, side.state, side.count) for side in sides] == [
        ("to line 5", "pending", 0), ("out of the function", "covered", 1)
    ]  # fmt: skip


def test_lines_that_are_left_out_are_told_from_those_with_nothing_to_run(tmp_path: Path) -> None:
    source = SOURCE.replace("def g(x):", "def g(x):  # pragma: no cover")
    lines = SourceLines(replace(module(tmp_path), source=source, misses=()))
    assert ["none", "excluded", "excluded"] == [lines.at(number).state for number in (6, 7, 10)]


def test_it_is_told_how_near_tests_come(tmp_path: Path) -> None:
    found = module(tmp_path)
    assert SourceLines(found).at(3).behind == 2
    assert [SourceLines(found).at(line).behind for line in (9, 10)] == [5, 5], "where g is called"
    assert SourceLines(found).at(9).near == "Its function is called here"
    assert "  Tests come near, but do not go on to here: line 2" in list(told_of_line(found, 3))


def test_the_nearest_input_is_a_test_that_comes_near_or_what_was_tried(tmp_path: Path) -> None:
    found = module(tmp_path)
    lines = SourceLines(found)
    (side,) = (side for side in lines.at(4).sides if side.target == 5)
    assert side.nearest == Nearest("comes to line 4 and goes out of the function", "f(1)", 0)
    assert side.when == "x has another item"
    assert lines.at(3).nearest is None, "nothing comes near to what is infeasible"
    assert lines.at(9).nearest == Nearest("No test comes near; g was not called by itself")
    explored = replace(found.functions[0], name="g")
    lines = SourceLines(replace(found, functions=(explored,)))
    tried = "No test comes near, after 9 runs and 3 questions to the solver for g"
    assert lines.at(9).nearest == Nearest(tried)


def test_a_condition_that_some_run_met_is_not_the_unsolved_one(tmp_path: Path) -> None:
    plain = result(tmp_path, bad="")
    plain["modules"][0]["trees"]["f"]["nodes"] = [
        node(-1, "x == 1", "pending"), node(-1, "x == 2", "tested"), node(-1, "x == 2", "pending"),
        node(0, "x == 1", "tested"), node(1, "x == 3", "unknown"),
    ]  # fmt: skip
    (side,) = (side for side in SourceLines(result_of(plain).modules[0]).at(3).sides if side.target == 5)
    assert side.condition == "x == 3"


def test_the_kind_of_a_reason_is_the_colour_of_its_line(tmp_path: Path) -> None:
    found = module(tmp_path)
    assert [SourceLines(found).at(line).state for line in (3, 4, 9)] == [
        "infeasible", "partial", "pending"
    ]  # fmt: skip
    reasons = {
        "infeasible (proved)": "infeasible",
        "infeasible for the argument types tried": "missed",
        "solver gave up (line 3)": "given-up",
        "budget spent": "pending",
        "reached, but no test could be written: it differs each time": "unwritten",
        "no run goes there but by misuse: a value of a guessed type is refused (TypeError)": "unwritten",
        "excluded on each path that was asked about; not all paths are known": "missed",
        "runs only while the module is imported otherwise": "outside",
        "no input within the limits of generated inputs": "outside",
        "no input or sequence of calls that was tried leads here": "missed",
        "words of a plug-in": "missed",
    }
    assert {reason: fate_of(reason) for reason in reasons} == reasons
    assert set(reasons.values()) == set(FATES)


def test_a_line_within_a_statement_is_told_of_where_that_begins(tmp_path: Path) -> None:
    source = "def f(x):\n    if x > 1:\n        return (\n            1\n        )\n    for one in x: g(\n)\n"
    found = replace(module(tmp_path), source=source)
    lines = SourceLines(found)
    assert [(lines.at(line).begins, lines.at(line).state) for line in (5, 7)] == [
        (3, "infeasible"), (0, "none")
    ]  # fmt: skip
    told = list(told_of_line(found, 5))
    assert told[1] == "  it is in the middle of a statement that begins in line 3:"
    assert told[2] == "  not covered: infeasible"


def test_tests_that_check_a_line_are_told_before_those_that_run_it(tmp_path: Path) -> None:
    found = module(tmp_path)
    first = replace(found.cases[0], name="runs", lines=frozenset({2, 4}), branches=frozenset())
    first = replace(first, mutants=frozenset())
    checks = replace(first, name="checks", lines=frozenset({2, 4, 5}), mutants=frozenset({0}))
    mutant = ReportedMutant(2, "f", "`1` becomes `2`", "killed")
    lines = SourceLines(replace(found, cases=(first, checks, first), mutants=(mutant,)))
    assert [(lines.at(line).tests, lines.at(line).checked) for line in (2, 4, 5)] == [
        ((1, 0, 2), 1), ((0, 2, 1), 0), ((1,), 1),
    ]  # fmt: skip
    told = list(told_of_line(replace(found, cases=(first, checks, first), mutants=(mutant,)), 2))
    assert told[1:3] == ["  covered by 3 tests, the first of which checks it:", "    TestF.checks"]


def test_a_lambda_within_a_statement_is_covered_where_tests_call_it(tmp_path: Path) -> None:
    source = "def f(x):\n    if x:\n        return 1\n    return max(\n        x,\n        key=lambda y: y)\n"
    found = replace(module(tmp_path), source=source, goals=())
    cases = [replace(found.cases[0], entered=entered) for entered in ((1,), (1, 6), None)]
    uncalled, called, unknown = (SourceLines(replace(found, cases=(case,))).at(6) for case in cases)
    why = "the lambda on this line is made, but no test calls it"
    assert (uncalled.state, uncalled.reason) == ("missed", why)
    assert (called.state, called.tests, called.begins) == ("covered", (0,), 4)
    assert (unknown.state, unknown.tests) == ("covered", ())
    assert SourceLines(replace(found, cases=(cases[0],))).at(5).state == "covered"


def test_the_way_in_to_a_function_that_was_called_by_itself_is_in_it(tmp_path: Path) -> None:
    found = module(tmp_path)
    missed = (*found.misses, Uncovered(5, "budget spent", "f"))
    own = replace(found.functions[0], name="g")
    alone = replace(own, figures=replace(own.figures, runs=0))
    roots = [SourceLines(replace(found, misses=missed, functions=(one,))).root(10) for one in (own, alone)]
    assert roots == [9, 5], "else it is where that is called"


def test_packages_sum_up_what_is_below_them(tmp_path: Path) -> None:
    one = module(tmp_path)
    names = ("shop.cart", "shop.till.drawer", "shop.till.clerk", "other")
    packages = packages_of([replace(one, name=name) for name in names])
    assert [(found.name, found.depth, found.modules) for found in packages] == [
        ("shop", 0, 3), ("shop.till", 1, 2)
    ]  # fmt: skip
    assert packages[0].figures.tests == 3 * one.figures.tests


def test_scores_of_packages_are_those_of_the_modules_below_them(tmp_path: Path) -> None:
    one = module(tmp_path)
    (branch,) = scores(one, one)
    assert (branch.covered, branch.feasible, branch.infeasible) == (4, 8, 2)
    assert is_below("shop", "shop")
    assert is_below("shop", "shop.cart")
    assert not is_below("shop", "shopping")


def told_in(folder: Path, lines: int) -> float:
    """Return the processor time in which advice is given for all lines of a module without functions."""
    plain = result(folder, bad="")
    (found,) = plain["modules"]
    (folder / "flat.py").write_text("".join(f"value_{n} = {n}\n" for n in range(lines)), encoding="utf-8")
    why = "runs only while the module is imported otherwise"
    missed = [{"line": n, "reason": why} for n in range(1, lines + 1)]
    found.update(file=str(folder / "flat.py"), uncovered=missed, cases=[], goals=[], trees={}, mutants=[])
    known = SourceLines(result_of(plain).modules[0])
    began = time.process_time()
    for n in range(1, lines + 1):
        known.at(n)
        known.root(n)
    return time.process_time() - began


@pytest.mark.slow
def test_the_time_for_advice_grows_with_the_lines_and_not_with_their_square(tmp_path: Path) -> None:
    few, many = (min(told_in(tmp_path, lines) for _ in range(3)) for lines in (1_000, 6_000))
    assert many < 15 * few
