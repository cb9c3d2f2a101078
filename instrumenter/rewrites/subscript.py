"""Rewrites `a[i]` to `getitem(a, i)`, `a[i:j]` to `getitem(a, slice_(i, j, None))`, `del` to `delitem`."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import CONSTANT
from instrumenter.rewrites.base import Rewrite
from instrumenter.rewrites.emit import NO_GAP, comma, is_constant, is_number, kept

NONE = cst.Name("None")


class Subscript(Rewrite):
    """Loads and deletions; stores are `Assign`'s."""

    def visit_Del(self, node: cst.Del) -> None:
        self.store(node.target)

    def leave_Subscript(
        self, original_node: cst.Subscript, updated_node: cst.Subscript
    ) -> cst.BaseExpression:
        if id(original_node) in self.stores:
            return updated_node
        return self.access(self.reading(updated_node), updated_node)

    def reading(self, node: cst.Subscript) -> str:
        """Return the function for reading an item: a literal int or slice bounds can't be traced."""
        element = node.slice[0]
        if len(node.slice) > 1 or isinstance(element.comma, cst.Comma):
            return "getitem"
        part = element.slice
        if isinstance(part, cst.Slice):
            bounds = (part.lower, part.upper, part.step)
            literal = all(bound is None or is_constant(bound) for bound in bounds)
        else:
            literal = isinstance(part, cst.Index) and is_number(part.value)
        return CONSTANT["getitem"] if literal else "getitem"

    def leave_Del(self, original_node: cst.Del, updated_node: cst.Del) -> cst.BaseSmallStatement:
        target = updated_node.target
        if not isinstance(target, cst.Subscript):
            return updated_node
        return cst.Expr(self.access("delitem", target), semicolon=updated_node.semicolon)

    def access(self, function: str, node: cst.Subscript) -> cst.BaseExpression:
        """Return `function(object, key)` in place of a subscript."""
        separator = comma(node.whitespace_after_value, node.lbracket.whitespace_after)
        return self.emit(
            function,
            node.value,
            self.key(node),
            commas=(separator,),
            like=node,
            after=kept(node.rbracket.whitespace_before),
        )

    def key(self, node: cst.Subscript) -> cst.BaseExpression:
        """Return the argument of `__getitem__`: the index, a slice, or a tuple of these."""
        elements = node.slice
        single = len(elements) == 1 and not isinstance(elements[0].comma, cst.Comma)
        if single:
            part = elements[0].slice
            if isinstance(part, cst.Slice):
                return self.slice(part)
            if isinstance(part, cst.Index) and not part.star:
                return part.value
        return cst.Tuple(
            [self._element(element) for element in elements], lpar=[cst.LeftParen()], rpar=[cst.RightParen()]
        )

    def _element(self, element: cst.SubscriptElement) -> cst.BaseElement:
        part = element.slice
        if isinstance(part, cst.Slice):
            return cst.Element(self.slice(part), comma=element.comma)
        assert isinstance(part, cst.Index)
        if part.star:
            gap = part.whitespace_after_star or NO_GAP
            return cst.StarredElement(part.value, comma=element.comma, whitespace_before_value=gap)
        return cst.Element(part.value, comma=element.comma)

    def slice(self, part: cst.Slice) -> cst.BaseExpression:
        first = part.first_colon
        second = part.second_colon
        separators = [comma(first.whitespace_before, first.whitespace_after)]
        if isinstance(second, cst.Colon):
            separators.append(comma(second.whitespace_before, second.whitespace_after))
        return self.emit(
            "slice_",
            part.lower or NONE,
            part.upper or NONE,
            part.step or NONE,
            commas=tuple(separators),
        )
