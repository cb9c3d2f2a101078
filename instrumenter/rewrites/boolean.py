"""Rewrites conditions: `if a and b` to `if truth(truth(a, 2) and truth(b, 3), 1)`.

Sites are numbered as they are met, the whole before its operands.
"""

from __future__ import annotations

from typing import Any, Final

import libcst as cst

from instrumenter.rewrites.base import Rewrite
from instrumenter.rewrites.emit import is_constant
from instrumenter.twin import SiteKind

_KINDS: Final[dict[type, SiteKind]] = {
    cst.If: SiteKind.IF,
    cst.While: SiteKind.WHILE,
    cst.Assert: SiteKind.ASSERT,
    cst.IfExp: SiteKind.TERNARY,
    cst.CompIf: SiteKind.COMPREHENSION,
}


class Boolean(Rewrite):
    """Conditions of statements, conditional expressions and comprehensions; `and` and `or` stay native."""

    def visit_If(self, node: Any) -> None:
        self.condition(node.test, _KINDS[type(node)])

    visit_While = visit_Assert = visit_IfExp = visit_CompIf = visit_If

    def visit_MatchCase(self, node: cst.MatchCase) -> None:
        if node.guard is not None:
            self.condition(node.guard, SiteKind.GUARD)

    def condition(self, node: cst.BaseExpression, kind: SiteKind) -> None:
        """Mark a condition, and what it consists of, as decided here.

        A constant stays bare, and so does the whole around one: CPython drops what can't be reached,
        and the twin must have the same lines.
        """
        if is_constant(node):
            return
        operand = kind is SiteKind.OPERAND
        if isinstance(node, cst.BooleanOperation):
            # As an operand its value is already that of its own operands: a real bool.
            if not operand and not is_constant(node.left) and not is_constant(node.right):
                self.wrap(node, "truth", kind)
            self.condition(node.left, SiteKind.OPERAND)
            self.condition(node.right, SiteKind.OPERAND)
        elif isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            if not operand:
                self.wrap(node, "truth", kind)
            self.condition(node.expression, SiteKind.OPERAND)
        elif isinstance(node, cst.IfExp):
            # CPython decides within either value, so that `(a or b) if c else d` asks `a` once.
            if not operand and not is_constant(node.body) and not is_constant(node.orelse):
                self.wrap(node, "truth", kind)
            self.condition(node.body, SiteKind.OPERAND)
            self.condition(node.orelse, SiteKind.OPERAND)
        else:
            self.wrap(node, "truth", kind)
