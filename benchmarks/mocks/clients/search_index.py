"""Searches in an index that behaves like a sorted sequence, and ranks what a service found."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, order=True)
class Hit:
    score: float
    document: str


class SortedIndex(abc.ABC):
    @abc.abstractmethod
    def __len__(self) -> int: ...

    @abc.abstractmethod
    def __getitem__(self, position: int) -> str: ...

    @abc.abstractmethod
    def __contains__(self, term: object) -> bool: ...

    @abc.abstractmethod
    def postings(self, term: str) -> Iterator[int]: ...


class Engine(Protocol):
    def search(self, query: str, *, limit: int = 10, fuzzy: bool = False) -> list[Hit]: ...

    def suggest(self, query: str) -> str | None: ...


class QueryError(ValueError):
    pass


def position(index: SortedIndex, term: str) -> int:
    """Where a term is, by bisection; -1 if it is not there."""
    low, high = 0, len(index)
    while low < high:
        middle = (low + high) // 2
        found = index[middle]
        if found == term:
            return middle
        if found < term:
            low = middle + 1
        else:
            high = middle
    return -1


def both(index: SortedIndex, first: str, second: str) -> list[int]:
    """Documents with two terms: their postings are sorted."""
    if first not in index or second not in index:
        return []
    left, right = index.postings(first), index.postings(second)
    result: list[int] = []
    try:
        a, b = next(left), next(right)
        while True:
            if a == b:
                result.append(a)
                a, b = next(left), next(right)
            elif a < b:
                a = next(left)
            else:
                b = next(right)
    except StopIteration:
        return result


def ask(engine: Engine, query: str) -> list[str]:
    """Search exactly, then with a suggestion, then fuzzily."""
    text = query.strip()
    if not text:
        raise QueryError("empty")
    hits = engine.search(text, limit=3)
    if not hits:
        better = engine.suggest(text)
        if better is not None and better != text:
            hits = engine.search(better, limit=3)
    if not hits:
        hits = engine.search(text, fuzzy=True)
    best = [hit for hit in hits if hit.score >= 0.5]
    if len(best) == 2 and best[0].document == best[1].document:
        best.pop()
    return [hit.document for hit in best]
