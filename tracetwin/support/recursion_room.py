"""Room to walk over syntax trees: what Python's parser accepts is deeper than its usual limit of calls."""

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
