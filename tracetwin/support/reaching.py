"""Reaches all that some things lead to, step by step."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def reached(starts: Iterable[Item], after: Callable[[Item], Iterable[Item]]) -> list[Item]:
    """Return some things and all that they lead to, each of them once, near ones first."""
    found = dict.fromkeys(starts)
    listed = list(found)
    for one in listed:  # which grows meanwhile
        fresh = [other for other in dict.fromkeys(after(one)) if other not in found]
        found.update(dict.fromkeys(fresh))
        listed += fresh
    return listed
