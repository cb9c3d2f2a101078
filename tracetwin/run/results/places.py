"""The functions of a module by their lines, and what the conditions in them look at."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from tracetwin.analysis.entries import Definition
from tracetwin.analysis.guards import Guard
from tracetwin.analysis.optional_imports import needed_import
from tracetwin.analysis.sources import walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Places:
    """The functions of one module by their lines."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._found = list(_definitions(tree, ""))
        self._homes: dict[str, str] = {}
        self._by_line: dict[int, tuple[str, Definition]] = {}
        for pair in self._found:  # those within come later
            last = pair[1].end_lineno or pair[1].lineno
            self._by_line.update((line, pair) for line in range(pair[1].lineno, last + 1))
        self._bound: frozenset[str] | None = None
        self._fixed: dict[int, bool] = {}
        self._waiting: dict[Guard, str] = {}

    def around(self, line: int) -> tuple[str, Definition] | None:
        """The innermost function that a line belongs to, with its qualified name; None outside of all."""
        return self._by_line.get(line)

    def named(self, name: str) -> list[Definition]:
        """Return the functions and methods that have a name."""
        return [one for qualname, one in self._found if qualname.rpartition(".")[2] == name]

    def home(self, name: str, module: str) -> str:
        """Return the package that a name was imported from into a module, "" for others."""
        if not self._homes:
            self._homes = dict(_homes(self._tree, module.partition(".")[0]))
        return self._homes.get(name, "")

    def is_method(self, function: Definition) -> bool:
        """Return whether a function stands in a class and gets an object first."""
        static = any(ast.unparse(one) == "staticmethod" for one in function.decorator_list)
        classes = (one for one in walk(self._tree) if isinstance(one, ast.ClassDef))
        return not static and any(function in one.body for one in classes)

    def qualified(self, name: str) -> list[Definition]:
        """Return the functions that have a qualified name."""
        return [one for qualname, one in self._found if qualname == name]

    def asks_for_state(self, line: int) -> bool:
        """Return True if the condition on a line is only about the receiver of the method around it."""
        receiver, names = self._names(line)
        return receiver in names and all(name == receiver or hasattr(builtins, name) for name in names)

    def looks_at_state(self, line: int) -> bool:
        """Return True if the condition on a line is, among others, about the receiver of its method."""
        receiver, names = self._names(line)
        return receiver in names

    def is_fixed(self, line: int) -> bool:
        """Return whether no call can change the condition on a line: it asks the module and Python only."""
        if line not in self._fixed:
            self._fixed[line] = self._asks_the_module(line)
        return self._fixed[line]

    def _asks_the_module(self, line: int) -> bool:
        found = self.around(line)
        if found is None:
            return False
        tests = [test for test in _tests(found[1]) if test.lineno == line]
        parts = [node for test in tests for node in walk(test)]
        called = [node.func for node in parts if isinstance(node, ast.Call)]
        if not tests or not all(isinstance(one, ast.Name) and hasattr(builtins, one.id) for one in called):
            return False  # what a function returns may hang on anything
        names = {node.id for node in parts if isinstance(node, ast.Name)}
        if self._bound is None:
            self._bound = frozenset(name for _, function in self._found for name in _changed(function))
        return names.isdisjoint(self._bound)

    def waits_for_import(self, guard: Guard) -> str:
        """Return the reason of a condition that nothing but an optional import decides, "" for others."""
        if guard not in self._waiting:
            self._waiting[guard] = self._missing_import(guard)
        return self._waiting[guard]

    def _missing_import(self, guard: Guard) -> str:
        found = self.around(guard.line)
        for test in () if found is None else _tests(found[1]):
            needed = needed_import(self._tree, test, guard.outcome) if test.lineno == guard.line else None
            if needed is not None:
                return f"decided by whether {needed.module} can be imported (line {needed.line})"
        return ""

    def _names(self, line: int) -> tuple[str, set[str]]:
        """Return the name of the receiver in the function around a line, and the names in the condition."""
        found = self.around(line)
        if found is None or "." not in found[0]:
            return "", set()
        first = next(iter([*found[1].args.posonlyargs, *found[1].args.args]), None)
        tests = [test for test in _tests(found[1]) if test.lineno == line]
        names = {node.id for test in tests for node in walk(test) if isinstance(node, ast.Name)}
        return ("" if first is None else first.arg), names


def brackets(tree: ast.Module) -> dict[int, int]:
    """Return where conditions begin that stand in brackets, below their statements, by the lines of these."""
    return {
        node.lineno: node.test.lineno
        for node in walk(tree)
        if isinstance(node, (ast.If, ast.While, ast.Assert)) and node.test.lineno != node.lineno
    }


def _homes(tree: ast.Module, own: str) -> Iterator[tuple[str, str]]:
    for node in walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                top = one.name.partition(".")[0]
                yield one.asname or top, top
        elif isinstance(node, ast.ImportFrom):
            top = own if node.level else (node.module or "").partition(".")[0]
            yield from ((one.asname or one.name, top) for one in node.names)


def _changed(function: Definition) -> Iterator[str]:
    """The names that a function gets, binds or declares."""
    yield from (one.arg for one in walk(function.args) if isinstance(one, ast.arg))
    for node in walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names


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
    for node in walk(function):
        for name in ("test", "iter"):
            test = getattr(node, name, None)
            if isinstance(test, ast.expr) and isinstance(node, (ast.stmt, ast.IfExp)):
                yield test
