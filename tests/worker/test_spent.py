"""That an iterator has moved is noticed without moving it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tracetwin.worker.restore.watch import SpentWatcher


def loop() -> Iterator[int]:
    number = 0
    while True:
        number += 1
        yield number


def started() -> Iterator[int]:
    made = loop()
    next(made)
    return made


MAKERS: list[Callable[[], Any]] = [
    lambda: itertools.count(1),
    lambda: itertools.cycle("ab"),
    lambda: itertools.chain([1], [2]),
    lambda: itertools.chain.from_iterable([[1], [2]]),
    lambda: itertools.product([1, 2], [3, 4]),
    lambda: itertools.permutations([1, 2, 3]),
    lambda: itertools.combinations([1, 2, 3], 2),
    lambda: itertools.islice([1, 2, 3], 2),
    lambda: itertools.accumulate([1, 2]),
    lambda: itertools.starmap(max, [(1, 2)]),
    lambda: itertools.repeat(3, 2),
    lambda: itertools.groupby([1, 1, 2]),
    lambda: itertools.zip_longest([1], [2]),
    lambda: itertools.tee([1, 2])[0],
    lambda: iter([1, 2]),
    lambda: iter((1, 2)),
    lambda: iter({1}),
    lambda: iter({"a": 1}),
    lambda: iter("ab"),
    lambda: iter(range(4)),
    lambda: reversed([1, 2]),
    lambda: map(str, [1]),
    lambda: filter(None, [1]),
    lambda: zip([1], [2], strict=True),
    lambda: enumerate("ab"),
    loop,
    started,
]


@pytest.mark.parametrize("place", range(len(MAKERS)))
def test_a_step_is_noticed_and_looking_is_none(place: int) -> None:
    iterator = MAKERS[place]()
    expected = list(itertools.islice(MAKERS[place](), 3))
    watcher = SpentWatcher(iterator)
    assert watcher.same()
    assert watcher.same()
    first = next(iterator)
    assert not watcher.same()
    assert not watcher.restore()
    if not isinstance(first, tuple):  # groups of `groupby` compare by identity
        assert [first, *itertools.islice(iterator, 2)] == expected
