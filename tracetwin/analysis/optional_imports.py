"""Names that an import decides which may fail: ``try: import x; HAS_X = True; except ImportError: ...``."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator

from tracetwin.support.data import dataclass

_FAILURES = frozenset(("ImportError", "ModuleNotFoundError", "Exception"))


@dataclass(frozen=True)
class OptionalImport:
    """An import that may fail, with what the module then goes without.

    Attributes:
        module: what is imported.
        line: where.
        names: those that get one value where it succeeds, and another where it fails.
    """

    module: str
    line: int
    names: frozenset[str]


def optional_imports(tree: ast.Module) -> list[OptionalImport]:
    """Return the optional imports of a module."""
    found = []
    for node in tree.body:
        if not isinstance(node, ast.Try) or not any(map(_is_failure, node.handlers)):
            continue
        imports = [part for part in node.body if isinstance(part, (ast.Import, ast.ImportFrom))]
        handled = [part for handler in node.handlers for part in handler.body]
        names = {*_bound([*node.body, *node.orelse])} & {*_bound(handled)}
        if imports and names:
            missed = next((one for one in imports if not _is_of_python(one)), imports[0])
            found.append(OptionalImport(_imported(missed), missed.lineno, frozenset(names)))
    return found


def has_substitute(tree: ast.Module, line: int) -> bool:
    """Return whether other code does the work where the import on a line fails.

    What is merely None then, and never asked whether it is, fails where it is used.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(_spans(part, line) for part in node.body):
            handlers = [handler for handler in node.handlers if _is_failure(handler)]
            body = [part for handler in handlers for part in handler.body]
            if handlers and not any(isinstance(part, ast.Raise) for top in body for part in ast.walk(top)):
                return any(isinstance(part, ast.Return) for part in body) or _are_substituted(tree, node)
    return False


def _are_substituted(tree: ast.Module, tried: ast.Try) -> bool:
    """True if all that a block imports is there without it, or the program asks whether it is."""
    asked, inside = set(_asked(tree)), {id(part) for top in tried.body for part in ast.walk(top)}
    made = {name for part in ast.walk(tree) if id(part) not in inside for name in _made(part)}
    imports = [part for part in tried.body if isinstance(part, (ast.Import, ast.ImportFrom))]
    flags = _bound([part for part in (*tried.body, *tried.orelse) if isinstance(part, ast.Assign)])
    return not asked.isdisjoint(flags) or {"*", *asked, *made}.issuperset(_bound(imports))


def _asked(tree: ast.Module) -> Iterator[str]:
    """Yield the names on which it hangs what a program does, but raise an error."""
    for node in ast.walk(tree):
        tests: list[ast.expr] = []
        if isinstance(node, ast.BoolOp):
            tests = node.values
        elif isinstance(node, ast.IfExp) or (isinstance(node, ast.If) and not _only_raises(node)):
            tests = [node.test]
        yield from (part.id for test in tests for part in ast.walk(test) if isinstance(part, ast.Name))


def _only_raises(node: ast.If) -> bool:
    return all(isinstance(part, ast.Raise) for part in node.body)


def _made(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement gives something to that can do work."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)) or (
        isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant)
    ):
        yield from _bound([node])


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def needed_import(tree: ast.Module, test: ast.expr, outcome: int) -> OptionalImport | None:
    """Return the optional import that decides alone that a condition has not an outcome, None for none."""
    while outcome and isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        test = test.values[0]
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        test = test.left
    if not isinstance(test, ast.Name):
        return None
    return next((one for one in optional_imports(tree) if test.id in one.names), None)


def _is_failure(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in _FAILURES) for kind in kinds)


def _bound(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _is_of_python(node: ast.Import | ast.ImportFrom) -> bool:
    """Return whether an import is of the standard library, which seldom lacks anything."""
    return _imported(node).partition(".")[0] in sys.stdlib_module_names


def _imported(node: ast.Import | ast.ImportFrom) -> str:
    if isinstance(node, ast.Import):
        return node.names[0].name
    return "." * node.level + (node.module or node.names[0].name)
