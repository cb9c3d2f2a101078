"""Order: comparisons of arguments with each other and with numbers, refuted or met without a solver."""

from __future__ import annotations

from tracetwin.solving.answers import Answer, Unknown
from tracetwin.solving.arithmetic.ordering import Reader
from tracetwin.solving.arithmetic.path_order import NAME, PathOrder
from tracetwin.solving.task import Stage, Task


class Order(Stage):
    """The stage: it reads the conditions as differences, of which the closure is exact over ints.

    Conditions of another kind are left out. What the rest refutes is refuted; values are given only if those
    that the other conditions speak of need not change.
    """

    name = NAME

    def __init__(self) -> None:
        self._reader = Reader()

    def attempt(self, task: Task) -> Answer:
        """Close what the conditions say, and see whether the goal fits in."""
        if self._reader.order(task.goal) is None:
            return Unknown("not about order")
        order = PathOrder(self._reader)
        for condition in task.conditions:
            order.take(condition)
        return order.solve(task.goal, task.current) or Unknown("not about order alone")

    def forget(self) -> None:
        """Drop everything that refers to nodes."""
        self._reader = Reader()
