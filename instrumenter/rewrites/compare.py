"""`a < b` to `lt(a, b)`; a chain `a < b < c` to `(lt(a, b) and lt(b, c))` with `b` evaluated once."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import COMPARE
from instrumenter.rewrites.base import Rewrite
from instrumenter.rewrites.emit import (
    SPACE,
    Emitted,
    comma_like,
    has_newline,
    is_constant,
    parenthesized,
)
from instrumenter.twin import SiteKind


class Compare(Rewrite):
    """Comparisons, identity and membership tests."""

    def leave_Comparison(
        self, original_node: cst.Comparison, updated_node: cst.Comparison
    ) -> cst.BaseExpression:
        links = updated_node.comparisons
        if is_constant(updated_node) or not all(_is_known(link.operator) for link in links):
            self.leave_chain(original_node)
            return updated_node
        if len(links) == 1:
            return self._link(updated_node.left, links[0], links[0].comparator, like=updated_node)
        return self._chain(original_node, updated_node)

    def _chain(self, original: cst.Comparison, updated: cst.Comparison) -> cst.BaseExpression:
        middles = [self._twice(link.comparator) for link in updated.comparisons[:-1]]
        pairs = [pair for pair in middles if pair is not None]
        if len(pairs) < len(middles):
            self.leave_chain(original)
            return updated
        firsts = [first for first, _ in pairs] + [updated.comparisons[-1].comparator]
        lefts = [updated.left] + [again for _, again in pairs]
        in_condition = id(original) in self.wraps
        starts = [original.left] + [link.comparator for link in original.comparisons]
        result: cst.BaseExpression | None = None
        for left, link, right, start in zip(lefts, updated.comparisons, firsts, starts, strict=False):
            piece: cst.BaseExpression = self._link(left, link, right)
            if in_condition:
                piece = self._decided(piece, start)
            result = piece if result is None else _both(result, piece)
        assert result is not None
        if updated.lpar:
            return result.with_changes(lpar=updated.lpar, rpar=updated.rpar)
        return parenthesized(result)

    def _decided(self, piece: cst.BaseExpression, start: cst.CSTNode) -> cst.BaseExpression:
        site = self.site(start, SiteKind.OPERAND)
        if site is None:
            return piece
        return self.emit("truth", piece, cst.Integer(str(self.base + site)))

    def _twice(self, middle: cst.BaseExpression) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
        """How to write a middle operand first and again, None where it can't be evaluated once."""
        if isinstance(middle, cst.Name) or is_constant(middle):
            again = middle.with_changes(lpar=(), rpar=()) if self.spans_lines(middle) else middle
            return None if self.spans_lines(again) else (middle, again)
        helper = self.helper()
        if helper is None:
            return None
        return parenthesized(cst.NamedExpr(cst.Name(helper), middle)), cst.Name(helper)

    def _link(
        self,
        left: cst.BaseExpression,
        link: cst.ComparisonTarget,
        right: cst.BaseExpression,
        like: cst.BaseExpression | None = None,
    ) -> Emitted:
        operator = link.operator
        function = COMPARE[type(operator).__name__]
        return self.emit(function, left, right, commas=(comma_like(operator),), like=like)


def _is_known(operator: cst.BaseCompOp) -> bool:
    if isinstance(operator, (cst.NotIn, cst.IsNot)) and has_newline(operator.whitespace_between):
        return False
    return type(operator).__name__ in COMPARE


def _both(left: cst.BaseExpression, right: cst.BaseExpression) -> cst.BaseExpression:
    operator = cst.And(whitespace_before=SPACE, whitespace_after=SPACE)
    return cst.BooleanOperation(left=left, operator=operator, right=right)
