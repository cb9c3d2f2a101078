"""The fewest cases are kept with which no goal is lost."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations

import pytest

from tracetwin.emit.select import cover
from tracetwin.emit.select.cover import fewest


def goals_of(*offers: str) -> dict[int, set[str]]:
    return {position: set(offer) for position, offer in enumerate(offers)}


def in_order(goals: dict[int, set[str]]) -> dict[int, tuple[int, ...]]:
    return {position: (position,) for position in goals}


def test_the_case_that_reaches_most_is_not_always_one_of_the_fewest() -> None:
    goals = goals_of("abcd", "abx", "cdy", "axy", "bcx")
    goals = {**goals, 5: {"a", "b", "x", "y"}}
    assert len(fewest(goals, in_order(goals))) == 2


def test_of_several_smallest_choices_the_better_one_to_read_is_kept() -> None:
    goals = goals_of("ab", "ab", "a", "b")
    assert fewest(goals, {0: (5,), 1: (4,), 2: (0,), 3: (1,)}) == [1]
    goals = goals_of("ab", "bc", "ca")
    assert fewest(goals, {0: (2,), 1: (0,), 2: (1,)}) == [1, 2]


def smallest(goals: dict[int, set[str]]) -> int:
    everything = reached(goals, goals)
    return next(
        count
        for count in range(len(goals) + 1)
        if any(reached(goals, some) == everything for some in combinations(goals, count))
    )


def reached(goals: dict[int, set[str]], some: Iterable[int]) -> set[str]:
    return set().union(*(goals[one] for one in some))


@pytest.mark.parametrize("seed", range(30))
def test_no_smaller_choice_keeps_all_goals(seed: int) -> None:
    draw = random.Random(seed)
    count = draw.randint(4, 11)
    goals = {position: set(draw.sample("abcdefghijkl", draw.randint(1, 4))) for position in range(count)}
    found = fewest(goals, in_order(goals))
    assert reached(goals, found) == reached(goals, goals)
    assert len(found) == smallest(goals)


def test_too_large_parts_are_covered_greedily_and_nothing_is_superfluous(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cover, "MOST_EXACT", 2)
    draw = random.Random(1)
    goals = {position: set(draw.sample("abcdefghijklmnop", 4)) for position in range(40)}
    found = fewest(goals, in_order(goals))
    for one in found:
        others = set().union(*(goals[other] for other in found if other != one))
        assert goals[one] - others


def test_cases_that_reach_nothing_are_not_kept() -> None:
    assert fewest({0: set(), 1: {"a"}}, {0: (0,), 1: (1,)}) == [1]
    assert fewest({}, {}) == []
