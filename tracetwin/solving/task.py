"""A problem cut down to what the goal depends on, with what several stages need to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from runtime.expr import Node, Sort
from tracetwin.solving.answers import Problem
from tracetwin.solving.program import Program, topological
from tracetwin.solving.split import relevant


class Task:
    """What the stages work on.

    Attributes:
        conditions: the relevant conditions, in path order.
        goal: must become true.
        names: the variables of goal and conditions, those of the goal first.
        current: the values of *all* variables of the problem in the last run.
        sorts: the sort of each variable in `names`.
        near_misses: assignments that z3 took for models but the evaluator refused; where search starts.
    """

    def __init__(self, problem: Problem) -> None:
        self.goal = problem.goal
        self.conditions = relevant(problem.conditions, problem.goal)
        self.current: Mapping[str, object] = problem.current
        goal_names = sorted(problem.goal.names)
        others = set[str]().union(*(c.names for c in self.conditions)) - problem.goal.names
        self.goal_names = goal_names
        self.names = goal_names + sorted(others)
        self.near_misses: list[dict[str, object]] = []
        self.sorts: dict[str, Sort] = {name: problem.sorts[name] for name in self.names}

    @cached_property
    def roots(self) -> tuple[Node, ...]:
        """Goal first, then the conditions, latest first: the order in which a wrong guess fails soonest."""
        return (self.goal, *reversed(self.conditions))

    @cached_property
    def program(self) -> Program:
        """Goal and conditions, compiled."""
        return Program(self.roots)

    @cached_property
    def goal_nodes(self) -> list[Node]:
        """The nodes of the goal, operands first."""
        return topological([self.goal], set())

    @cached_property
    def nodes(self) -> list[Node]:
        """All nodes, operands first, those of the goal before the rest."""
        return topological(self.roots, set())

    @cached_property
    def operators(self) -> frozenset[str]:
        """All operators that occur."""
        return frozenset(node.op for node in self.nodes)

    @cached_property
    def key(self) -> frozenset[Node]:
        """The conjunction as a set."""
        return frozenset(self.roots)

    def with_changes(self, changes: Mapping[str, object]) -> dict[str, object]:
        """A complete assignment: the current values, overridden."""
        return {**self.current, **changes}
