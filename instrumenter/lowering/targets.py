"""Targets of assignments and `del` to nodes."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import AUGMENTED
from instrumenter.lowering.code import Get, Item, Reg, Set, SetItem, Store
from instrumenter.lowering.registers import Registers


class Targets(Registers):
    """Lowering of what is stored to."""

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
        """`del` of a target."""
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
