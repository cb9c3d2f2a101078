"""Lowers literals, containers, operators and names of attributes, of which expressions are built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from instrumenter.lowering.builder import Builder
from instrumenter.lowering.code import Const, Make, Operate, Reg


class Registers(Builder):
    """Nodes that give a value of their own.

    Attributes:
        mangle: the class whose private names are meant, "" outside of classes.
    """

    mangle: str = ""

    def value(self, node: cst.BaseExpression) -> Reg:
        """Lower an expression."""
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
        """A literal's register."""
        into = self.fresh()
        self.add(Const(into, value, kind))
        return into

    def make(self, kind: str, parts: tuple[Reg, ...], origin: Any = None) -> Reg:
        """A new container of parts, or (kind "") a value that may be any of them."""
        into = self.fresh()
        self.add(Make(into, kind, parts), origin)
        return into

    def operate(self, name: str, parts: tuple[Reg, ...], origin: Any) -> Reg:
        """An operator's result."""
        into = self.fresh()
        self.add(Operate(into, name, parts), origin)
        return into
