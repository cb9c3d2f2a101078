"""Answers of mocks that are asked several times: numbers that go up, as those of a clock do, and moments."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from tracetwin.model.recipe import Answer, Call, Lambda, MockMember, MockRecipe, Recipe, RecordedCall, Scalar

MOST_ASKED: Final = 12
"""Answers that such a mock has ready; those that nobody asks for go afterwards."""

BACK: Final = 0.05
"""Part of the numbers that are less than the one before."""

_STARTS: Final = (0, 0, 1, 100)
_STEPS: Final = (0, 0, 1, 2)


def is_number(part: Recipe) -> bool:
    """Return whether a recipe is one of a number."""
    return isinstance(part, Scalar) and type(part.value) in (int, float)


def is_moment(part: Recipe) -> bool:
    """Return whether a recipe is one of a day or a moment."""
    return isinstance(part, Call) and part.module == "datetime" and part.qualname in ("date", "datetime")


def going_up(chance: random.Random, known: Sequence[int]) -> Iterator[Scalar]:
    """Give numbers, each as far from the one before as something that is known, or near that.

    Args:
        chance: chooses.
        known: numbers that are passed or written out: a window, a rate, a limit.
    """
    now = chance.choice(_STARTS)
    steps = [abs(one) for one in known if one]
    while True:
        yield Scalar(now)
        way = chance.choice(_STEPS)
        if steps and chance.random() < 0.5:
            way = max(0, chance.choice(steps) + chance.choice((0, 0, 1, -1)))
        now += -way if chance.random() < BACK else way


def asked_often(
    function: Lambda, number: int, answers: Callable[[Recipe], Iterator[Recipe]]
) -> MockRecipe:
    """Return a mock in the place of a function that always answers the same.

    Args:
        function: the function.
        number: of the mock in its case.
        answers: gives answers like one.
    """
    given = answers(function.result)
    calls = tuple(RecordedCall((), (), Answer(next(given))) for _ in range(MOST_ASKED))
    members = {"__call__": MockMember("method", calls)}
    about = MockRecipe(number, "function", "function", "clock", parameters=function.parameters)
    return replace(about, members=members)
