"""Iterators among the parts of a result are gone through, in order, as far as they have an end."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from tracetwin.model.recipe import Scalar
from tracetwin.model.snapshot import Iterated
from tracetwin.replay.observe.lazy_parts import MOST_PARTS, lazy_parts, pictures_of_parts


def numbers(*given: int) -> Iterator[int]:
    yield from given


def failing() -> Iterator[int]:
    yield 1
    raise ValueError


def pictures(result: Any) -> list[Any]:
    return list(pictures_of_parts(result, Scalar, lambda _: None).values())


def test_generators_and_iterators_of_the_library_are_parts() -> None:
    assert len(list(lazy_parts((numbers(1), map(str, [1]), itertools.chain([1]), [2], 3)))) == 3
    assert len(list(lazy_parts({"a": numbers(1), "b": 1}))) == 1


def test_nothing_else_is_looked_into() -> None:
    assert not list(lazy_parts(numbers(1)))
    assert not list(lazy_parts([numbers(1)] * (MOST_PARTS + 1)))
    assert not list(lazy_parts({numbers(1)}))


def test_what_they_gave_is_noted() -> None:
    one = numbers(1, 2)
    assert pictures((one, numbers())) == [
        Iterated("builtins:generator", (Scalar(1), Scalar(2)), True),
        Iterated("builtins:generator", (), True),
    ]
    assert pictures((one, one)) == [Iterated("builtins:generator", (), True)]


def test_of_one_without_an_end_or_that_fails_nothing_is_said() -> None:
    assert pictures([itertools.count(), failing(), numbers(1)]) == [
        Iterated("builtins:generator", (Scalar(1),), True)
    ]


def test_what_ran_in_one_of_which_nothing_is_told_does_not_count() -> None:
    marks: list[bool] = []
    pictures_of_parts([numbers(1), failing(), itertools.count(), numbers(2)], Scalar, marks.append)
    assert marks == [True, True, False, True, False, True]
