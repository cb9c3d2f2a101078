"""Positions of nodes, and how they differ between versions of CPython."""

from __future__ import annotations

import ast
import sys
from typing import Any, Final

Position = tuple[int, int, int, int]
"""`lineno`, `col_offset`, `end_lineno`, `end_col_offset`."""

# Instructions placed here count as part of those before them: they begin no line.
NOWHERE: Final[Position] = (-1, -1, -1, -1)

# Up to 3.11 a jump stands where its statement does, or the last comparison before it; from 3.12 on,
# where the operand does that it tests.
JUMPS_AT_STATEMENT: Final = sys.version_info < (3, 12)

# From 3.12 on, `a[i:j]` makes no slice object: nothing happens at the slice's own place.
TWO_ELEMENT_SLICES: Final = sys.version_info >= (3, 12)

# Up to 3.12 something is done at the place of what is called before that is evaluated, later on after it.
CALLS_BEGIN_EARLY: Final = sys.version_info < (3, 13)

# From 3.13 on, the comparison in `not a == b`, where its value is wanted, stands where `not` does.
NOT_TAKES_COMPARISON: Final = sys.version_info >= (3, 13)

# From 3.13 on, a class knows to which attributes of `self` its methods assign.
LISTS_ATTRIBUTES: Final = sys.version_info >= (3, 13)


def position_of(node: Any) -> Position:
    """Return a node's position."""
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def line_span(node: Any) -> bool:
    """Return whether a node is on several lines."""
    return bool(node.lineno != node.end_lineno)


def at(node: Any, where: Position) -> Any:
    """Give a node a position, and return it."""
    node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = where
    return node


def veiled(node: Any, where: Position) -> ast.IfExp:
    """Return an expression with the same instructions and another position: `node if True else None`."""
    return at(ast.IfExp(at(ast.Constant(True), where), node, at(ast.Constant(None), where)), where)  # type: ignore[no-any-return]


def everywhere(node: ast.AST, where: Position) -> None:
    """Give a node that only handles names or constants, and all in it, one position."""
    for part in ast.walk(node):
        if isinstance(part, (ast.expr, ast.stmt)):
            at(part, where)
