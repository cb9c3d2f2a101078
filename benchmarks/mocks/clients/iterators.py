"""Reads sources of readings: iterators of the standard library's kind, and a feed with a life of its own."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Reading(NamedTuple):
    at: int
    value: int


class Feed(abc.ABC):
    """An iterator that can be closed and tells how it is."""

    @abc.abstractmethod
    def __iter__(self) -> Iterator[Reading]: ...

    @abc.abstractmethod
    def close(self) -> None: ...

    @property
    @abc.abstractmethod
    def healthy(self) -> bool: ...


def merge(left: Iterator[int], right: Iterator[int]) -> list[int]:
    """Merge two sorted iterators."""
    result: list[int] = []
    a, b = next(left, None), next(right, None)
    while a is not None and b is not None:
        if a <= b:
            result.append(a)
            a = next(left, None)
        else:
            result.append(b)
            b = next(right, None)
    if a is not None:
        result.append(a)
        result.extend(left)
    if b is not None:
        result.append(b)
        result.extend(right)
    return result


def drain(feed: Feed, limit: int) -> int:
    """Sum the values of a feed, whose times must not go back."""
    total = 0
    last: Reading | None = None
    try:
        for reading in feed:
            if last is not None and reading.at < last.at:
                raise ValueError("out of order")
            if reading.value < 0:
                continue
            total += reading.value
            if total > limit:
                break
            last = reading
        else:
            if not feed.healthy:
                return -1
    finally:
        feed.close()
    return total


def pairs(items: Iterable[str]) -> list[tuple[str, str]]:
    """Group items two by two; a last one stays alone."""
    source = iter(items)
    result = []
    for first in source:
        try:
            second = next(source)
        except StopIteration:
            result.append((first, ""))
            break
        if first == second:
            continue
        result.append((first, second))
    return result
