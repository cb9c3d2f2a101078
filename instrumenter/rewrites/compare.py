"""Rewrites `a < b` to `lt(a, b)`; a chain `a < b < c` to `(lt(a, b) and lt(b, c))`, `b` evaluated once."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import COMPARE, CONSTANT, DECIDED
from instrumenter.rewrites.base import Rewrite
from instrumenter.rewrites.emit import (
    SPACE,
    Emitted,
    comma_like,
    has_newline,
    is_constant,
    is_left_literal,
    parenthesized,
)
from instrumenter.twin import SiteKind

_LITERALS = (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.Ellipsis)


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
            return self._single(original_node, updated_node)
        return self._chain(original_node, updated_node)

    def _single(self, original: cst.Comparison, updated: cst.Comparison) -> cst.BaseExpression:
        link = updated.comparisons[0]
        wrap = self.wraps.get(id(original))
        site = wrap.site if wrap is not None and wrap.function == "truth" else None
        result = self._link(updated.left, link, link.comparator, like=updated, site=site)
        if self.is_decided(result):
            del self.wraps[id(original)]
        return result

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
            piece = self._decided(left, link, right, start) if in_condition else self._link(left, link, right)
            result = piece if result is None else _both(result, piece)
        assert result is not None
        chain = parenthesized(result)
        if updated.lpar:
            chain = result.with_changes(lpar=updated.lpar, rpar=updated.rpar)
        helpers = [first.target for first, _ in pairs if isinstance(first, cst.NamedExpr)]
        return _clearing(chain, helpers) if helpers else chain

    def _decided(
        self,
        left: cst.BaseExpression,
        link: cst.ComparisonTarget,
        right: cst.BaseExpression,
        start: cst.CSTNode,
    ) -> cst.BaseExpression:
        """Return a link of a chain in a condition."""
        site = self.site(start, SiteKind.OPERAND)
        result = self._link(left, link, right, site=site)
        if site is None or self.is_decided(result):
            return result
        return self.emit("truth", result, cst.Integer(str(self.base + site)))

    def _twice(self, middle: cst.BaseExpression) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
        """Return a middle operand to write first and again, None where it can't be evaluated once."""
        if is_constant(middle) or (isinstance(middle, cst.Name) and not self.in_class_body()):
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
        site: int | None = None,
    ) -> Emitted:
        """Return one comparison; with a site it is decided in the same call if a function can."""
        function = COMPARE[type(link.operator).__name__]
        values = [left, right]
        if _is_constant(function, left, right):
            function = CONSTANT[function]
        elif site is not None and function in DECIDED:
            function = DECIDED[function]
            values.append(cst.Integer(str(self.base + site)))
        return self.emit(function, *values, commas=(comma_like(link.operator),), like=like)


def _is_constant(function: str, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
    """Return whether a literal operand makes Python's own comparison ask a traced one first."""
    if function not in CONSTANT:
        return False
    if function in (COMPARE["Is"], COMPARE["IsNot"]):
        # A traced bool or small int is identical to its literal, though not the same object.
        return any(is_constant(node) and not _is_bool(node) and not _is_int(node) for node in (left, right))
    return is_constant(right) or is_left_literal(left)


def _is_bool(node: cst.BaseExpression) -> bool:
    return not isinstance(node, _LITERALS) and not (isinstance(node, cst.Name) and node.value == "None")


def _is_int(node: cst.BaseExpression) -> bool:
    return isinstance(node.expression if isinstance(node, cst.UnaryOperation) else node, cst.Integer)


def _is_known(operator: cst.BaseCompOp) -> bool:
    if isinstance(operator, (cst.NotIn, cst.IsNot)) and has_newline(operator.whitespace_between):
        return False
    return type(operator).__name__ in COMPARE


def _clearing(chain: cst.BaseExpression, helpers: list[cst.BaseExpression]) -> cst.BaseExpression:
    """Return `(chain, (_tt1 := None))[0]`: a helper holds its value no longer than the original does."""
    cleared = [parenthesized(cst.NamedExpr(helper, cst.Name("None"))) for helper in helpers]
    values = cst.Tuple([cst.Element(value) for value in (chain, *cleared)])
    return cst.Subscript(parenthesized(values), [cst.SubscriptElement(cst.Index(cst.Integer("0")))])


def _both(left: cst.BaseExpression, right: cst.BaseExpression) -> cst.BaseExpression:
    operator = cst.And(whitespace_before=SPACE, whitespace_after=SPACE)
    return cst.BooleanOperation(left=left, operator=operator, right=right)
