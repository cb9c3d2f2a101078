"""What takes libcst too long: its time grows with the square of the depth of expressions, and worse."""

from __future__ import annotations

import ast
from typing import Final

from instrumenter.quiet import without_warnings

MOST: Final = 1_000
"""Beyond this a module is left as it is; nobody writes such expressions by hand."""

MOST_NODES: Final = 2_000_000
"""A million of them take libcst about half a minute."""

TOO_DEEP: Final = "expressions nested too deeply"
_SUBSCRIPT: Final = 3
"""What one of `x[0][0][0]...` counts: the time for these grows with the cube (1,000 of them: 12 s)."""


def obstacle(text: str) -> str:
    """Why a module that CPython accepts is left as it is, "" where it need not be."""
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
