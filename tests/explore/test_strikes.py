"""A function that mostly hangs is given up early, and always at the same run."""

from __future__ import annotations

import time

import pytest

from tracetwin.explore.loop.budget import LONGER, Budget, LimitHits
from tracetwin.model.status import Status


def struck(*endings: tuple[str, int]) -> LimitHits:
    strikes = LimitHits()
    for status, line in endings:
        strikes.note(Status(status), line)
    return strikes


def test_three_hangs_are_free_and_the_fourth_is_not() -> None:
    assert not struck(*[("timeout", 7)] * 3).is_hopeless()
    assert struck(*[("timeout", 7)] * 4).is_hopeless()


def test_hangs_among_many_good_runs_are_no_reason_to_end() -> None:
    assert not struck(*[("returned", 0)] * 40, *[("timeout", 7)] * 9).is_hopeless()


@pytest.mark.parametrize("status", ["returned", "raised", "exhausted", "unfit", "setup"])
def test_what_costs_nothing_never_ends_an_exploration(status: str) -> None:
    assert not struck(*[(status, 7)] * 1000).is_hopeless()


def test_after_three_hangs_the_other_runs_get_less_time() -> None:
    assert not struck(*[("timeout", 7)] * 2).hurried
    assert struck(*[("timeout", 7)] * 2, ("timeout", 9)).hurried


def test_each_three_runs_without_an_end_halve_the_decisions_of_the_others() -> None:
    hits = [struck(*[("endless", 7)] * count, *[("timeout", 3)] * 9) for count in (0, 2, 3, 8, 9)]
    assert [one.halvings for one in hits] == [0, 0, 1, 2, 3]
    one = struck(*[("endless", 7)] * 2, ("returned", 0))
    one.in_short_turn = True
    assert one.halvings == 0, "a short turn is short of time, not of decisions"


def test_a_run_that_no_input_made_long_is_made_once_more_for_each_of_two_lines() -> None:
    hits = LimitHits()
    assert not hits.asks_for_more(Status.RETURNED, 7, 0)
    assert not hits.asks_for_more(Status.ENDLESS, 7, 10_000), "more conditions on inputs would follow"
    asked = [hits.asks_for_more(Status.ENDLESS, line, 3) for line in (7, 7, 8, 9)]
    assert asked == [True, False, True, False]
    impatient = LimitHits()
    impatient.is_patient = False
    assert not impatient.asks_for_more(Status.ENDLESS, 7, 3)


def test_where_one_came_to_its_end_so_all_may_take_as_long() -> None:
    long = struck(*[("endless", 7)] * 2, ("returned", 0))
    long.is_long = True
    assert long.halvings == -LONGER
    assert not long.asks_for_more(Status.ENDLESS, 7, 0)


def test_the_sentence_names_the_place_that_most_of_them_struck() -> None:
    strikes = struck(("timeout", 7), *[("timeout", 12)] * 5, ("returned", 0))
    assert strikes.sentence() == (
        "exploring it was given up early: 6 of its 7 runs struck a limit, most of them in line 12"
    )
    assert struck(("returned", 0)).sentence() == ""


def test_a_hopeless_budget_is_spent_and_so_are_its_parts() -> None:
    strikes = struck()
    budget = Budget(100, time.monotonic() + 100, hopeless=strikes.is_hopeless)
    part = budget.part(5)
    assert not part.spent()
    for _ in range(4):
        strikes.note(Status.TIMEOUT, 3)
    assert part.spent()


def test_in_a_short_turn_a_run_without_an_end_costs_a_part_once_another_has_ended() -> None:
    slow, ended = struck(("timeout", 3)), struck(("timeout", 3), ("returned", 0))
    for hits in (slow, ended):
        hits.in_short_turn = True
    assert (slow.hurried, ended.hurried) == (False, True)  # in the first, all may be slow
