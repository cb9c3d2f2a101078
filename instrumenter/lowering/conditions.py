"""Values made in place, targets of assignments and conditions to nodes: what all statements need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from instrumenter.interface import AUGMENTED, COMPARE
from instrumenter.lowering.builder import Builder, Edge
from instrumenter.lowering.code import Const, Get, Item, Make, Narrow, Operate, Reg, Set, SetItem, Store


class ConditionLowering(Builder):
    """Lowering of values made in place, of what is stored to, and of what decides.

    Attributes:
        mangle: the class whose private names are meant, "" outside of classes.
    """

    mangle: str = ""

    def value(self, node: cst.BaseExpression) -> Reg:
        raise NotImplementedError

    def key(self, node: cst.Subscript) -> Reg:
        """Lower what stands between the brackets."""
        raise NotImplementedError

    def attribute(self, name: str) -> str:
        """An attribute's name as it is stored: private names carry their class."""
        if self.mangle and name.startswith("__") and not name.endswith("__"):
            return f"_{self.mangle}{name}"
        return name

    def values(self, nodes: Sequence[cst.BaseExpression]) -> tuple[Reg, ...]:
        """Lower several, in order."""
        return tuple(self.value(node) for node in nodes)

    def const(self, value: Any, kind: str) -> Reg:
        into = self.fresh()
        self.add(Const(into, value, kind))
        return into

    def make(self, kind: str, parts: tuple[Reg, ...], origin: Any = None) -> Reg:
        """A new container of parts, or (kind "") a value that may be any of them."""
        into = self.fresh()
        self.add(Make(into, kind, parts), origin)
        return into

    def operate(self, name: str, parts: tuple[Reg, ...], origin: Any) -> Reg:
        into = self.fresh()
        self.add(Operate(into, name, parts), origin)
        return into

    def assign(self, target: cst.BaseExpression, source: Reg) -> None:
        """Store a value where a target says."""
        if isinstance(target, cst.Name):
            self.write(self.attribute(target.value), source, target)
        elif isinstance(target, cst.Attribute):
            self.add(Set(self.value(target.value), self.attribute(target.attr.value), source), target)
        elif isinstance(target, cst.Subscript):
            self.add(SetItem(self.value(target.value), self.key(target), source), target)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for place, element in enumerate(target.elements):
                self._unpack(element, source, place)
        elif isinstance(target, cst.StarredElement):
            self.assign(target.value, source)

    def _unpack(self, element: cst.BaseElement, source: Reg, place: int) -> None:
        into = self.fresh()
        self.add(Item(into, source, self.const(place, "int")), element)
        starred = isinstance(element, cst.StarredElement)
        self.assign(element.value, self.make("list", (into,)) if starred else into)

    def augment(self, node: cst.AugAssign) -> None:
        """`a += b`: a use and then a definition."""
        target, name = node.target, AUGMENTED[type(node.operator).__name__]
        if isinstance(target, cst.Attribute):
            base, attribute = self.value(target.value), self.attribute(target.attr.value)
            old = self.fresh()
            self.add(Get(old, base, attribute), target)
            self.add(Set(base, attribute, self.operate(name, (old, self.value(node.value)), node)), target)
        elif isinstance(target, cst.Subscript):
            base, key = self.value(target.value), self.key(target)
            old = self.fresh()
            self.add(Item(old, base, key), target)
            self.add(SetItem(base, key, self.operate(name, (old, self.value(node.value)), node)), target)
        else:
            value = self.value(target)
            self.assign(target, self.operate(name, (value, self.value(node.value)), node))

    def delete(self, target: cst.BaseExpression) -> None:
        if isinstance(target, cst.Name):
            self.add(Store(self.attribute(target.value), None), target)
            self.function.variables |= {self.attribute(target.value)} - self.outer
        elif isinstance(target, cst.Attribute):
            self.add(Set(self.value(target.value), self.attribute(target.attr.value), None), target)
        elif isinstance(target, cst.Subscript):
            self.add(SetItem(self.value(target.value), self.key(target), None), target)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                self.delete(element.value)

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
