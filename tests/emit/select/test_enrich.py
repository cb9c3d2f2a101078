"""Tests get values and calls that show more, where the call goes the same way."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.emit.support import case, step, target
from tracetwin.emit.select.enrich import MOST_ADDED, enrich
from tracetwin.emit.select.literal_places import distinct, dullness, neighbours, ranked
from tracetwin.emit.select.shorten import Improving
from tracetwin.emit.suite import build_suite
from tracetwin.model.case import WHOLE, Case, Step
from tracetwin.model.recipe import Scalar
from tracetwin.replay.session import Session
from tracetwin.replay.static import coverable

TARGET = target("enriched")
FACTS = coverable(TARGET.file)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(TARGET) as open_:
        yield open_


def about(name: str, *calls: tuple[Any, ...]) -> Case:
    make = step(("call", "enriched", name.partition(".")[0]), bind="it")
    steps = [step(("method", "it", call), *args) for call, *args in calls]
    return case("enriched", name, "method", make, *steps)


def calls(steps: Sequence[Step]) -> list[tuple[Any, ...]]:
    return [(one.name, *(part.value for part in one.args if isinstance(part, Scalar))) for one in steps[1:]]


def enriched(session: Session, *cases: Case, settled: Sequence[int] = ()) -> list[Any]:
    chosen = list(zip(cases, session.run(cases), strict=True))
    return [calls(one.steps) for one, _ in enrich(Improving(chosen, session.run, FACTS, settled))]


def test_a_removal_leaves_something_behind(session: Session) -> None:
    (found,) = enriched(session, about("Queue.take", ("put", 0), ("take",)))
    assert 2 < len(found) <= 2 + MOST_ADDED
    assert len(set(found)) == len(found)


def test_what_is_on_an_empty_object_stays_there(session: Session) -> None:
    assert enriched(session, about("Queue.take", ("take",))) == [[("take",)]]


def test_settled_cases_stay_as_they_are(session: Session) -> None:
    made = about("Queue.take", ("put", 0), ("take",))
    assert enriched(session, made, settled=[0]) == [[("put", 0), ("take",)]]


def test_zeros_become_lively_where_the_way_is_the_same(session: Session) -> None:
    assert enriched(session, about("Alarm.measure", ("measure", 0))) == [[("measure", 1)]]


def test_a_constant_in_a_condition_is_approached_from_both_sides(session: Session) -> None:
    found = enriched(
        session, about("Alarm.warns", ("warns",)), about("Alarm.warns", ("measure", 81), ("warns",))
    )
    assert found == [[("measure", 80), ("warns",)], [("measure", 81), ("warns",)]]


def test_an_index_is_tried_at_the_size(session: Session) -> None:
    found = enriched(session, about("Queue.at", ("put", 5), ("at", 0)), about("Queue.at", ("at", 7)))
    assert found == [[("put", 5), ("at", 0)], [("put", 5), ("at", 1)]]


def test_no_added_call_makes_an_earlier_one_superfluous(session: Session) -> None:
    made = about("Alarm.measure", ("measure", 3), ("measure", 4))
    (found,) = enriched(session, made)
    assert len(found) == 2


def test_what_adds_up_is_done_twice(session: Session) -> None:
    made = about("Till.book", ("insert",), ("book",))
    assert enriched(session, made) == [[("insert",), ("book",)] * 2]


def test_definitions_and_uses_keep_their_calls(session: Session) -> None:
    made = replace(about("Queue.take", ("put", 0), ("take",)), shows=(f"{WHOLE}pair:1",))
    assert enriched(session, made) == [[("put", 0), ("take",)]]


@pytest.mark.slow
def test_the_same_cases_give_the_same_calls(session: Session) -> None:
    made = [about("Queue.take", ("put", 0), ("take",)), about("Queue.at", ("put", 0), ("at", 0))]
    assert enriched(session, *made) == enriched(session, *made)


@pytest.mark.slow
def test_what_is_inside_is_taken_out_at_the_end() -> None:
    suite = build_suite(TARGET, [about("Queue.take", ("put", 1), ("take",))])
    lines = suite.text.splitlines()
    emptying = next(line for line in lines if "queue.take() for _ in range(queue.size())" in line)
    assert not lines[lines.index(emptying) + 1].strip()


def test_a_map_tells_what_it_holds() -> None:
    suite = build_suite(TARGET, [about("Ages.remove", ("put", 1, "a"), ("put", 2, "b"), ("remove", 1))])
    assert "{key: ages.get(key) for key in ages}" in suite.text


def test_numbers_keep_their_order() -> None:
    made = about("Queue.at", ("put", -5), ("put", 9), ("put", -5))
    assert calls(next(ranked(made, 2))) == [("put", 2), ("put", 4), ("put", 2)]


def test_equal_values_become_distinct_ones() -> None:
    made = about("Ages.get", ("put", 1, "a"), ("put", 2, "a"), ("get", 1))
    assert [calls(steps) for steps in distinct(made)] == [[("put", 1, "a"), ("put", 2, "b"), ("get", 1)]]


def test_large_numbers_mean_something() -> None:
    assert list(ranked(about("Queue.put", ("put", 65536)), 1)) == []


def test_neighbours_differ_in_one_number() -> None:
    made = about("Queue.at", ("put", 5), ("at", 0))
    found = [calls(steps) for steps in neighbours(made)]
    assert [("put", 5), ("at", 1)] in found
    assert len(found) == 4


@pytest.mark.parametrize(("values", "dull"), [((1, 2), 0), ((0,), 1), ((-1,), 1), ((3, 3), 1)])
def test_zeros_and_repetitions_are_dull(values: tuple[int, ...], dull: int) -> None:
    assert dullness(about("Queue.put", *(("put", value) for value in values))) == dull


def test_nothing_is_tried_when_the_time_is_up(session: Session) -> None:
    made = about("Queue.take", ("put", 0), ("take",))
    chosen = [(made, session.run([made])[0])]
    assert enrich(Improving(chosen, session.run, FACTS, until=time.monotonic())) == chosen
