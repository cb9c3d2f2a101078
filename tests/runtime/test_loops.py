"""What is noted of a loop: whether something came, and whether it came to its end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from runtime import trace, twin

SITE = 7


class Countdown:
    def __init__(self, start: int) -> None:
        self.left = start

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left


MAKERS: dict[str, Callable[[int], Iterable[Any]]] = {
    "list": lambda n: [0] * n,
    "iterator of a list": lambda n: iter([0] * n),
    "iterator of a tuple": lambda n: iter((0,) * n),
    "iterator of an ASCII text": lambda n: iter("a" * n),
    "iterator of a text": lambda n: iter("\xe9" * n),
    "iterator of bytes": lambda n: iter(b"a" * n),
    "iterator of a range": lambda n: iter(range(n)),
    "iterator of items": lambda n: iter({i: i for i in range(n)}.items()),
    "reversed": lambda n: reversed([0] * n),
    "generator": lambda n: (i for i in range(n)),
    "zip": lambda n: zip(range(n), range(n), strict=True),
    "map": lambda n: map(str, range(n)),
    "iterator class": Countdown,
}


def noted(iterable: Iterable[Any]) -> tuple[bool, bool]:
    """Whether a loop that ends with the first item was entered, and whether it ran out."""
    seen = trace.start()
    try:
        for _ in twin.iterate(iterable, SITE):
            break
    finally:
        trace.stop()
    return SITE in seen.held, SITE in seen.failed


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_loop_is_entered_where_something_comes(make: Callable[[int], Iterable[Any]]) -> None:
    assert noted(make(2)) == (True, False)
    assert noted(make(0)) == (False, True)


def test_a_generator_is_closed_where_the_loop_is_left() -> None:
    told: list[str] = []

    def items() -> Iterator[int]:
        try:
            yield 1
            told.append("went on")
        finally:
            told.append("closed")

    for _ in twin.iterate(items(), SITE):
        break
    assert told == ["closed"]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="raising again keeps the first entry there")
def test_what_an_iterator_raises_comes_from_where_it_was_raised() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost") as caught:
        list(twin.iterate(items(), SITE))
    assert [entry.name for entry in caught.traceback][1:] == ["items"]
