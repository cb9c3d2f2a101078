"""Puts a twin's operations into the original's own syntax tree, so that every position is the original's.

Original and twin text are parsed and walked side by side. What both have stays the original's node; what the
twin adds is put in its place and given a position, such that tracebacks show the same lines and columns,
and running it visits the same lines in the same order.
"""

from __future__ import annotations

import ast

from instrumenter.relocation.calls import CallRelocation
from instrumenter.relocation.conditions import ConditionRelocation
from instrumenter.relocation.stores import Stores
from instrumenter.relocation.walk import MismatchError

__all__ = ["MismatchError", "relocate"]


def relocate(original: ast.Module, twin: ast.Module, prelude: str) -> ast.Module:
    """Return the original's tree with the twin's operations in it; both trees are used up.

    Raises:
        MismatchError: the trees do not belong together.
    """
    return _Relocator(prelude, original).node(original, twin)  # type: ignore[no-any-return]


class _Relocator(CallRelocation, ConditionRelocation, Stores):
    """The whole walk."""

    def __init__(self, prelude: str, module: ast.Module) -> None:
        super().__init__(prelude, module)
        self.replaced |= {ast.JoinedStr: self.fstring, ast.FormattedValue: self.field}
        self.special |= {
            ast.Call: self.call,
            ast.AugAssign: self.augmented,
            ast.ClassDef: self.class_body,
            ast.Assign: self.assign,
            ast.Delete: self.delete,
            ast.Compare: self.compare,
            ast.If: self.decision,
            ast.While: self.decision,
            ast.Assert: self.assertion,
            ast.IfExp: self.conditional,
            ast.ListComp: self.comprehension,
            ast.SetComp: self.comprehension,
            ast.DictComp: self.comprehension,
            ast.GeneratorExp: self.comprehension,
            ast.match_case: self.case,
        }
