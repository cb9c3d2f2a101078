"""Ints as sums of multiples: what a loop adds up stays as short as what it adds.

``((x + 1) + x) + y`` is ``2*x + y + 1``. What is neither a sum nor a multiple is an atom: variables, lengths,
remainders. A sum of many atoms becomes an atom in its turn, so that sums over sums never grow long.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple, TypeAlias

from runtime.expr import Node, Sort

_LONGEST: Final = 8
_LINEAR: Final = ("add", "sub", "neg", "mul")

Weights: TypeAlias = tuple[tuple[Node, int], ...]
"""Atoms with their factors, none of which is 0, in order of the atoms' creation."""


class Form(NamedTuple):
    """The sum of ``factor * atom``, and a constant."""

    weights: Weights
    constant: int


class Bound(NamedTuple):
    """A comparison as a bound on a sum.

    Attributes:
        weights: the sum; its factors have no common divisor, the first is positive.
        low: the least value, None where there is none.
        high: the greatest value.
        hole: a value it does not have.
    """

    weights: Weights
    low: int | None
    high: int | None
    hole: int | None = None


class Forms:
    """Forms of nodes, each computed once."""

    def __init__(self) -> None:
        self._known: dict[Node, Form] = {}
        self._bounds: dict[Node, Bound | None] = {}

    def forget(self) -> None:
        """Drop everything that refers to nodes."""
        self._known.clear()
        self._bounds.clear()

    def of(self, node: Node) -> Form:
        """The form of a node of sort INT."""
        known = self._known
        stack = [node]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            operands = top.args if is_linear(top) else ()
            waiting = [arg for arg in operands if arg not in known]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            known[top] = self._combined(top)
        return known[node]

    def _combined(self, node: Node) -> Form:
        if node.op == "const":
            return Form((), node.data)  # type: ignore[arg-type]
        if not is_linear(node):
            return Form(((node, 1),), 0)
        form = self.expanded(node)
        return form if len(form.weights) <= _LONGEST else Form(((node, 1),), 0)

    def expanded(self, node: Node) -> Form:
        """The form of a sum or multiple by those of its operands, however long it is."""
        first = self._known[node.args[0]]
        match node.op:
            case "neg":
                return _scaled(first, -1)
            case "mul":
                second = self._known[node.args[1]]
                if node.args[0].op == "const":
                    first, second = second, first
                return _scaled(first, second.constant)
            case _:
                return _added(first, self._known[node.args[1]], -1 if node.op == "sub" else 1)

    def bound(self, condition: Node) -> Bound | None:
        """Return a condition as a bound on a sum of ints, None where it is no such comparison.

        A condition that no value can meet has ``low > high``.
        """
        if condition not in self._bounds:
            self._bounds[condition] = self._bound(condition)
        return self._bounds[condition]

    def _bound(self, condition: Node) -> Bound | None:
        if condition.op not in ("eq", "ne", "lt", "le", "gt", "ge"):
            return None
        if any(arg.sort is not Sort.INT for arg in condition.args):
            return None
        left, right = condition.args
        difference = _added(self.of(left), self.of(right), -1)
        if not difference.weights:
            return None
        divisor = math.gcd(*(factor for _, factor in difference.weights))
        if difference.weights[0][1] < 0:
            divisor = -divisor
        weights = tuple((atom, factor // divisor) for atom, factor in difference.weights)
        return _solved(condition.op, weights, divisor, -difference.constant)


def is_linear(node: Node) -> bool:
    """Return whether a node is a sum, difference or multiple of ints."""
    if node.sort is not Sort.INT or node.op not in _LINEAR:
        return False
    if any(arg.sort is not Sort.INT for arg in node.args):
        return False
    return node.op != "mul" or any(arg.op == "const" for arg in node.args)


def _scaled(form: Form, factor: int) -> Form:
    if factor == 0:
        return Form((), 0)
    return Form(tuple((atom, weight * factor) for atom, weight in form.weights), form.constant * factor)


def _added(left: Form, right: Form, sign: int) -> Form:
    constant = left.constant + sign * right.constant
    if not right.weights:
        return Form(left.weights, constant)
    weights = dict(left.weights)
    for atom, weight in right.weights:
        weights[atom] = weights.get(atom, 0) + sign * weight
    ordered = sorted(((a, w) for a, w in weights.items() if w), key=lambda pair: pair[0].ident)
    return Form(tuple(ordered), constant)


def _solved(op: str, weights: Weights, divisor: int, limit: int) -> Bound:
    """``divisor * sum OP limit``, solved for the sum."""
    if op in ("eq", "ne"):
        value, rest = divmod(limit, divisor)
        if op == "ne":
            return Bound(weights, None, None, None if rest else value)
        return Bound(weights, value, value) if not rest else Bound(weights, 0, -1)
    if divisor < 0:
        op = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}[op]
        divisor, limit = -divisor, -limit
    match op:
        case "lt":
            return Bound(weights, None, (limit - 1) // divisor)
        case "le":
            return Bound(weights, None, limit // divisor)
        case "gt":
            return Bound(weights, limit // divisor + 1, None)
        case _:
            return Bound(weights, -(-limit // divisor), None)
