"""The function around a line, and the receiver's part in the condition on it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef


class Places:
    """The functions of one module by their lines."""

    def __init__(self, tree: ast.Module) -> None:
        self._found = list(_definitions(tree, ""))

    def around(self, line: int) -> tuple[str, Definition] | None:
        """The innermost function that a line belongs to, with its qualified name; None outside of all."""
        spanning = [
            pair for pair in self._found if pair[1].lineno <= line <= (pair[1].end_lineno or pair[1].lineno)
        ]
        return max(spanning, key=lambda pair: pair[1].lineno, default=None)

    def asks_for_state(self, line: int) -> bool:
        """Return True if the condition on a line is only about the receiver of the method around it."""
        receiver, names = self._names(line)
        return receiver in names and all(name == receiver or hasattr(builtins, name) for name in names)

    def looks_at_state(self, line: int) -> bool:
        """Return True if the condition on a line is, among others, about the receiver of its method."""
        receiver, names = self._names(line)
        return receiver in names

    def _names(self, line: int) -> tuple[str, set[str]]:
        """Return the name of the receiver in the function around a line, and the names in the condition."""
        found = self.around(line)
        if found is None or "." not in found[0]:
            return "", set()
        first = next(iter([*found[1].args.posonlyargs, *found[1].args.args]), None)
        tests = [test for test in _tests(found[1]) if test.lineno == line]
        names = {node.id for test in tests for node in ast.walk(test) if isinstance(node, ast.Name)}
        return ("" if first is None else first.arg), names


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Definition]]:
    for child in ast.iter_child_nodes(node):
        inner = prefix
        if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
            inner = f"{prefix}{child.name}."
            if isinstance(child, FUNCTIONS):
                yield inner[:-1], child
        yield from _definitions(child, inner)


def _tests(function: Definition) -> Iterator[ast.expr]:
    """The conditions of a function's statements, and what its loops go through."""
    for node in ast.walk(function):
        for name in ("test", "iter"):
            test = getattr(node, name, None)
            if isinstance(test, ast.expr) and isinstance(node, (ast.stmt, ast.IfExp)):
                yield test
