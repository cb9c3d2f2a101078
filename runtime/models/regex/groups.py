"""Reads facts off a pattern without applying it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from runtime.meanings.patterns import parser


@lru_cache(maxsize=512)
def always_take_part(pattern: re.Pattern[Any]) -> frozenset[int]:
    """Return the groups that take part in every match: none that is under ``?``, ``*``, ``|`` or the like."""
    found: set[int] = set()
    _collect(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG), found)
    return frozenset(found)


def _collect(parsed: Any, found: set[int]) -> None:
    for operator, argument in parsed:
        name = str(operator)
        if name == "SUBPATTERN":
            if argument[0] is not None:
                found.add(argument[0])
            _collect(argument[3], found)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and argument[0] >= 1:
            _collect(argument[2], found)
        elif name == "ATOMIC_GROUP":
            _collect(argument, found)
