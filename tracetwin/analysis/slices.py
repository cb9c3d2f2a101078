"""Backward slices: which lines of a function, and which calls, decide what a condition of it sees."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tracetwin.analysis.entries import Definition
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Slice:
    """The part of a function that decides a condition.

    Attributes:
        lines: those of the condition, and of what gives values to the names in it.
        names: all names that are read there.
        calls: what is called there, as it is written, with the lines.
        asked: calls of `isinstance` in the condition itself.
    """

    lines: frozenset[int]
    names: frozenset[str]
    calls: tuple[tuple[int, str], ...]
    asked: tuple[ast.Call, ...] = ()


def slice_of(function: Definition, line: int) -> Slice:
    """Return what decides the conditions on a line, by the names that they read."""
    parts = list(_conditions(function, line))
    known = list(_before(function, line))
    size = -1
    while size != len(parts):
        size = len(parts)
        names = {one.id for part in parts for one in ast.walk(part) if isinstance(one, ast.Name)}
        found = (part for node in known for part in _given(node, names) if part is not None)
        parts = list(dict.fromkeys([*parts, *found]))
    lines = frozenset(at for part in parts for at in _span(part))
    calls = (one for part in parts for one in ast.walk(part) if isinstance(one, ast.Call))
    told = dict.fromkeys((one.lineno, ast.unparse(one.func)) for one in calls)
    asked = tuple(
        one for part in _conditions(function, line) for one in ast.walk(part)
        if isinstance(one, ast.Call) and ast.unparse(one.func) == "isinstance"
    )  # fmt: skip
    return Slice(lines, frozenset(names), tuple(told), asked)


def _before(function: Definition, line: int) -> Iterator[ast.AST]:
    """Yield what may run before a line: what stands there, and all that is in a loop around it."""
    loops = (node for node in ast.walk(function) if isinstance(node, (ast.For, ast.AsyncFor, ast.While)))
    last = max([line, *((one.end_lineno or 0) for one in loops if line in _span(one))])
    return (node for node in ast.walk(function) if getattr(node, "lineno", 0) <= last)


def _conditions(function: Definition, line: int) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        for name in ("test", "iter", "subject"):
            part = getattr(node, name, None)
            if isinstance(part, ast.expr) and line in _span(part):
                yield part


def _span(node: ast.AST) -> range:
    first = getattr(node, "lineno", 0)
    return range(first, (getattr(node, "end_lineno", None) or first) + 1)


def _given(node: ast.AST, names: set[str]) -> tuple[ast.expr | None, ...]:
    """The expressions with which a node gives a value to one of some names, or may change what it holds."""
    if isinstance(node, ast.Assign):
        return (*node.targets, node.value) if any(_bound(one) & names for one in node.targets) else ()
    if isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
        return (node.target, node.value) if _bound(node.target) & names else ()
    if isinstance(node, ast.withitem):
        bound = node.optional_vars is not None and _bound(node.optional_vars) & names
        return (node.context_expr,) if bound else ()
    if isinstance(node, (ast.comprehension, ast.For, ast.AsyncFor)):
        return (node.target, node.iter) if _bound(node.target) & names else ()
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return (node.value,) if _root(node.value.func) in names else ()
    return ()


def _bound(target: ast.expr) -> set[str]:
    """The names that an assignment gives a value, or whose object it changes."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return {_root(part) for part in parts} - {""}


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
