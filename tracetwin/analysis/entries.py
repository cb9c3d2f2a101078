"""The way in to lines that nothing runs: what runs last before them, and what would have to happen there.

Exceptions that a handler waits for, and what may raise them.
"""

from __future__ import annotations

import ast
import functools
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeGuard

from tracetwin.analysis.guards import EXCEPTION, Guard, block_start
from tracetwin.support.data import dataclass

Definition = ast.FunctionDef | ast.AsyncFunctionDef
Part = ast.stmt | ast.ExceptHandler | ast.match_case
"""A statement, or a part of one that has a line of its own."""


@dataclass(frozen=True)
class WayIn:
    """A way in to lines that nothing runs.

    Attributes:
        line: the first of them.
        guard: what must happen right before, None where no condition stands there.
        after: the line of the last statement before that is run, 0 where the function is not entered at all.
        handler: what catches an exception there, None for others.
        last: the last line of that statement, or of the head of one with blocks.
    """

    line: int
    guard: Guard | None
    after: int
    handler: Awaited | None = None
    last: int = 0


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
    """Return the shortest way in to a line of a function, None for one that is passed, or that is no code."""
    return next(iter(ways_in(function, line, passed)), None)


def ways_in(function: Definition, line: int, passed: Collection[int]) -> list[WayIn]:
    """Return the ways in to a line of a function, short ones first; none for one that is passed.

    Args:
        function: around the line.
        line: the one that nothing runs.
        passed: lines that are run.
    """
    flow = _flow_of(function)
    part = flow.at(line)
    if part is None or _runs(part, passed):
        return []
    waiting, seen = deque([part]), {part}
    found: dict[WayIn, None] = {}
    while waiting:
        here = waiting.popleft()
        for edge in flow.into[here]:
            if edge.start is None or _runs(edge.start, passed):
                found[_way(edge, here)] = None
            elif edge.start not in seen:
                seen.add(edge.start)
                waiting.append(edge.start)
    return list(found)


def _way(edge: _Edge, to: Part) -> WayIn:
    caught = None if edge.tried is None or edge.caught is None else _handler(edge.tried, edge.caught)
    if edge.start is None:
        return WayIn(_begin(to), None, 0)
    return WayIn(_begin(to), edge.guard, _line(edge.start), caught, _end(edge.start))


@dataclass(frozen=True)
class _Edge:
    """A way on from a part of a function.

    Attributes:
        start: that part, None for a call of the function.
        guard: what decides that it is gone.
        tried: the statement in which an exception makes it be gone.
        caught: the handler of that.
    """

    start: Part | None
    guard: Guard | None = None
    tried: ast.Try | None = None
    caught: ast.ExceptHandler | None = None


class _Flow:
    """The parts of a function, and the ways from each to others; of exceptions only those to handlers.

    Attributes:
        into: the ways to each part, in the order of the text.
    """

    def __init__(self, function: Definition) -> None:
        self.into: dict[Part, list[_Edge]] = {}
        self._loops: list[tuple[ast.stmt, list[_Edge]]] = []
        self._block(function.body, [_Edge(None)])

    def at(self, line: int) -> Part | None:
        """Return the innermost part that a line is in, None for none."""
        around = (part for part in self.into if _begin(part) <= line <= _end(part))
        return max(around, key=_begin, default=None)

    def _block(self, body: Sequence[ast.stmt], ends: list[_Edge]) -> list[_Edge]:
        """Take in some statements, and return the ways on from the last."""
        for statement in body:
            if not _is_idle(statement):
                ends = self._statement(statement, ends)
        return ends

    def _enter(self, part: Part, ends: list[_Edge]) -> None:
        self.into.setdefault(part, []).extend(ends)

    def _statement(self, node: ast.stmt, ends: list[_Edge]) -> list[_Edge]:
        self._enter(node, ends)
        if isinstance(node, ast.If):
            at = node.test.lineno
            inside = self._block(node.body, [_Edge(node, Guard(at, 1))])
            return inside + self._block(node.orelse, [_Edge(node, Guard(at, 0))])
        if isinstance(node, (ast.While, ast.For, ast.AsyncFor)):
            return self._loop(node)
        if isinstance(node, (ast.With, ast.AsyncWith, ast.ClassDef)):
            return self._block(node.body, [_Edge(node)])
        if isinstance(node, ast.Match):
            return self._match(node)
        if _is_try(node):
            return self._try(node)
        return self._simple(node)

    def _simple(self, node: ast.stmt) -> list[_Edge]:
        if isinstance(node, ast.Break) and self._loops:
            self._loops[-1][1].append(_Edge(node))
        elif isinstance(node, ast.Continue) and self._loops:
            self._enter(self._loops[-1][0], [_Edge(node)])
        elif isinstance(node, ast.Assert):
            return [_Edge(node, Guard(node.test.lineno, 1))]
        return [] if isinstance(node, (ast.Return, ast.Raise, ast.Break, ast.Continue)) else [_Edge(node)]

    def _loop(self, node: ast.While | ast.For | ast.AsyncFor) -> list[_Edge]:
        decided = node.test if isinstance(node, ast.While) else node.iter
        broken: list[_Edge] = []
        self._loops.append((node, broken))
        self._enter(node, self._block(node.body, [_Edge(node, Guard(decided.lineno, 1))]))
        self._loops.pop()
        endless = isinstance(decided, ast.Constant) and bool(decided.value) and isinstance(node, ast.While)
        return self._block(node.orelse, [] if endless else [_Edge(node, Guard(decided.lineno, 0))]) + broken

    def _try(self, node: ast.Try) -> list[_Edge]:
        ends = self._block(node.orelse, self._block(node.body, [_Edge(node)]))
        failed = Guard(node.lineno, EXCEPTION)
        for caught in node.handlers:
            self._enter(caught, [_Edge(node, failed, node, caught)])
            ends += self._block(caught.body, [_Edge(caught, failed, node, caught)])
        if not node.finalbody:
            return ends
        leaving = self._block(node.finalbody, ends or [_Edge(node)])
        return leaving if ends else []

    def _match(self, node: ast.Match) -> list[_Edge]:
        ends: list[_Edge] = []
        waiting = [_Edge(node)]
        for case in node.cases:
            at = case.pattern.lineno
            self._enter(case, waiting)
            ends += self._block(case.body, [_Edge(case, Guard(at, 1))])
            always = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            waiting = [] if always and case.guard is None else [_Edge(case, Guard(at, 0))]
        return ends + waiting


@functools.lru_cache(maxsize=64)
def _flow_of(function: Definition) -> _Flow:
    return _Flow(function)


def _is_try(node: Part) -> TypeGuard[ast.Try]:
    return isinstance(node, (ast.Try, getattr(ast, "TryStar", ast.Try)))


def _line(part: Part) -> int:
    return part.pattern.lineno if isinstance(part, ast.match_case) else part.lineno


def _begin(part: Part) -> int:
    marks: list[ast.expr] = getattr(part, "decorator_list", [])
    return min([_line(part), *(mark.lineno for mark in marks)])


def _end(part: Part) -> int:
    """The last line of a part, without the blocks in it."""
    if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return part.lineno
    body: list[ast.stmt] = getattr(part, "body", [])
    if body:
        return max(_line(part), block_start(body) - 1)
    return _line(part) if isinstance(part, (ast.Match, ast.match_case)) else part.end_lineno or part.lineno


def _runs(part: Part, passed: Collection[int]) -> bool:
    last = (part.end_lineno or part.lineno) if _is_try(part) else _end(part)
    return any(at in passed for at in range(_begin(part), last + 1))


def _is_idle(statement: ast.stmt) -> bool:
    """Return whether a statement leaves no trace when it is run."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return text or isinstance(statement, (ast.Global, ast.Nonlocal))


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
