"""Functions whose errors all show in them: they call nothing but what Python itself is made of."""

from __future__ import annotations

import ast
import builtins
from typing import Final

from tracetwin.analysis.sources import FunctionNode

_OUTSIDE: Final = frozenset(
    "open eval exec compile input print getattr setattr delattr __import__ iter next".split()
)
_FUNCTIONS: Final = frozenset(vars(builtins)) - _OUTSIDE
_METHODS: Final = frozenset(
    name for kind in (str, bytes, int, float, list, dict, set, tuple) for name in vars(kind) if name[0] != "_"
)


def is_self_contained(node: FunctionNode) -> bool:
    """Return whether a function calls only builtin functions and methods of builtin types."""
    if node.decorator_list or isinstance(node, ast.AsyncFunctionDef):
        return False
    parts = [part for statement in node.body for part in ast.walk(statement)]
    if any(
        isinstance(part, (ast.With, ast.Yield, ast.YieldFrom, ast.Import, ast.ImportFrom)) for part in parts
    ):
        return False
    return all(_is_builtin(part.func) for part in parts if isinstance(part, ast.Call))


def _is_builtin(called: ast.expr) -> bool:
    match called:
        case ast.Name(id=name):
            return name in _FUNCTIONS
        case ast.Attribute(attr=name):
            return name in _METHODS
        case _:
            return False
