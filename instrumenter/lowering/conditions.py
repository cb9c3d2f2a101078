"""Conditions to nodes: short circuits, and what a test of a class says of a variable."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import COMPARE
from instrumenter.lowering.builder import Edge
from instrumenter.lowering.code import Narrow, Reg
from instrumenter.lowering.targets import Targets


class ConditionLowering(Targets):
    """Lowering of what decides."""

    def branching(self, node: cst.BaseExpression) -> Reg:
        """`a and b`, `a or b`, chains of comparisons: the paths part, and what is left is unknown."""
        if isinstance(node, cst.BooleanOperation):
            left = self.value(node.left)
            true, false = self.decide(left, node.left)
            self.open, shortcut = (true, false) if isinstance(node.operator, cst.And) else (false, true)
            right = self.value(node.right)
            self.open += shortcut
            return self.make("", (left, right))
        assert isinstance(node, cst.Comparison)
        left = self.value(node.left)
        results: list[Reg] = []
        shortcuts: list[Edge] = []
        for index, target in enumerate(node.comparisons):
            if index:
                self.open, missed = self.decide(results[-1], node)
                shortcuts += missed
            right = self.value(target.comparator)
            results.append(self.operate(COMPARE[type(target.operator).__name__], (left, right), node))
            left = right
        self.open += shortcuts
        return results[0] if len(results) == 1 else self.make("", tuple(results))

    def condition(self, node: cst.BaseExpression) -> tuple[list[Edge], list[Edge]]:
        """Lower a condition: the edges on which it is true, and those on which it is false."""
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            true, false = self.condition(node.expression)
            return false, true
        if isinstance(node, cst.BooleanOperation):
            true, false = self.condition(node.left)
            conjunction = isinstance(node.operator, cst.And)
            self.open = true if conjunction else false
            kept = dict(self.narrowed)
            self.narrow(node.left, conjunction)
            second_true, second_false = self.condition(node.right)
            self.narrowed = kept
            if conjunction:
                return second_true, false + second_false
            return true + second_true, second_false
        if isinstance(node, cst.Comparison) and len(node.comparisons) > 1:
            return self.decide(self.branching(node), node)
        if isinstance(node, cst.Name) and node.value in {"True", "False"}:
            taken, self.open = self.open, []
            return (taken, []) if node.value == "True" else ([], taken)
        return self.decide(self.value(node), node)

    def narrow(self, node: cst.BaseExpression, truth: bool) -> None:
        """From here on a variable is known to have a class, if the condition tested that."""
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            self.narrow(node.expression, not truth)
        elif isinstance(node, cst.BooleanOperation) and truth == isinstance(node.operator, cst.And):
            self.narrow(node.left, truth)
            self.narrow(node.right, truth)
        elif (
            truth and isinstance(node, cst.Call) and len(node.args) == 2 and is_name(node.func, "isinstance")
        ):
            self._instance(node.args[0].value, node.args[1].value)

    def _instance(self, node: cst.BaseExpression, kinds: cst.BaseExpression) -> None:
        if not isinstance(node, cst.Name):
            return
        known = [e.value for e in kinds.elements] if isinstance(kinds, cst.Tuple) else [kinds]
        source = self.read(node.value)
        into = self.fresh()
        self.add(Narrow(into, source, self.values(known)))
        self.narrowed[node.value] = into

    def either(self, node: cst.IfExp) -> Reg:
        true, false = self.condition(node.test)
        kept = dict(self.narrowed)
        self.open = true
        self.narrow(node.test, truth=True)
        first = self.value(node.body)
        true, self.open, self.narrowed = self.open, false, dict(kept)
        second = self.value(node.orelse)
        self.open += true
        self.narrowed = kept
        return self.make("", (first, second))


def is_name(node: cst.BaseExpression, name: str) -> bool:
    """Return whether an expression is just this name."""
    return isinstance(node, cst.Name) and node.value == name
