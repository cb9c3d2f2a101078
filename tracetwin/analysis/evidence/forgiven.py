"""Evidence from handlers: what the code tries with a value although it may be of a type that can't do it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from tracetwin.analysis.misuse import clumsy_of


def forgiven(node: ast.Try) -> Iterator[ast.expr]:
    """Yield the operands that raise what a handler catches where they are of another type."""
    kinds = frozenset(kind for handler in node.handlers for kind in clumsy_of(handler))
    for statement in node.body if kinds else ():
        for part in ast.walk(statement):
            if "AttributeError" in kinds and isinstance(part, ast.Attribute):
                yield part.value
            if "TypeError" in kinds:
                yield from _operands(part)


def _operands(part: ast.AST) -> Iterator[ast.expr]:
    """Yield what an expression or a loop takes for given to be of a type that can do it."""
    match part:
        case ast.Call(ast.Name(name), [argument, *_]) if hasattr(builtins, name):
            yield argument
        case ast.Call(ast.Name() as called):
            yield called
        case ast.For(iter=operand) | ast.comprehension(iter=operand) | ast.Subscript(value=operand):
            yield operand
        case ast.BinOp(left, _, right) | ast.Compare(left, [ast.Lt() | ast.Gt()], [right]):
            yield from (left, right)
        case _:
            return
