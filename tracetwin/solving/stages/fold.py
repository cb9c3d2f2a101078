"""Simplify: goals that constants, intervals and equalities along the path decide, without a solver.

Conditions like ``3 <= x + y`` and ``len(s) != 7`` bound sums of ints. A goal that no value within these
bounds can meet is refuted, and so is one whose variables all have their only values left; where one variable
is all there is to a goal, the ends of what is left for it are tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from runtime.evaluate import Undefined, evaluate
from runtime.expr import Node, Sort
from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat
from tracetwin.solving.arithmetic.forms import Bound, Form, Forms, Weights
from tracetwin.solving.arithmetic.intervals import ANY, Interval, interval, is_empty, meet, plus, times
from tracetwin.solving.task import Stage, Task

_EXACT: Final = (Sort.INT, Sort.BOOL, Sort.STR, Sort.BYTES)
_MOST_HOLES: Final = 64


class Fold(Stage):
    """The stage."""

    name = "fold"

    def __init__(self) -> None:
        self._forms = Forms()
        self._static: dict[Node, Interval] = {}  # the intervals of nodes whatever the path

    def attempt(self, task: Task) -> Answer:
        """Look at the goal alone, then within what the path leaves."""
        if self._intervals([task.goal], self._static, {})[1] == 0:
            return Unsat()
        ranges = Ranges(self._forms)
        ranges.narrow(task.conditions)
        goal = self._forms.bound(task.goal)
        if goal is not None and ranges.excludes(goal):
            return Unsat()
        if ranges and self._intervals(task.goal_nodes, {}, ranges.by_atoms)[1] == 0:
            return Unsat()
        if self._is_forced(task, ranges):
            return Unsat()
        return self._tried(task, ranges, goal) or Unknown("neither constant nor out of bounds")

    def forget(self) -> None:
        """Drop everything that refers to nodes."""
        self._forms.forget()
        self._static.clear()

    def _intervals(
        self, nodes: list[Node], known: dict[Node, Interval], bounds: dict[Weights, Interval]
    ) -> Interval:
        """The interval of the last of `nodes`; those of all below it are added to `known`."""
        stack = list(reversed(nodes))
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            waiting = [arg for arg in node.args if arg not in known]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            known[node] = self._narrowed(node, [known[arg] for arg in node.args], bounds)
        return known[nodes[-1]]

    def _narrowed(self, node: Node, operands: list[Interval], bounds: dict[Weights, Interval]) -> Interval:
        found = interval(node, operands)
        if not bounds or node.sort is not Sort.INT or node.op == "const":
            return found
        both = meet(found, _of_form(self._forms.of(node), bounds))
        return found if is_empty(both) else both  # a contradiction is told by conditions, not by their parts

    @staticmethod
    def _is_forced(task: Task, ranges: Ranges) -> bool:
        """Return whether each variable of the goal has one value left: then it stays as false as it is."""
        if not all(name in ranges.forced for name in task.goal_names):
            return False
        try:
            return not evaluate(task.goal, ranges.forced)
        except Undefined:
            return True  # it does not hold either

    def _tried(self, task: Task, ranges: Ranges, goal: Bound | None) -> Sat | None:
        """A value for the only variable of the goal, out of what path and goal leave of it."""
        if goal is None or len(goal.weights) != 1 or goal.weights[0][0].op != "var":
            return None
        name = str(goal.weights[0][0].data)
        for value in ranges.proposals(goal):
            values = task.with_changes({name: value})
            if task.program.holds(values):
                return Sat(values, self.name)
        return None


class Ranges:
    """Ranges that the conditions of a path leave for sums of ints.

    Attributes:
        by_atoms: the interval of each sum that conditions speak of.
        forced: the variables that have one value left.
    """

    def __init__(self, forms: Forms) -> None:
        self.by_atoms: dict[Weights, Interval] = {}
        self.forced: dict[str, object] = {}
        self._holes: dict[Weights, set[int]] = {}
        self._forms = forms

    def __bool__(self) -> bool:
        return bool(self.by_atoms)

    def narrow(self, conditions: Iterable[Node]) -> None:
        """Take in conditions; they hold for the current values, so they don't contradict each other."""
        for condition in conditions:
            bound = self._forms.bound(condition)
            if bound is not None:
                self._take(bound)
            elif condition.op == "eq":
                self._force(condition)
            elif _is_flag(condition):
                self.forced[str(condition.data)] = True
            elif condition.op == "not" and _is_flag(condition.args[0]):
                self.forced[str(condition.args[0].data)] = False
        for weights, (low, high) in self.by_atoms.items():
            if low is not None and low == high and len(weights) == 1 and weights[0][0].op == "var":
                self.forced[str(weights[0][0].data)] = low

    def _take(self, bound: Bound) -> None:
        if bound.hole is not None:
            holes = self._holes.setdefault(bound.weights, set())
            if len(holes) < _MOST_HOLES:
                holes.add(bound.hole)
            return
        old = self.by_atoms.get(bound.weights, ANY)
        self.by_atoms[bound.weights] = meet(old, (bound.low, bound.high))

    def _force(self, condition: Node) -> None:
        """``s == "abc"``; of floats it says too little, -0.0 being 0.0."""
        left, right = condition.args
        if left.op == "const":
            left, right = right, left
        if left.op == "var" and right.op == "const" and left.sort is right.sort and left.sort in _EXACT:
            self.forced[str(left.data)] = right.data

    def left_for(self, bound: Bound) -> Interval:
        """Return the range that path and bound leave of the sum, the holes filled at both ends."""
        low, high = meet(_of_form(Form(bound.weights, 0), self.by_atoms), (bound.low, bound.high))
        holes = set(self._holes.get(bound.weights, ()))
        if bound.hole is not None:
            holes.add(bound.hole)
        while low is not None and low in holes:
            low += 1
        while high is not None and high in holes:
            high -= 1
        return low, high

    def excludes(self, bound: Bound) -> bool:
        """Return whether nothing is left."""
        return is_empty(self.left_for(bound))

    def proposals(self, bound: Bound) -> Iterator[int]:
        """Values to try, the simplest first."""
        low, high = self.left_for(bound)
        inside = [
            value for value in (0, 1) if (low is None or low <= value) and (high is None or value <= high)
        ]
        ends = sorted((end for end in (low, high) if end is not None), key=lambda end: (abs(end), end < 0))
        yield from dict.fromkeys([*inside, *ends])


def _of_form(form: Form, bounds: dict[Weights, Interval]) -> Interval:
    """The interval of a sum: as the conditions bound it, and as they bound its atoms."""
    total: Interval = (form.constant, form.constant)
    for atom, factor in form.weights:
        total = plus(total, times(bounds.get(((atom, 1),), ANY), factor))
        if total == ANY:
            break
    direct = bounds.get(form.weights)
    return total if direct is None else meet(total, plus(direct, (form.constant, form.constant)))


def _is_flag(node: Node) -> bool:
    return node.op == "var" and node.sort is Sort.BOOL
