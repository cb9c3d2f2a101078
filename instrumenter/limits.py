"""Limits under which sources are parsed: depth, size and recursion; and parsing without repeated warnings."""

from __future__ import annotations

import _thread
import gc
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

MOST: Final = 1_000
"""Depth of expressions beyond which a module is left as it is: libcst's time grows with its square."""

MOST_NODES: Final = 2_000_000
"""Nodes beyond which a module is left as it is: a million take libcst about half a minute."""

TOO_DEEP: Final = "expressions nested too deeply"
_SUBSCRIPT: Final = 3
"""Depth that one of `x[0][0][0]...` counts as: the time for these grows with the cube (1,000 take 12 s)."""

# libcst walks trees recursively, about four frames a level; beyond this the source stays as it is.
RECURSION_LIMIT: Final = 6000

_FILTERS_ARE_OURS = _thread.RLock()  # `threading` would have to be imported
_IGNORE: Final[Any] = ("ignore", None, Warning, None, 0)


def obstacle(text: str) -> str:
    """Return why a module that CPython accepts is left as it is, "" where it need not be."""
    import ast  # a warm load needs none

    with without_warnings():
        tree = ast.parse(text)
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    count = 0
    while waiting:
        node, depth = waiting.pop()
        count += 1
        if depth > MOST:
            return TOO_DEEP
        if count > MOST_NODES:
            return f"more than {MOST_NODES:,} nodes in its syntax tree"
        if isinstance(node, ast.expr):
            depth += _SUBSCRIPT if isinstance(node, ast.Subscript) else 1
        waiting += [(child, depth) for child in ast.iter_child_nodes(node)]
    return ""


@contextmanager
def without_warnings() -> Iterator[None]:
    """Ignore warnings in a block.

    Unlike `warnings.catch_warnings` this leaves the number of changes alone that stands in each
    `__warningregistry__`, where a target could see it.
    """
    # One at a time: threads that import at once would put back each other's filters.
    with _FILTERS_ARE_OURS:
        filters: Any = warnings.filters
        filters.insert(0, _IGNORE)
        try:
            yield
        finally:
            filters.remove(_IGNORE)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raise the recursion limit and pause the garbage collector in a block that walks deep trees."""
    limit = sys.getrecursionlimit()
    collecting = gc.isenabled()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()
