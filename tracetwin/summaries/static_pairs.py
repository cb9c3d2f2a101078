"""The definition-use pairs of a class, from the text of its module."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from tracetwin.modules import read_source
from tracetwin.summaries.pairs import Pair, Spot

if TYPE_CHECKING:
    from tracetwin.targets import TargetModule


def pairs_of(module: TargetModule, name: str) -> list[Pair]:
    """The pairs of the class called `name`, in the order of the table."""
    from instrumenter.flow.analyse import facts_of

    source = read_source(module)
    found = facts_of(source, module.name).pairs.get(name, ())
    unseen = _class_level_lines(ast.parse(source))
    return [
        Pair(
            pair.number, pair.attribute, _spot(pair.define), _spot(pair.use), pair.feasible, pair.why,
            pair.define.line in unseen,
        )
        for pair in found
    ]  # fmt: skip


def _class_level_lines(tree: ast.Module) -> frozenset[int]:
    """The lines of assignments in the bodies of classes."""
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return frozenset(
        item.lineno for body in bodies for item in body if isinstance(item, (ast.Assign, ast.AnnAssign))
    )


def _spot(point: Any) -> Spot:
    return Spot(point.method, point.line, point.column)
