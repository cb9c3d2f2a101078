"""Reads syntax trees for several rooms: definitions with their names, expressions, imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

LOCALS: Final = "<locals>."
"""Stands in a qualified name between a function and what is defined in it."""


def definitions(
    node: ast.AST, prefix: str = "", *, inside: str = LOCALS
) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Yield the functions and classes within a node, wherever they stand, with their qualified names.

    `inside` stands there behind each function that others are defined in.
    """
    for child in ast.iter_child_nodes(node):
        below = prefix
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield prefix + child.name, child
            below = f"{prefix}{child.name}.{'' if isinstance(child, ast.ClassDef) else inside}"
        yield from definitions(child, below, inside=inside)


def first_line(definition: Function | ast.ClassDef) -> int:
    """Return the line in which a definition begins, with its decorators."""
    return min([definition.lineno, *(one.lineno for one in definition.decorator_list)])


def expression(text: str) -> ast.expr | None:
    """Return the syntax of an expression, None where the text is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def absolute(node: ast.ImportFrom, package: str) -> str:
    """Return the module that an import statement in a package names, "" where it would be above that."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    kept = parts[: max(0, len(parts) - node.level + 1)]
    return ".".join([*kept, *([node.module] if node.module else [])]) if kept and package else ""
