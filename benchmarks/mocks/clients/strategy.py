"""Prices and rankings by strategies, which are callables of several kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Item:
    name: str
    cents: int
    weight: int = 0


class Discount(Protocol):
    def __call__(self, item: Item, *, quantity: int) -> int: ...


class Shipping(Protocol):
    flat: bool

    def __call__(self, weight: int, country: str = "DE") -> int: ...


def price(item: Item, quantity: int, discount: Discount | None = None) -> int:
    """Price of some items; a discount takes at most everything."""
    if quantity < 1:
        raise ValueError("quantity")
    total = item.cents * quantity
    if discount is None:
        return total
    off = discount(item, quantity=quantity)
    if off < 0:
        raise ValueError("a discount is not a surcharge")
    if off > total:
        return 0
    return total - off


def ship(weight: int, strategy: Shipping, fallback: Callable[[int], int]) -> int:
    """Cost of shipping; heavy parcels go in two."""
    if weight > 30 and not strategy.flat:
        return strategy(weight // 2) + strategy(weight - weight // 2)
    try:
        cost = strategy(weight, country="FR")
    except NotImplementedError:
        return fallback(weight)
    if cost == 0:
        return fallback(0)
    return cost


def maximum(items: list[int], better: Callable[[int, int], bool]) -> int:
    """The item that is better than the others."""
    if not items:
        raise ValueError("nothing to choose from")
    best = items[0]
    for item in items[1:]:
        if better(item, best):
            if better(best, item):
                raise ValueError("each is better than the other")
            best = item
    return best


def fixed_point(function: Callable[[int], int], start: int, limit: int = 4) -> int | None:
    """Apply a function until its result stays, if it does."""
    value = start
    for _ in range(limit):
        following = function(value)
        if following == value:
            return value
        if following == start:
            return None
        value = following
    raise RuntimeError("no fixed point")


def partition(items: Iterable[int], predicate: Callable[[int], bool]) -> tuple[list[int], list[int]]:
    """Items that a predicate holds for, and the others."""
    yes: list[int] = []
    no: list[int] = []
    for item in items:
        (yes if predicate(item) else no).append(item)
    if len(yes) == 2 and len(no) == 1:
        yes.reverse()
    return yes, no


def compose(outer: Callable[[str], int], inner: Callable[[int], str], value: int) -> str:
    """Two functions, the second of which undoes the first."""
    text = inner(value)
    if not text:
        return "empty"
    back = outer(text)
    if back == value:
        return "round trip"
    return "larger" if back > value else "smaller"
