"""Room for what targets hold: deeper syntax trees and longer numbers than the interpreter usually takes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

DEEP: Final = 6000
"""Calls within each other: enough for any tree that can be compiled, and within the stack of Python 3.10."""


@contextmanager
def deep() -> Iterator[None]:
    """For our own analyses; code of the target runs with the usual limit, or a test would expect another."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@contextmanager
def any_digits() -> Iterator[None]:
    """Ints of any length have a text; a target's own code runs elsewhere, and keeps the usual limit."""
    limit = getattr(sys, "get_int_max_str_digits", int)()
    _limit_digits(0)
    try:
        yield
    finally:
        _limit_digits(limit)


def _limit_digits(most: int) -> None:
    if hasattr(sys, "set_int_max_str_digits"):  # the first releases of 3.10 have no such limit
        sys.set_int_max_str_digits(most)
