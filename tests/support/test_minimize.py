"""The one minimiser: what may be dropped, greedy replacement, and the bound on questions."""

from __future__ import annotations

from tracetwin.support.minimize import Attempts, chunks, first_accepted, pairs, shorter_run


def test_all_of_a_sequence_then_halves_then_single_places_may_be_dropped() -> None:
    assert [list(part) for part in chunks(4)] == [[0, 1, 2, 3], [0, 1], [2, 3], [0], [1], [2], [3]]
    assert list(chunks(0)) == []


def test_every_two_places_are_tried_where_there_are_few() -> None:
    assert list(pairs(3, 10)) == [(0, 1), (0, 2), (1, 2)]
    assert list(pairs(11, 10)) == []


def test_a_run_is_bisected() -> None:
    assert shorter_run(1) == []
    assert shorter_run(2) == [0, 1]
    assert shorter_run(60) == [0, 1, 2, 3, 4, 8, 15, 16, 28, 30, 32, 44, 45, 52, 56, 58, 59]


def test_the_first_that_the_oracle_accepts_is_taken() -> None:
    asked: list[int] = []

    def oracle(number: int) -> str | None:
        asked.append(number)
        return str(number) if number % 3 == 0 else None

    assert first_accepted([1, 6, 3], oracle) == "6"
    assert asked == [1, 6]
    assert first_accepted([1, 2], oracle) is None


def test_replaced_until_nothing_is_simpler() -> None:
    """Numbers above 4 halve as long as the half is even."""
    number = 96
    while (found := first_accepted([number // 2], lambda one: one if one > 4 and not one % 2 else None)):
        number = found
    assert number == 6


def test_questions_are_bounded_over_all_calls() -> None:
    attempts = Attempts(3)
    assert list(attempts.each("ab")) == ["a", "b"]
    assert list(attempts.each("cd")) == ["c"]
    assert list(attempts.each("e")) == []
