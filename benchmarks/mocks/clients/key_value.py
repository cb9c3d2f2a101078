"""Counters and settings in mappings of any kind."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Protocol, TypeVar

V = TypeVar("V")


class Versioned(Protocol):
    """A store that checks versions, like etcd or a table with a version column."""

    def __getitem__(self, key: str) -> tuple[int, int]: ...

    def __setitem__(self, key: str, value: tuple[int, int]) -> None: ...

    def __delitem__(self, key: str) -> None: ...

    def __len__(self) -> int: ...

    def __bool__(self) -> bool: ...


class VersionConflict(Exception):
    pass


def count(counters: MutableMapping[str, int], key: str, limit: int) -> int:
    """Count a key up to a limit, after which it starts again."""
    try:
        value = counters[key]
    except KeyError:
        if len(counters) >= 3:
            raise OverflowError("too many keys") from None
        counters[key] = 1
        return 1
    if value >= limit:
        del counters[key]
        return 0
    counters[key] = value + 1
    return value + 1


def update(store: Versioned, key: str, amount: int) -> str:
    """Add to a value, unless somebody else changed it meanwhile."""
    if not store:
        return "empty"
    version, value = store[key]
    if value + amount < 0:
        return "too little"
    try:
        store[key] = (version + 1, value + amount)
    except VersionConflict:
        newer, _ = store[key]
        if newer == version:
            raise
        return "conflict"
    if value + amount == 0:
        del store[key]
        return "used up" if len(store) else "last"
    return "updated"


def lookup(tables: Sequence[Mapping[str, V]], key: str, default: V) -> V:
    """The first value of a key."""
    for table in tables:
        if key in table:
            return table[key]
    return default


def invert(table: Mapping[str, str]) -> dict[str, list[str]]:
    """Keys by value; empty values are left out."""
    result: dict[str, list[str]] = {}
    for key, value in table.items():
        if not value:
            continue
        if value in result:
            result[value].append(key)
        else:
            result[value] = [key]
    return result


def remember(memo, key, compute):
    """A value from a dict-like, or computed."""
    if key in memo:
        return memo[key]
    value = compute(key)
    if value is not None:
        memo[key] = value
    return value
