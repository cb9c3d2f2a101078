"""The way in to lines that nothing runs: the first of them, and what would have to happen before it.

Exceptions that a handler waits for, and what may raise them.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from tracetwin.analysis.guards import EXCEPTION, Guard, blocks, leaving, within
from tracetwin.support.data import dataclass

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class WayIn:
    """The way in to lines that nothing runs.

    Attributes:
        line: the first of them.
        guard: what must have happened right before, None where no condition stands there.
        after: the line of the last statement before that is run, 0 where the function is not entered at all.
        handler: what catches an exception there, None for others.
    """

    line: int
    guard: Guard | None
    after: int
    handler: Awaited | None = None


@dataclass(frozen=True)
class Awaited:
    """A part of a ``try`` statement that waits for exceptions.

    Attributes:
        kinds: of them, as they are written; "" for all.
        first: the first line of what is tried.
        last: the last one.
        likely: expressions there that may raise them, as written, with their lines.
    """

    kinds: str
    first: int
    last: int
    likely: tuple[tuple[int, str], ...]


def entry_of(function: Definition, line: int, passed: Collection[int]) -> WayIn | None:
    """Return the way in to a line of a function, None for one that is passed, or of which nothing is known.

    Args:
        function: around the line.
        line: the one that nothing runs.
        passed: lines that are run.
    """
    block: Sequence[ast.stmt] = function.body
    guard, after, handler = None, 0, None
    while block:
        before, here = _around(block, line, passed)
        if here is None:
            return None
        if not _runs(here, passed):
            first = _first_after(block, before)
            if before is None:
                return WayIn(first, guard, after, handler)
            return _behind(before, first, passed)
        found = next(((one, part) for one, part in blocks(here) if within(part, line)), None)
        caught = _caught_at(here, line)
        if caught is not None and caught.lineno not in passed:
            return WayIn(caught.lineno, Guard(here.lineno, EXCEPTION), here.lineno, _handler(here, caught))
        if found is None:
            return None
        (guard, block), after = found, here.lineno
        handler = None if caught is None else _handler(here, caught)
    return None


def _around(
    block: Sequence[ast.stmt], line: int, passed: Collection[int]
) -> tuple[ast.stmt | None, ast.stmt | None]:
    """The last statement of a block before a line that is run, and that with the line."""
    before = None
    for statement in block:
        if _begin(statement) <= line <= (statement.end_lineno or statement.lineno):
            return before, statement
        if _runs(statement, passed):
            before = statement
    return before, None


def _behind(before: ast.stmt, first: int, passed: Collection[int]) -> WayIn:
    """The way in to what stands behind a statement that is run, and from which nothing goes on."""
    guard = leaving(before)
    if guard is None and isinstance(before, (ast.For, ast.AsyncFor)):
        guard = Guard(before.iter.lineno, 0)
    if isinstance(before, ast.Try) and _leaves_always(before.body):
        for one in before.handlers:
            if not _leaves_always(one.body) and one.lineno not in passed:
                return WayIn(first, Guard(before.lineno, EXCEPTION), before.lineno, _handler(before, one))
    return WayIn(first, guard, before.lineno)


def _leaves_always(body: Sequence[ast.stmt]) -> bool:
    return isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _begin(statement: ast.stmt) -> int:
    marks: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(mark.lineno for mark in marks)])


def _runs(statement: ast.stmt, passed: Collection[int]) -> bool:
    return any(at in passed for at in range(_begin(statement), (statement.end_lineno or 0) + 1))


def _first_after(block: Sequence[ast.stmt], before: ast.stmt | None) -> int:
    """The first line of a block behind a statement that does something."""
    rest = list(block)[0 if before is None else list(block).index(before) + 1 :]
    busy = (one for one in rest if not _is_idle(one))
    return _begin(next(busy, rest[0]))


def _is_idle(statement: ast.stmt) -> bool:
    """Return whether a statement leaves no trace when it is run."""
    text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return text or isinstance(statement, (ast.Global, ast.Nonlocal))


def _caught_at(statement: ast.stmt, line: int) -> ast.ExceptHandler | None:
    handlers: list[ast.ExceptHandler] = getattr(statement, "handlers", [])
    return next((one for one in handlers if one.lineno <= line <= (one.end_lineno or one.lineno)), None)


def _handler(statement: ast.stmt, caught: ast.ExceptHandler) -> Awaited:
    body: list[ast.stmt] = getattr(statement, "body", [])
    names = _names(caught.type)
    found = (one for part in body for one in ast.walk(part) if isinstance(one, ast.expr | ast.stmt))
    likely = dict.fromkeys((one.lineno, _told(one)) for one in found if _may_raise(one, names))
    kinds = "" if caught.type is None else ast.unparse(caught.type)
    return Awaited(kinds, body[0].lineno, body[-1].end_lineno or 0, tuple(_outermost(likely)))


def _outermost(likely: Collection[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Expressions that are no part of another one in their line."""
    for line, told in likely:
        if not any(at == line and told != other and told in other for at, other in likely):
            yield line, told


_CAUSES: Final[dict[str, tuple[type[ast.AST], ...]]] = {
    "KeyError": (ast.Subscript,),
    "IndexError": (ast.Subscript,),
    "LookupError": (ast.Subscript,),
    "AttributeError": (ast.Attribute,),
    "ImportError": (ast.Import, ast.ImportFrom),
    "ModuleNotFoundError": (ast.Import, ast.ImportFrom),
    "ZeroDivisionError": (ast.BinOp,),
    "TypeError": (ast.BinOp, ast.Subscript, ast.Compare),
    "AssertionError": (ast.Assert,),
}
"""Syntax that raises an exception by itself; calls may raise any."""


def _names(kinds: ast.expr | None) -> frozenset[str]:
    parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    return frozenset(ast.unparse(part).rpartition(".")[2] for part in parts if part is not None)


def _may_raise(node: ast.expr | ast.stmt, names: frozenset[str]) -> bool:
    if isinstance(node, (ast.Call, ast.Raise)):
        return True
    stores = isinstance(getattr(node, "ctx", None), ast.Store)
    divides = not isinstance(node, ast.BinOp) or isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))
    known = any(isinstance(node, _CAUSES.get(name, ())) for name in names)
    return known and (divides or "TypeError" in names) and not (stores and "AttributeError" not in names)


def _told(node: ast.expr | ast.stmt) -> str:
    """An expression in one line, a call by what is called."""
    text = " ".join(ast.unparse(node).split())
    if isinstance(node, ast.Call) and len(text) > MOST_LETTERS:
        text = " ".join(ast.unparse(node.func).split()) + "(...)"
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 3] + "..."


MOST_LETTERS: Final = 60
"""Characters of one expression that are shown."""
