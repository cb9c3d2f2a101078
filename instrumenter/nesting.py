"""How deeply expressions are nested: libcst's time grows with the square of that, and worse."""

from __future__ import annotations

import ast
from typing import Final

from instrumenter.quiet import without_warnings

MOST: Final = 1_000
"""Beyond this a module is left as it is; nobody writes such expressions by hand."""

_SUBSCRIPT: Final = 3
"""What one of `x[0][0][0]...` counts: the time for these grows with the cube (1,000 of them: 12 s)."""


def is_too_deep(text: str) -> bool:
    """Whether an expression of a module that CPython accepts is nested more than `MOST` levels deep."""
    with without_warnings():
        tree = ast.parse(text)
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MOST:
            return True
        if isinstance(node, ast.expr):
            depth += _SUBSCRIPT if isinstance(node, ast.Subscript) else 1
        waiting += [(child, depth) for child in ast.iter_child_nodes(node)]
    return False
