"""Conditions in the language of differences; each condition is read once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, TypeAlias

from runtime.expr import Node, Sort
from tracetwin.solving.arithmetic.differences import ZERO, Difference, read
from tracetwin.solving.arithmetic.forms import Bound, Forms

Hole: TypeAlias = "tuple[Hashable, Hashable, int]"

TEXTS: Final = (Sort.STR, Sort.BYTES)


class OrderCondition:
    """A condition on the order of two variables, or of one and a number.

    Attributes:
        limits: the bounds that it sets.
        hole: a difference that it excludes.
        dense: whether the variables are texts.
    """

    __slots__ = ("dense", "hole", "limits")

    def __init__(self, limits: list[Difference], hole: Hole | None = None, *, dense: bool = False) -> None:
        self.limits = limits
        self.hole = hole
        self.dense = dense


class Reader:
    """Reads conditions and leaves; remembers what it read."""

    def __init__(self) -> None:
        self.forms = Forms()
        self._orders: dict[Node, OrderCondition | None] = {}
        self._anchors: dict[Node, tuple[Node, int] | None] = {}

    def order(self, condition: Node) -> OrderCondition | None:
        """Return a condition as one on the order of variables, None where it is about something else."""
        try:
            return self._orders[condition]
        except KeyError:
            found = self._orders[condition] = self._order(condition)
            return found

    def bound(self, condition: Node) -> Bound | None:
        """Return a condition as one on a sum of variables, None where it is about something else."""
        bound = self.forms.bound(condition)
        if bound is None or any(atom.op != "var" for atom, _ in bound.weights):
            return None
        return bound

    def anchor(self, leaf: Node) -> tuple[Node, int] | None:
        """The variable that a leaf is, with what is added to it; None for any other expression."""
        try:
            return self._anchors[leaf]
        except KeyError:
            found = self._anchors[leaf] = self._anchor(leaf)
            return found

    def _anchor(self, leaf: Node) -> tuple[Node, int] | None:
        if leaf.op == "var":
            return None if leaf.sort is Sort.FLOAT else (leaf, 0)
        if leaf.sort is not Sort.INT:
            return None
        form = self.forms.of(leaf)
        if len(form.weights) != 1 or form.weights[0][1] != 1 or form.weights[0][0].op != "var":
            return None
        return form.weights[0][0], form.constant

    def _order(self, condition: Node) -> OrderCondition | None:
        if condition.op == "var" and condition.sort is Sort.BOOL:
            return OrderCondition([(ZERO, condition, -1), (condition, ZERO, 1)])
        if condition.op == "not" and condition.args[0].op == "var" and condition.args[0].sort is Sort.BOOL:
            return OrderCondition([(condition.args[0], ZERO, 0), (ZERO, condition.args[0], 0)])
        if len(condition.args) == 2 and condition.args[0].sort in TEXTS:
            return _order_of_texts(condition)
        bound = self.bound(condition)
        parts = None if bound is None else read(bound)
        return None if parts is None else OrderCondition(*parts)


def _order_of_texts(condition: Node) -> OrderCondition | None:
    one, other = condition.args
    if one.op != "var" or other.op != "var" or one.sort is not other.sort:
        return None
    limits: dict[str, list[Difference]] = {
        "lt": [(one, other, -1)],
        "le": [(one, other, 0)],
        "gt": [(other, one, -1)],
        "ge": [(other, one, 0)],
        "eq": [(one, other, 0), (other, one, 0)],
        "ne": [],
    }
    if condition.op not in limits:
        return None
    hole = (one, other, 0) if condition.op == "ne" else None
    return OrderCondition(limits[condition.op], hole, dense=True)
