"""A problem cut down to what the goal depends on, and what a stage that is asked for it is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from runtime.expr import Node, Sort
from tracetwin.solving.answers import Answer, Problem
from tracetwin.solving.figures import Slowest, StageStatistics
from tracetwin.solving.program import Program, topological
from tracetwin.solving.split import names_of, relevant


class Task:
    """A problem as the stages see it.

    Attributes:
        effort: the part of its usual limits that a stage may spend.
        current: the values of *all* variables of the problem in the last run.
        near_misses: assignments that z3 took for models but the evaluator refused; where search starts.
    """

    def __init__(self, problem: Problem) -> None:
        self.goal = problem.goal
        self.current: Mapping[str, object] = problem.current
        self.effort = problem.effort
        self.goal_names = sorted(problem.goal.names)
        self.near_misses: list[dict[str, object]] = []
        self._problem = problem

    @cached_property
    def conditions(self) -> tuple[Node, ...]:
        """The relevant conditions, in path order."""
        return relevant(self._problem.conditions, self.goal)

    @cached_property
    def names(self) -> list[str]:
        """The variables of goal and conditions, those of the goal first."""
        return self.goal_names + sorted(names_of(self.conditions).difference(self.goal_names))

    @cached_property
    def sorts(self) -> dict[str, Sort]:
        """The sort of each variable in `names`."""
        return {name: self._problem.sorts[name] for name in self.names}

    @cached_property
    def roots(self) -> tuple[Node, ...]:
        """Goal first, then the conditions, latest first: the order in which a wrong guess fails soonest."""
        return (self.goal, *reversed(self.conditions))

    @cached_property
    def program(self) -> Program:
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
        return frozenset(node.op for node in self.nodes)

    @cached_property
    def key(self) -> frozenset[Node]:
        """The conjunction as a set."""
        return frozenset(self.roots)

    def with_changes(self, changes: Mapping[str, object]) -> dict[str, object]:
        """A complete assignment: the current values, overridden."""
        return {**self.current, **changes}


class Stage:
    """One link of the chain; unless it says otherwise, it learns nothing, and keeps nothing of nodes."""

    name: str

    def attempt(self, task: Task) -> Answer:
        """An answer; `Unknown` hands the problem on."""
        raise NotImplementedError

    def learn(self, task: Task, answer: Answer) -> None:
        """Take note of the chain's answer."""

    def forget(self) -> None:
        """Drop everything that refers to nodes."""


class AskingTheories(Stage):
    """A stage that asks z3, with the figures of the theories that it asks."""

    here: bool

    def __init__(self, name: str) -> None:
        self.name = name
        self.theories: dict[str, StageStatistics] = {}
        self.slowest = Slowest()

    def rest(self) -> None:
        """Give back what can be given back."""
