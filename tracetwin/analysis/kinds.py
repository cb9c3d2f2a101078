"""Conditions that ask for the kind of a value, and for nothing else of it."""

from __future__ import annotations

import ast
import inspect
from typing import Final

_ASKING: Final = frozenset(("isinstance", "issubclass", "callable", "hasattr")) | frozenset(
    name for name in dir(inspect) if name.startswith("is")
)


def asks_for_kind(test: ast.expr) -> bool:
    """Return whether all parts of a condition ask for the kinds of values."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return asks_for_kind(test.operand)
    if isinstance(test, ast.BoolOp):
        return all(map(asks_for_kind, test.values))
    if isinstance(test, ast.Call):
        return ast.unparse(test.func).removeprefix("inspect.") in _ASKING
    return isinstance(test, ast.Compare) and _is_class(test.left)


def _is_class(node: ast.expr) -> bool:
    """Return whether an expression is the class of a value."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "type" and len(node.args) == 1
    return isinstance(node, ast.Attribute) and node.attr == "__class__"
