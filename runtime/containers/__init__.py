"""Traced containers: a list, dict or set whose *length* is an input as well as its elements."""

from __future__ import annotations

from typing import Final

from runtime.containers.dicts import SDict, traced_dict
from runtime.containers.lists import SList, traced_list
from runtime.containers.sets import SSet, traced_set
from runtime.containers.sized import contains, length
from runtime.values import stands_for

__all__ = [
    "CONTAINERS", "SDict", "SList", "SSet", "contains", "length", "traced_dict", "traced_list", "traced_set",
]  # fmt: skip

for _kind, _native in ((SList, list), (SDict, dict), (SSet, set)):
    stands_for(_kind, _native)

CONTAINERS: Final[frozenset[type]] = frozenset((SList, SDict, SSet))
"""The exact types of traced containers."""
