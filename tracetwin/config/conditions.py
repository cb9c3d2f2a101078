"""Preconditions: checked, taken apart into conditions that must all hold, and turned into twins."""

from __future__ import annotations

import ast
import builtins
import difflib
from collections.abc import Iterator, Sequence
from typing import Any

from tracetwin.config.schema import Precondition, Wrong
from tracetwin.support.errors import UnsupportedError


def check(precondition: Precondition, parameters: Sequence[str] | None) -> None:
    """Make sure that a condition can be evaluated.

    Args:
        precondition: what the user wrote.
        parameters: the names that it may use; None where they are not known.

    Raises:
        Wrong: it can't, with the end of a sentence that says why.
    """
    text = precondition.condition
    try:
        tree = ast.parse(text, mode="eval")
        compile(tree, "<assume>", "eval", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise Wrong(f"condition '{text}' is not a Python expression: {said}") from None
    if parameters is None:
        return
    for name in _free(tree):
        if name not in parameters and not hasattr(builtins, name):
            near = difflib.get_close_matches(name, parameters, n=1)
            meant = f"did you mean {near[0]}?" if near else f"it has {', '.join(parameters) or 'none'}"
            what = f"which is no parameter of {precondition.target}"
            raise Wrong(f"condition '{text}' names '{name}', {what}; {meant}")


def twins(precondition: Precondition, parameters: Sequence[str] | None) -> Iterator[list[Any]]:
    """For each part: target, text, names in it, source of a function `condition`, name of its interface.

    Raises:
        UnsupportedError: no twin can be made of it.
    """
    from instrumenter.transform import instrument

    tree = ast.parse(precondition.condition, mode="eval")
    for part in _parts(tree.body):
        names = [
            name for name in _free(part)
            if (name in parameters if parameters is not None else not hasattr(builtins, name))
        ]  # fmt: skip
        source = f"def condition({', '.join(names)}):\n    return {ast.unparse(part)}\n"
        twin = instrument(source, name="tracetwin.assumed", filename="<assume>")
        if twin.untouched:
            raise UnsupportedError(f"condition '{precondition.condition}': {twin.untouched}")
        yield [precondition.target, precondition.condition, names, twin.source, twin.prelude_name]


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """Return the conjuncts of a condition: each becomes one that the solver keeps, instead of a decision."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for value in node.values:
            yield from _parts(value)
    elif isinstance(node, ast.Compare) and all(_is_plain(inner) for inner in node.comparators[:-1]):
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            yield ast.Compare(left, [operator], [right])
            left = right
    else:
        yield node


def _is_plain(node: ast.expr) -> bool:
    """Return True if evaluating it twice has the same effect as evaluating it once."""
    return isinstance(node, (ast.Name, ast.Constant))


def _free(tree: ast.AST) -> list[str]:
    """The names that an expression takes from outside, in the order of the text."""
    every = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in every if not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names = [node for node in every if node.id not in bound]
    names.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(node.id for node in names))
