"""MC/DC: the classical tables, and suites that show what each operand does."""

from __future__ import annotations

import ast
from itertools import combinations
from pathlib import Path

import pytest

from tests.explore.criteria.test_all import generated
from tracetwin.explore.criteria.mcdc import CRITERION as MASKING
from tracetwin.explore.criteria.mcdc import McdcCriterion, outcome_of, shows_alone
from tracetwin.explore.criteria.mcdc_unique import CRITERION as UNIQUE
from tracetwin.model.goal import GoalFate


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def independent(text: str, place: int, vectors: list[str]) -> set[tuple[str, str]]:
    """The pairs of evaluations that show that an operand decides alone."""
    test = expression(text)
    return {
        (one, other)
        for one, other in combinations(vectors, 2)
        if shows_alone(one, other, place) and outcome_of(test, one) != outcome_of(test, other)
    }


# As Python evaluates them: what can't matter is not asked.
AND = ["0-", "10", "11"]
OR = ["1-", "01", "00"]
A_AND_B_OR_C = ["0--", "11-", "101", "100"]  # a and (b or c)
A_OR_B_AND_C = ["1--", "00-", "010", "011"]  # a or (b and c)


@pytest.mark.parametrize(
    ("text", "vectors", "pairs"),
    [
        ("a and b", AND, [{("0-", "11")}, {("10", "11")}]),
        ("a or b", OR, [{("1-", "00")}, {("01", "00")}]),
        (
            "a and (b or c)",
            A_AND_B_OR_C,
            [{("0--", "11-"), ("0--", "101")}, {("11-", "100")}, {("101", "100")}],
        ),
        (
            "a or (b and c)",
            A_OR_B_AND_C,
            [{("1--", "00-"), ("1--", "010")}, {("00-", "011")}, {("010", "011")}],
        ),
    ],
)
def test_the_pairs_of_the_literature(
    text: str, vectors: list[str], pairs: list[set[tuple[str, str]]]
) -> None:
    for place, wanted in enumerate(pairs):
        found = {tuple(sorted(pair)) for pair in independent(text, place, vectors)}
        assert {tuple(sorted(pair)) for pair in wanted} == found


def shown(criterion: McdcCriterion, text: str, place: int, pair: tuple[str, str]) -> bool:
    return criterion.shows(expression(text), pair, place)


def test_masking_allows_what_unique_cause_does_not() -> None:
    text, pair = "(a and b) or c", ("0-1", "100")
    assert shown(MASKING, text, 2, pair), "in both of them c alone decides, whatever a is"
    assert not shown(UNIQUE, text, 2, pair)
    assert shown(UNIQUE, text, 2, ("0-1", "0-0"))
    assert not shown(MASKING, text, 0, ("11-", "0-1")), "the outcome is the same"
    assert not shown(MASKING, "a or (b and c)", 1, ("010", "1--")), "b is not asked in one"


@pytest.mark.parametrize(
    ("text", "vectors"),
    [("a and (b or c)", A_AND_B_OR_C), ("a or (b and c)", A_OR_B_AND_C), ("a and b", AND), ("a or b", OR)],
)
def test_whatever_is_a_unique_cause_is_one_under_masking(text: str, vectors: list[str]) -> None:
    for pair in combinations(vectors, 2):
        for place in range(len(pair[0])):
            assert shown(MASKING, text, place, pair) or not shown(UNIQUE, text, place, pair)


def test_one_more_evaluation_than_operands_suffices() -> None:
    assert all(independent("a and b and c", place, ["0--", "10-", "110", "111"]) for place in range(3))
    assert not independent("a and b and c", 2, ["0--", "10-", "111"])


@pytest.mark.parametrize(
    ("text", "outcomes", "outcome"),
    [
        ("not (a or b)", "00", True),
        ("not (a or b)", "1-", False),
        ("0 < a < b", "10", False),
        ("0 < a < b", "11", True),
        ("(a and b) or not c", "10-", False),
        ("(a and b) or not c", "0-0", True),
        ("a", "1", True),
    ],
)
def test_a_condition_is_evaluated_by_its_operands(text: str, outcomes: str, *, outcome: bool) -> None:
    if outcomes == "10-":
        outcomes = "101"
    assert outcome is outcome_of(expression(text), outcomes)


SOURCE = """\
def allowed(age: int, member: int, guest: int) -> str:
    if age > 17 and (member == 5 or guest == 9):
        return "in"
    return "out"
"""


def test_a_suite_shows_what_each_operand_does(tmp_path: Path) -> None:
    result = generated(tmp_path, "mcdc", SOURCE)
    assert 3 == len(result.goals)
    assert {GoalFate.COVERED} == {goal.fate for goal in result.goals}
    test = expression("a and (b or c)")
    for goal in result.goals:
        one, other = goal.details["pair"]
        assert outcome_of(test, one) != outcome_of(test, other)
        ways = [f"{goal.details['condition']}:{way}" for way in (one, other)]
        assert all(any(way in case.vectors for case in result.cases) for way in ways)
    assert [goal.details["text"] for goal in result.goals] == ["age > 17", "member == 5", "guest == 9"]
