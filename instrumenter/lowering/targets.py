"""Literals, containers, operators, targets of assignments and `del` to nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from instrumenter.interface import AUGMENTED
from instrumenter.lowering.builder import Builder
from instrumenter.lowering.code import Const, Get, Item, Make, Operate, Reg, Set, SetItem, Store


class Targets(Builder):
    """Lowering of values made in place, and of what is stored to.

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
