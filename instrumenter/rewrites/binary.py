"""`a + b` to `add(a, b)`, `-a` to `neg(a)`, `not a` to `not_(a)`."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import BINARY, UNARY
from instrumenter.rewrites.base import Rewrite
from instrumenter.rewrites.emit import comma_like, is_constant, kept


class Binary(Rewrite):
    """Arithmetic, bit and unary operators; what CPython folds stays as it is."""

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        function = BINARY.get(type(updated_node.operator).__name__)
        if function is None or is_constant(updated_node):
            return updated_node
        return self.emit(
            function,
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
        gap = kept(updated_node.operator.whitespace_after)
        return self.emit(function, updated_node.expression, like=updated_node, before=gap)
