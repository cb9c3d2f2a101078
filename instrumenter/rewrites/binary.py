"""Rewrites `a + b` to `add(a, b)`, `a + 1` to `add_const(a, 1)`, `-a` to `neg(a)`, `not a` to `not_(a)`."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import BINARY, CONSTANT, DECIDED, UNARY
from instrumenter.rewrites.base import Rewrite
from instrumenter.rewrites.emit import Emitted, comma_like, is_constant, is_left_literal, kept


class Binary(Rewrite):
    """Arithmetic, bit and unary operators; what CPython folds stays as it is."""

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        function = BINARY.get(type(updated_node.operator).__name__)
        if function is None or is_constant(updated_node):
            return updated_node
        return self.emit(
            operator_for(function, updated_node.left, updated_node.right),
            updated_node.left,
            updated_node.right,
            commas=(comma_like(updated_node.operator),),
            like=updated_node,
        )

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        function = UNARY.get(type(updated_node.operator).__name__)
        if function is None or is_constant(updated_node):
            return updated_node
        if function == UNARY["Not"] and isinstance(updated_node.expression, Emitted):
            return self._not(original_node, updated_node, updated_node.expression)
        gap = kept(updated_node.operator.whitespace_after)
        return self.emit(function, updated_node.expression, like=updated_node, before=gap)

    def _not(
        self, original: cst.UnaryOperation, updated: cst.UnaryOperation, operand: Emitted
    ) -> cst.BaseExpression:
        """Return `not a`; of a decided operand it is Python's own, or decided in the same call."""
        gap = kept(updated.operator.whitespace_after)
        if not self.is_decided(operand):
            return self.emit(UNARY["Not"], operand, like=updated, before=gap)
        wrap = self.wraps.get(id(original))
        if wrap is None or wrap.site is None or not self.calls(operand, "truth"):
            return updated
        del self.wraps[id(original)]
        value, site = operand.args
        outer = cst.Integer(str(self.base + wrap.site))
        return self.emit(DECIDED[UNARY["Not"]], value.value, site.value, outer, like=updated, before=gap)


def operator_for(function: str, left: cst.BaseExpression, right: cst.BaseExpression) -> str:
    """Return the function for an operator with these operands: itself, or the one for literals."""
    if is_constant(right) or (is_left_literal(left) and function != BINARY["Modulo"]):
        return CONSTANT.get(function, function)
    return function
