"""Variables of a function that it asks for keys, given a name by which each is followed as a parameter is."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Final

from tracetwin.analysis.sources import FunctionNode, walk

FOLLOWED: Final = "looked into"
"""The name that one gets; none of a program is like that."""

MOST_VARIABLES: Final = 8
"""Variables of one function that are followed."""


class _Named(ast.NodeTransformer):
    """Puts the name in the place of every use of a variable."""

    def __init__(self, variable: str) -> None:
        self._variable = variable

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id != self._variable or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Name(FOLLOWED, ast.Load()), node)


def looked_into(node: FunctionNode) -> Iterator[FunctionNode]:
    """Give a function once for each of its variables that it asks for keys, which has the name there."""
    taken = {item.arg for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    names = dict.fromkeys(
        part.value.id
        for part in walk(node)
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and _is_key(part.slice)
    )
    for name in [name for name in names if name not in taken][:MOST_VARIABLES]:
        yield _Named(name).visit(copy.deepcopy(node))


def _is_key(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and isinstance(part.value, str)
