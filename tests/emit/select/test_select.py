from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.emit.mock_cases import bus
from tests.emit.support import function, seen, target
from tracetwin.emit.select.select import select, weight
from tracetwin.model.case import Case
from tracetwin.model.observation import ended
from tracetwin.model.recipe import Call, Scalar, list_of
from tracetwin.model.status import Outcome
from tracetwin.replay.session import replay
from tracetwin.replay.static import coverable

SHAPES = target("shapes")
FACTS = coverable(SHAPES.file)


def chosen(*cases: Case) -> list[int]:
    return select(cases, replay(SHAPES, cases).observations, FACTS)


def weigh(weight_: float, height: float) -> Case:
    return function("shapes", "weight_category", weight_, height)


def test_one_case_for_each_way_through() -> None:
    assert chosen(weigh(60, 1.8), weigh(61, 1.8), weigh(1, 1), weigh(1, 2), weigh(99, 1), weigh(99, 0)) == [
        0,
        2,
        4,
        5,
    ]


def test_the_plainest_of_equal_cases_is_taken() -> None:
    assert chosen(weigh(-123.25, 7.5), weigh(1, 1), weigh(12, 1)) == [1]


def test_what_returns_is_preferred_to_what_raises_but_both_ways_are_kept() -> None:
    assert chosen(weigh(1, 0), weigh(60, 1.8)) == [0, 1]


def test_exceptions_of_different_lines_are_kept() -> None:
    later = [function("shapes", "weight_category", *pair) for pair in ((1, 0), (2, 0), (None, 1))]
    assert chosen(*later) == [0, 2]


def test_a_case_made_superfluous_by_later_ones_is_dropped() -> None:
    lines = sorted(FACTS.lines)
    cases = [function("shapes", "identity", n) for n in range(3)]
    # The first is the best at the beginning; together the two others cover all that it does.
    made = [seen(lines=tuple(some)) for some in (lines[1:5], lines[:3], lines[3:6])]
    assert select(cases, made, FACTS) == [1, 2]


def test_nothing_is_chosen_of_cases_that_ended_otherwise() -> None:
    ends = [ended(Outcome(outcome)) for outcome in ("died", "timeout", "refused", "failed_setup", "unstable")]
    cases = [function("shapes", "identity", n) for n in range(len(ends))]
    assert select(cases, ends, FACTS) == []


def test_weights() -> None:
    light_to_heavy: list[Any] = [0, 10, -10, 1.5, "ab", "a!", "ä!", "lorem ipsum"]
    weights = [weight(Scalar(value)) for value in light_to_heavy]
    assert weights == sorted(weights)
    assert weight(list_of()) < weight(list_of(Scalar(0))) < weight(Call("m", "C", (Scalar(0),)))


def test_what_only_a_twin_saw_needs_no_test_where_mutants_tell_what_tests_are_worth() -> None:
    cases = [replace(weigh(60, 1.8), shows=(1,)), replace(weigh(61, 1.8), shows=(1, 2))]
    made = [seen(lines=(1,)), seen(lines=(1,))]
    assert select(cases, made, FACTS) == [1]
    cases[0] = replace(cases[0], shows=(3,))
    assert select(cases, made, FACTS) == [0, 1]
    assert select(cases, made, FACTS, judged={0, 1}) == [0]
    assert select(cases, made, FACTS, judged={0}) == [1], "of the other it is not known"


def test_each_kind_of_result_is_kept_however_few_mutants_there_are() -> None:
    shows = [
        (f"result:identity:{kind}", f"result:{kind}&{side}")
        for kind, side in (("empty dict", 3), ("dict", 3), ("dict", 4))
    ]
    cases = [replace(function("shapes", "identity", n), shows=one) for n, one in enumerate(shows)]
    made = [seen(lines=(1,)) for _ in cases]
    assert select(cases, made, FACTS) == [0, 1, 2]
    assert select(cases, made, FACTS, judged={0, 1, 2}) == [0, 1]


@pytest.mark.parametrize(
    ("results", "kept"),
    [
        ((list_of(), Scalar("b")), [0]),  # both are what the mock has answered
        ((list_of(), Scalar(1)), [0, 1]),
        ((Scalar(True), Scalar(False)), [0, 1]),
    ],
)
def test_the_kind_of_what_a_mock_answers_is_not_for_the_code_to_decide(
    results: tuple[Any, Any], kept: list[int]
) -> None:
    answers: tuple[tuple[Any, ...], ...] = (([], True), ("b", False))
    cases = [
        replace(function("shapes", "fetch", bus(*polled)), shows=(f"result:fetch:{number}",))
        for number, polled in enumerate(answers)
    ]
    made = [seen(result, lines=(1,)) for result in results]
    assert kept == select(cases, made, FACTS, judged={0, 1})
    assert [0, 1] == select(cases, made, FACTS)


def test_a_call_behind_others_shows_the_kind_of_result_that_the_same_result_shows() -> None:
    plain = replace(function("shapes", "identity", 0), shows=("result:identity:None",))
    behind = replace(plain, steps=(*plain.steps, *plain.steps), shows=())
    made, other = seen(lines=(1,)), seen(Scalar(1), lines=(1,))
    for judged, last, chosen in (({0, 1}, made, [1]), ({0}, made, [0, 1]), ({0, 1}, other, [0, 1])):
        assert select([plain, behind], [made, last], FACTS, first={1}, judged=judged) == chosen
