"""Questions about order, answered along a path without a solver.

What the conditions of a path say of differences is taken in one after the other. Where a goal is about a
difference too, either it contradicts them, or values for it are read off: as near to the last ones as
possible, so that a condition of another kind is only in doubt where one of its own values had to change.
"""

from __future__ import annotations

from collections.abc import Mapping

from runtime.expr import Node, Sort
from tracetwin.solving.answers import Sat, Unsat
from tracetwin.solving.arithmetic.differences import Differences
from tracetwin.solving.arithmetic.ordering import Reader

NAME = "order"
"""The origin that is named in a model of ours."""


class PathOrder:
    """The order that the conditions of one path make."""

    __slots__ = ("_ints", "_others", "_reader", "_texts")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._ints = Differences()
        self._texts = Differences(dense=True)
        self._others: frozenset[str] = frozenset()

    def copy(self) -> PathOrder:
        """One that goes its own way from here."""
        other = PathOrder(self._reader)
        other._ints, other._texts = self._ints.copy(), self._texts.copy()
        other._others = self._others
        return other

    def take(self, condition: Node) -> None:
        """Take in a condition of the path."""
        order = self._reader.order(condition)
        if order is None:
            self._others |= condition.names
            return
        table = self._texts if order.dense else self._ints
        for one, other, limit in order.limits:
            table.add(one, other, limit)
        if order.hole is not None:
            table.exclude(*order.hole)
        if order.dense:
            self._others |= condition.names  # no values are read off for texts

    def solve(self, goal: Node, current: Mapping[str, object]) -> Sat | Unsat | None:
        """Values for which the conditions and the goal hold, a proof that there are none, or neither."""
        if self._reader.order(goal) is None:
            return None
        further = self.copy()
        further.take(goal)
        if not (further._ints.consistent and further._texts.consistent):  # noqa: SLF001
            return Unsat()
        return further._model(goal.names - self._others, current)  # noqa: SLF001

    def _model(self, wanted: frozenset[str], current: Mapping[str, object]) -> Sat | None:
        if not wanted:
            return None
        names = self._ints.names[1:]
        wished: dict[object, int] = {}
        for name in names:
            assert isinstance(name, Node)
            value = current.get(str(name.data))
            wished[name] = value if isinstance(value, int) else 0
        found = self._ints.model(wished)
        if found is None:
            return None
        changes: dict[str, object] = {}
        for name, number in found.items():
            assert isinstance(name, Node)
            if number != wished[name] or str(name.data) not in current:
                changes[str(name.data)] = bool(number) if name.sort is Sort.BOOL else number
        if not self._others.isdisjoint(changes):
            return None
        return Sat({**current, **changes}, NAME)
