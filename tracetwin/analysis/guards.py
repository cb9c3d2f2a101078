"""Guards: which conditions must have had which outcome for a line to run, from the syntax alone."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Guard:
    """A line runs only when the condition at `line` had `outcome`; `EXCEPTION`: when one was raised."""

    line: int
    outcome: int


EXCEPTION = -1


def guards_of(tree: ast.AST, line: int) -> list[Guard]:
    """The guards of a line, outermost first."""
    guards: list[Guard] = []
    block: list[ast.stmt] | None = getattr(tree, "body", [])
    while block is not None:  # a chain of ``elif`` is as deep as it is long
        statement = _holding(block, line, guards)
        block = None if statement is None else _entered(statement, line, guards)
    return guards


def _holding(block: Iterable[ast.stmt], line: int, guards: list[Guard]) -> ast.stmt | None:
    """The statement of a block that holds a line; notes what those before it must have done."""
    before: list[Guard] = []
    for statement in block:
        first = min([statement.lineno, *[d.lineno for d in getattr(statement, "decorator_list", [])]])
        if first <= line <= (statement.end_lineno or first):
            guards += before
            return statement
        if found := leaving(statement):
            before.append(found)
    return None


def leaving(statement: ast.stmt) -> Guard | None:
    """Return the outcome that an earlier ``if`` must have had, when one of its sides leaves the block."""
    if isinstance(statement, ast.If):
        if statement.body and _leaves(statement.body[-1]):
            return Guard(statement.test.lineno, 0)
        if statement.orelse and _leaves(statement.orelse[-1]):
            return Guard(statement.test.lineno, 1)
    if isinstance(statement, ast.Assert):
        return Guard(statement.test.lineno, 1)
    if isinstance(statement, ast.While):
        return Guard(statement.test.lineno, 0)
    return None


def _leaves(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _entered(statement: ast.stmt, line: int, guards: list[Guard]) -> list[ast.stmt] | None:
    """The block of a compound statement that holds a line; notes what must hold for it to run."""
    for guard, block in blocks(statement):
        if within(block, line):
            guards += [] if guard is None else [guard]
            return block
    return None


def blocks(statement: ast.stmt) -> Iterator[tuple[Guard | None, list[ast.stmt]]]:
    """Yield the blocks of a compound statement, each with what must hold for it to run."""
    decided = getattr(statement, "test", None) or getattr(statement, "iter", None)
    if isinstance(statement, (ast.If, ast.While, ast.For, ast.AsyncFor)) and decided is not None:
        yield Guard(decided.lineno, 1), statement.body
        yield Guard(decided.lineno, 0), statement.orelse
        return
    for handler in getattr(statement, "handlers", []):
        yield Guard(statement.lineno, EXCEPTION), handler.body
    for case in getattr(statement, "cases", []):
        yield Guard(case.pattern.lineno, 1), case.body
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield None, block


def within(block: list[ast.stmt], line: int) -> bool:
    """Return whether a line is one of a block's."""
    return bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or block[-1].lineno)


def block_start(block: list[ast.stmt]) -> int:
    """Return the first line of a block, decorators included."""
    decorators: list[ast.expr] = getattr(block[0], "decorator_list", [])
    return min([block[0].lineno, *(part.lineno for part in decorators)])
