"""Telling values take the place of dull ones where the call goes the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import function, recipe, target
from tracetwin.emit.select.likely_values import LikelyValues
from tracetwin.emit.select.plausible import Leaf, enliven, is_dull
from tracetwin.emit.select.shorten import Improving
from tracetwin.emit.suite import build_suite
from tracetwin.model.case import Case
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import Call, Scalar
from tracetwin.replay.session import replay
from tracetwin.replay.static import coverable

SOURCE = """\
def pairs(items):
    return list(zip(items, items[1:]))


def invite(email, port):
    if port > 0:
        return f"{email}:{port}"
    return ""


def reciprocal(number):
    return 1 / number


def send(text):
    if not text:
        raise ValueError("the text must not be empty")
    return len(text)


def is_zero(n):
    return n == 0
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("plausible")
    (made / "dull.py").write_text(SOURCE)
    return made


def enlivened(folder: Path, *cases: Case) -> list[tuple[Any, ...]]:
    """The arguments of the last calls, when dull ones were replaced."""
    module = target("dull", folder)
    seen = replay(module, cases).observations
    pairs = list(zip(cases, seen, strict=True))

    def run(some: Sequence[Case]) -> list[Observation]:
        return replay(module, some).observations

    found = enliven(Improving(pairs, run, coverable(module.file)))
    return [case.last.args for case, _ in found]


def test_a_result_that_was_empty_becomes_a_full_one(folder: Path) -> None:
    ((items,),) = enlivened(folder, function("dull", "pairs", [0]))
    assert items == recipe([5, 3, 7])


def test_values_are_such_as_parameters_are_called(folder: Path) -> None:
    (given,) = enlivened(folder, function("dull", "invite", "", 1))
    assert given == (Scalar("ada@example.com"), Scalar(8080))


@pytest.mark.slow
def test_the_way_through_the_code_stays(folder: Path) -> None:
    (given,) = enlivened(folder, function("dull", "invite", "", 0))
    assert given == (Scalar("ada@example.com"), Scalar(0))


@pytest.mark.slow
def test_the_end_stays(folder: Path) -> None:
    assert enlivened(folder, function("dull", "reciprocal", 0), function("dull", "is_zero", 0)) == [
        (Scalar(0),),
        (Scalar(0),),
    ]


def test_the_modules_own_messages_are_no_values(folder: Path) -> None:
    (given,) = enlivened(folder, function("dull", "send", "the text must not be empty"))
    assert given == (Scalar("two red apples"),)


@pytest.mark.parametrize(
    ("name", "value", "dull"),
    [
        ("n", 0, True), ("n", 1, True), ("n", 12, False), ("year", 5, True), ("year", 2024, False),
        ("x", 1.0, True), ("x", 2.5, False), ("t", "a", True), ("t", "tea", False), ("t", b"", True),
        ("flag", True, False), ("items", [0], True), ("items", [4, 5], False), ("items", [], False),
    ],
)  # fmt: skip
def test_dull_values(name: str, value: Any, dull: bool) -> None:
    assert is_dull(Leaf(0, name, recipe(value))) is dull


def test_dates_lie_in_years_that_people_know(folder: Path) -> None:
    made = Call("datetime", "date", (Scalar(5), Scalar(1), Scalar(1)))
    case = function("dull", "is_zero")
    case = replace(case, steps=(replace(case.last, args=(made,)),))
    ((found,),) = enlivened(folder, case)
    assert found == Call("datetime", "date", (Scalar(2024), Scalar(3), Scalar(15)))


def test_values_are_the_same_each_time_and_differ_within_a_test() -> None:
    first, again = ([next(LikelyValues().of("x", 0, n)) for n in range(3)] for _ in range(2))
    assert first == again
    assert len(set(first)) == 3


def test_names_of_several_words_are_known_by_their_last() -> None:
    likely = LikelyValues()
    assert next(likely.of("billing_email", "", 0)) == next(likely.of("email", "", 0))
    assert next(likely.of("serverPort", 0, 0)) == 8080


@pytest.mark.slow
def test_the_shortest_values_stay_where_they_are_asked_for(folder: Path) -> None:
    texts = [
        build_suite(target("dull", folder), [function("dull", "pairs", [0])], data=data).text
        for data in ("short", "plausible")
    ]
    assert "pairs([0])" in texts[0]
    assert "pairs([5, 3, 7])" in texts[1]
