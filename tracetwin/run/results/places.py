"""The functions of a module by their lines, and what the conditions in them look at."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from tracetwin.analysis.callers import Callers
from tracetwin.analysis.entries import Definition
from tracetwin.analysis.guards import Guard
from tracetwin.analysis.kinds import asks_for_kind
from tracetwin.analysis.not_there import NotThere
from tracetwin.analysis.optional_imports import needed_import
from tracetwin.analysis.outside import reads_command_line
from tracetwin.analysis.slices import Slice, slice_of
from tracetwin.analysis.sources import is_static, walk
from tracetwin.support.syntax import definitions

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Places:
    """The functions of one module by their lines.

    Attributes:
        all: them with their qualified names.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        found = definitions(tree, inside="")
        self.all = [(name, node) for name, node in found if not isinstance(node, ast.ClassDef)]
        self._homes: dict[str, str] = {}
        self._cuts: dict[int, Slice] = {}
        self._tests: dict[int, list[ast.expr]] = {}

    def around(self, line: int) -> tuple[str, Definition] | None:
        """The innermost function that a line belongs to, with its qualified name; None outside of all."""
        return self._innermost.get(line)

    @cached_property
    def _innermost(self) -> dict[int, tuple[str, Definition]]:
        """For each line of functions the one that begins last."""
        found: dict[int, tuple[str, Definition]] = {}
        for pair in sorted(self.all, key=lambda pair: pair[1].lineno):
            found.update(dict.fromkeys(range(pair[1].lineno, (pair[1].end_lineno or 0) + 1), pair))
        return found

    def tests(self, line: int) -> list[ast.expr]:
        """Return the conditions on a line of statements of its function, and what loops there go through."""
        found = self.around(line)
        if line not in self._tests:
            tests = _tests(found[1]) if found is not None else ()
            self._tests[line] = [one for one in tests if one.lineno == line]
        return self._tests[line]

    def unmade(self, line: int, ran: Collection[int]) -> bool:
        """Return whether a line is of a function or class that importing the module does not define."""
        first = min((begin for begin, end in self._spans if begin <= line <= end), default=0)
        return bool(first) and first not in ran and self.importing(line) is not None

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        """The first and last lines of functions and classes."""
        inside = (one for one in walk(self._tree) if isinstance(one, (*FUNCTIONS, ast.ClassDef)))
        return [(one.lineno, one.end_lineno or 0) for one in inside]

    def importing(self, line: int) -> ast.stmt | None:
        """Return the statement that decides whether importing the module comes to a line, None for none."""
        around = (one for one in self._tree.body if one.lineno <= line <= (one.end_lineno or one.lineno))
        found = next(around, None)
        return None if isinstance(found, (*FUNCTIONS, ast.ClassDef)) else found

    def program(self, line: int) -> int:
        """Return the line of `if __name__ == "__main__":` around one that only a program runs, 0 for none."""
        found = self.importing(line)
        if not isinstance(found, ast.If) or line > (found.body[-1].end_lineno or 0):
            return 0
        asked = ast.unparse(found.test)
        return found.lineno if asked in ("__name__ == '__main__'", "'__main__' == __name__") else 0

    def before(self, line: int) -> range:
        """Return the lines of a function that runs have left behind when they come to one of it."""
        found = self.around(line)
        if found is None:
            return range(0)
        loops = (one for one in walk(found[1]) if isinstance(one, (ast.While, ast.For, ast.AsyncFor)))
        starts = (one.lineno for one in loops if one.lineno <= line <= (one.end_lineno or 0))
        return range(found[1].lineno, min(starts, default=line))

    def named(self, name: str) -> list[Definition]:
        """Return the functions and methods that have a name."""
        return self._by_last_name.get(name, [])

    @cached_property
    def _by_last_name(self) -> dict[str, list[Definition]]:
        found: dict[str, list[Definition]] = {}
        for qualname, one in self.all:
            found.setdefault(qualname.rpartition(".")[2], []).append(one)
        return found

    def calling(self, name: str) -> list[int]:
        """Return the lines with calls of a function, and with what it decorates, but for its own."""
        own = self.lines_of(name)
        return [at for at in self._callers.lines(name) if at not in own]

    def not_there(self, function: Definition, lines: Collection[int], kind: str) -> str:
        """Return what nothing can have that is asked for where an exception of a kind ends runs, or ""."""
        return self._not_there.told(function, lines, kind)

    @cached_property
    def _not_there(self) -> NotThere:
        return NotThere(self._tree)

    @cached_property
    def _callers(self) -> Callers:
        return Callers(self._tree)

    def home(self, name: str, module: str) -> str:
        """Return the package that a name was imported from into a module, "" for others.

        Of the own package it is told with what is imported from it: a module of it, or something in one.
        """
        if not self._homes:
            self._homes = dict(_homes(self._tree, module.partition(".")[0]))
        return self._homes.get(name, "")

    def is_method(self, function: Definition) -> bool:
        """Return whether a function stands in a class and gets an object first."""
        return not is_static(function) and function in self._methods

    def qualified(self, name: str) -> list[Definition]:
        """Return the functions that have a qualified name."""
        return self._by_name.get(name, [])

    @cached_property
    def _by_name(self) -> dict[str, list[Definition]]:
        """The functions by their qualified names."""
        found: dict[str, list[Definition]] = {}
        for name, one in self.all:
            found.setdefault(name, []).append(one)
        return found

    def outermost(self, name: str) -> str:
        """Return the outermost function that one stands in, by qualified names; that itself for most."""
        parts = name.split(".")
        around = (".".join(parts[:end]) for end in range(1, len(parts)))
        return next((one for one in around if self.qualified(one)), name)

    def lines_of(self, name: str) -> frozenset[int]:
        """Return the lines of the functions that have a qualified name."""
        found = self.qualified(name)
        return frozenset(at for one in found for at in range(one.lineno, (one.end_lineno or one.lineno) + 1))

    def class_lines(self, name: str) -> frozenset[int]:
        """Return the lines of the classes that have a qualified name."""
        last = name.rpartition(".")[2]
        found = (one for one in walk(self._tree) if isinstance(one, ast.ClassDef) and one.name == last)
        return frozenset(at for one in found for at in range(one.lineno, (one.end_lineno or one.lineno) + 1))

    def asks_for_state(self, line: int) -> bool:
        """Return True if the condition on a line is only about the receiver of the method around it."""
        receiver, names = self._names(line)
        return receiver in names and all(name == receiver or hasattr(builtins, name) for name in names)

    def asks_for_kinds(self, line: int) -> bool:
        """Return whether the condition on a line asks for nothing but the types of what a call can change."""
        tests, cut = self.tests(line), self.cut(line)
        return bool(tests) and cut is not None and bool(cut.near) and all(map(asks_for_kind, tests))

    def looks_at_state(self, line: int) -> bool:
        """Return True if the condition on a line is, among others, about the receiver of its method."""
        receiver, names = self._names(line)
        return receiver in names

    def receiver(self, line: int) -> str:
        """Return the name of the receiver in the method around a line, "" in other functions."""
        return self._names(line)[0]

    def is_fixed(self, line: int) -> bool:
        """Return whether no call can change the condition on a line: it asks the module and Python only."""
        tests = self.tests(line)
        parts = [node for test in tests for node in walk(test)]
        called = [node.func for node in parts if isinstance(node, ast.Call)]
        if not tests or not all(isinstance(one, ast.Name) and hasattr(builtins, one.id) for one in called):
            return False  # what a function returns may hang on anything
        names = {node.id for node in parts if isinstance(node, ast.Name)}
        return names.isdisjoint(self._changed)

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The names that functions get, bind or declare."""
        inside = (node for node in walk(self._tree) if isinstance(node, FUNCTIONS))
        return frozenset(name for function in inside for name in _changed(function))

    def reads_command_line(self, line: int) -> bool:
        """Return whether the condition on a line hangs on what the program was called with."""
        cut = self.cut(line)
        return cut is not None and reads_command_line(cut.parts)

    def cut(self, line: int) -> Slice | None:
        """Return what decides the condition on a line, or its statement; None outside of functions."""
        found = self.around(line)
        if found is None:
            return None
        if line not in self._cuts:
            spans = (one for _, one in self.all if one is not found[1])
            around = [one for one in spans if one.lineno <= found[1].lineno <= (one.end_lineno or 0)]
            self._cuts[line] = slice_of(found[1], line, around)
        return self._cuts[line]

    def deciding(self, line: int) -> frozenset[int]:
        """Return the lines on which the condition on a line hangs, with those of what is called there."""
        cut = self.cut(line)
        if cut is None:
            return frozenset((line,))
        called = self.reached(name for _, name in cut.calls)
        spans = (range(one.lineno, (one.end_lineno or one.lineno) + 1) for one in called)
        return cut.lines.union((line,), *spans)

    def reached(self, calls: Iterable[str]) -> list[Definition]:
        """Return the functions of the module that some calls name, and those that these call."""
        waiting, found = list(calls), dict[Definition, None]()
        while waiting:
            root, _, name = waiting.pop().rpartition(".")
            for one in () if self._imported.get(root.partition(".")[0]) else self.named(name):
                if one not in found and (not root or one in self._methods):
                    found[one] = None
                    inside = (part for part in walk(one) if isinstance(part, ast.Call))
                    waiting += (ast.unparse(call.func) for call in inside)
        return list(found)

    @cached_property
    def _methods(self) -> frozenset[ast.stmt]:
        """The statements that stand in classes."""
        classes = (one for one in walk(self._tree) if isinstance(one, ast.ClassDef))
        return frozenset(one for cls in classes for one in cls.body)

    @cached_property
    def _imported(self) -> dict[str, str]:
        """The packages that names were imported from, "" for those of the module's own."""
        return dict(_homes(self._tree, ""))

    def waits_for_import(self, guard: Guard) -> str:
        """Return the reason of a condition that nothing but an optional import decides, "" for others."""
        for test in self.tests(guard.line):
            needed = needed_import(self._tree, test, guard.outcome)
            if needed is not None:
                return f"decided by whether {needed.module} can be imported (line {needed.line})"
        return ""

    def _names(self, line: int) -> tuple[str, set[str]]:
        """Return the name of the receiver in the function around a line, and the names in the condition."""
        found = self.around(line)
        if found is None or "." not in found[0]:
            return "", set()
        first = next(iter([*found[1].args.posonlyargs, *found[1].args.args]), None)
        tests = self.tests(line)
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
            for one in node.names:
                within = (node.module or one.name).rpartition(".")[2]
                yield one.asname or one.name, f"{top}.{within}" if own and top == own else top


def _changed(function: Definition) -> Iterator[str]:
    """The names that a function gets, binds or declares."""
    yield from (one.arg for one in walk(function.args) if isinstance(one, ast.arg))
    for node in walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names


def _tests(function: Definition) -> Iterator[ast.expr]:
    """The conditions of a function's statements, and what its loops go through."""
    for node in walk(function):
        for name in ("test", "iter"):
            test = getattr(node, name, None)
            if isinstance(test, ast.expr) and isinstance(node, (ast.stmt, ast.IfExp)):
                yield test
