"""Defaults of parameters that a call could change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tracetwin.analysis.sources import FunctionNode


def changeable_defaults(node: FunctionNode) -> tuple[str, ...]:
    """Return the parameters whose default may be changed in place: a list, a dict, an object.

    Those that begin with an underscore are left out: nobody is to pass them, and what they keep is meant.
    """
    return tuple(
        name for name, default in _defaults(node.args) if not (name.startswith("_") or _is_fixed(default))
    )


def _defaults(given: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    by_position = [*given.posonlyargs, *given.args]
    first = len(by_position) - len(given.defaults)
    yield from ((one.arg, default) for one, default in zip(by_position[first:], given.defaults, strict=True))
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    yield from ((one.arg, default) for one, default in pairs if default is not None)


def _is_fixed(default: ast.expr) -> bool:
    match default:
        case ast.Constant() | ast.Lambda() | ast.JoinedStr():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_fixed(operand)
        case ast.BinOp(left=left, right=right):
            return _is_fixed(left) and _is_fixed(right)
        case ast.Tuple(elts=parts):
            return all(map(_is_fixed, parts))
        case _:
            return False
