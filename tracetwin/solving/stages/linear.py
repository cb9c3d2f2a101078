"""Where does a comparison change its outcome, if it is (nearly) linear in one number?

Measured rather than derived: the difference of both sides at two points gives slope and root, whatever
operators lie in between. Wrong guesses cost one evaluation each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.program import UNDEFINED, Program
from tracetwin.solving.task import Task

_COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")
_MOST_COMPARISONS: Final = 4
_NUMERIC: Final = (Sort.INT, Sort.FLOAT)


def roots_of_goal(task: Task, name: str) -> Iterator[object]:
    """Values of the variable `name` near which comparisons inside the goal flip."""
    is_int = task.sorts[name] is Sort.INT
    found = 0
    for node in reversed(task.goal_nodes):
        if node.op in _COMPARISONS and name in node.names and all(a.sort in _NUMERIC for a in node.args):
            root = _root(task, node, name, is_int)
            if root is not None:
                yield from _around(root, is_int)
            found += 1
            if found == _MOST_COMPARISONS:
                return


def _root(task: Task, node: Node, name: str, is_int: bool) -> Fraction | None:
    """Where both sides of `node` meet, by the secant through two points (and a third, to polish)."""
    program = task.program
    values = dict(task.current)
    step = 1 if is_int else 1.0
    here: Any = values[name]
    if not is_int and not math.isfinite(here):
        here = 0.0
    at_here = _difference(program, node, values, name, here)
    at_next = _difference(program, node, values, name, here + step)
    if at_here is None or at_next is None or at_here == at_next:
        return None
    return Fraction(here) - at_here / (at_next - at_here)


def _difference(
    program: Program, node: Node, values: dict[str, object], name: str, value: object
) -> Fraction | None:
    values[name] = value
    program.run_goal(values)
    left, right = (program.value(arg) for arg in node.args)
    if left is UNDEFINED or right is UNDEFINED:
        return None
    try:
        return Fraction(left) - Fraction(right)
    except (ValueError, OverflowError):
        return None  # NaN or infinite


def _around(root: Fraction, is_int: bool) -> Iterator[object]:
    if is_int:
        base = math.floor(root)
        yield from (base, base + 1, base - 1)
        return
    try:
        value = float(root)
    except OverflowError:
        return
    yield value
    yield from (float(math.floor(root)), float(math.floor(root) + 1), value + 1.0, value - 1.0)
    yield from (math.nextafter(value, math.inf), math.nextafter(value, -math.inf))
    short = round(value, 3)
    yield short
