"""Numbers in words."""

from __future__ import annotations

import pytest

from tracetwin.support.counting import ORDINALS, ordinal, spelled


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"), (12, "twelve"), (-1, "minus_one"), (20, "twenty"), (42, "forty_two"),
        (100, "one_hundred"), (5000, "five_thousand"), (10**6, "one_million"), (404, ""), (65535, ""),
        (1.5, "one_point_five"), (-0.25, "minus_zero_point_two_five"), (3.0, "three"), (1.125, ""),
        (1e300, ""), (float("inf"), ""), (float("nan"), ""),
    ],
)  # fmt: skip
def test_numbers_of_few_words_are_spelled(number: float, words: str) -> None:
    assert spelled(number) == words


def test_places_are_counted_in_words() -> None:
    words = {1: "first", 2: "second", 12: "twelfth", 20: "twentieth", 21: "twenty_first", 30: "thirtieth"}
    assert words == {number: ordinal(number) for number in words}
    assert ("third", "twelfth") == (ORDINALS[0], ORDINALS[-1])
