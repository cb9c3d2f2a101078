"""Changes that leave out a part: an operand, the end of a slice, all rounds of a loop but the first.

What is left out changes nothing where the part is neutral: an amount of 0, a list of one item, a key that no
two items share. So they ask for inputs with several things that differ.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, Final

from tracetwin.mutation.operators import Change, is_text, may_go, shown

_LEAVING: Final = (ast.Return, ast.Raise, ast.Break, ast.Continue)

_EITHER: Final = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
"""Operators of which either operand may be left out; of the others only the right one."""

_NEARLY_LEFT_OUT: Final[dict[type[ast.operator], int]] = {
    ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.FloorDiv: 2,
}  # fmt: skip
"""Right operands that are left out already where they become one less."""


def omissions(node: ast.expr) -> Iterator[Change]:
    """Give the changes of one expression that leave out a part of it."""
    for kind, changes in _OF_EXPRESSIONS:
        if isinstance(node, kind):
            yield from changes(node)


def unguarded(node: ast.If) -> Iterator[Change]:
    """Give the changes of a condition without `else` that always, or never, holds: a guard that is forgotten.

    Where a single statement is guarded that may be left out itself, nothing is said of its never being run.
    """
    if node.orelse:
        return
    first, *more = node.body
    if not isinstance(node.body[-1], _LEAVING):
        yield Change("condition", f"`if {shown(node.test)}` is left out", ast.Constant(True))
    if more or not (may_go(first) or isinstance(first, (ast.Raise, ast.Break, ast.Continue))):
        yield Change("condition", f"what `if {shown(node.test)}` guards is left out", ast.Constant(False))


def first_round(node: ast.stmt) -> Change | None:
    """Return the change of a loop into one that ends after its first round; None for what is no loop."""
    if not isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        return None
    if isinstance(node.body[-1], _LEAVING):
        return None
    return Change("loop", "the loop ends after its first round", ast.Break())


def first_item(node: ast.comprehension) -> Change | None:
    """Return the change of what a comprehension walks over into its first item; None where that is async."""
    if node.is_async:
        return None
    # Never more than one is asked for: of an endless iterator there are no others to come to an end.
    pairs = ast.Call(
        ast.Name("zip", ast.Load()), [ast.Tuple([ast.Constant(0)], ast.Load()), node.iter], []
    )
    both = ast.Tuple([ast.Name("_", ast.Store()), ast.Name("_first", ast.Store())], ast.Store())
    first = ast.GeneratorExp(
        ast.Name("_first", ast.Load()), [ast.comprehension(both, pairs, ifs=[], is_async=0)]
    )
    return Change("loop", f"only the first of `{shown(node.iter)}` is taken", first)


def _becomes(node: ast.expr, new: ast.expr, operator: str) -> Change:
    return Change(operator, f"`{shown(node)}` becomes `{shown(new)}`", new)


def _of_operation(node: ast.BinOp) -> Iterator[Change]:
    if is_text(node.left) or is_text(node.right):
        return  # what formats or joins texts
    right = node.right.value if isinstance(node.right, ast.Constant) else None
    if right is None or right != _NEARLY_LEFT_OUT.get(type(node.op)):
        yield _becomes(node, node.left, "arithmetic")
    if isinstance(node.op, _EITHER) and right is None:
        yield _becomes(node, node.right, "arithmetic")


def _of_alternative(node: ast.IfExp) -> Iterator[Change]:
    yield _becomes(node, node.body, "condition")
    yield _becomes(node, node.orelse, "condition")


def _of_subscript(node: ast.Subscript) -> Iterator[Change]:
    part = node.slice
    if isinstance(part, ast.Slice) and (part.lower is not None or part.upper is not None):
        yield _becomes(node, node.value, "slice")
    others: dict[str, ast.expr] = {"0": ast.UnaryOp(ast.USub(), ast.Constant(1)), "-1": ast.Constant(0)}
    if (other := others.get(ast.unparse(part))) is not None:
        yield _becomes(node, ast.Subscript(node.value, other, ast.Load()), "slice")


def _of_key(node: ast.Lambda) -> Iterator[Change]:
    """A function that gives several values, as keys to sort by do, without one of them."""
    if isinstance(node.body, ast.Tuple):
        for place, one in enumerate(node.body.elts):
            rest = [*node.body.elts[:place], *node.body.elts[place + 1 :]]
            body = ast.Tuple(rest, ast.Load())
            yield Change("key", f"`{shown(one)}` is left out of `{shown(node)}`", ast.Lambda(node.args, body))


_OF_EXPRESSIONS: Final[tuple[tuple[type[ast.expr], Callable[[Any], Iterator[Change]]], ...]] = (
    (ast.BinOp, _of_operation),
    (ast.IfExp, _of_alternative),
    (ast.Subscript, _of_subscript),
    (ast.Lambda, _of_key),
)
