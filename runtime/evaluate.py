"""Evaluates expressions on concrete values, exactly as Python does.

Every model that a solver proposes is checked here before it is used: the evaluator, not the solver's
theory, decides whether a path condition holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from runtime.expr import Node
from runtime.ops import DOMAIN_ERRORS, MEANINGS


class Undefined(Exception):
    """Raised where an operation is outside its domain, or a variable has no value."""


def evaluate(node: Node, values: Mapping[str, object], memo: dict[int, object] | None = None) -> object:
    """Return the value of `node` when each variable has the value given.

    `memo` holds values of nodes by ident, shared between calls on the same `values`.

    Raises:
        Undefined: where Python would raise (division by zero, bad conversion) or a name is missing.
    """
    memo = {} if memo is None else memo
    stack = [node]
    while stack:
        top = stack[-1]
        if top.ident in memo:
            stack.pop()
            continue
        waiting = _pending(top, memo)
        if waiting:
            stack.extend(waiting)
            continue
        memo[top.ident] = _compute(top, values, memo)
        stack.pop()
    return memo[node.ident]


def _pending(node: Node, memo: dict[int, object]) -> list[Node]:
    """Return the operands still to be evaluated; only the ones Python would evaluate."""
    args = node.args
    if node.op in ("ite", "and", "or"):
        first = args[0]
        if first.ident not in memo:
            return [first]
        chosen = _chosen(node, memo)
        return [] if chosen is None or chosen.ident in memo else [chosen]
    return [a for a in args if a.ident not in memo]


def _chosen(node: Node, memo: dict[int, object]) -> Node | None:
    """Return the operand that a lazy operator goes on with, or None when the first one decides."""
    first = memo[node.args[0].ident]
    if node.op == "ite":
        return node.args[1] if first else node.args[2]
    decides = bool(first) is (node.op == "or")
    return None if decides else node.args[1]


def _compute(node: Node, values: Mapping[str, object], memo: dict[int, object]) -> object:
    op = node.op
    if op == "const":
        return node.data
    if op == "var":
        try:
            return values[node.data]  # type: ignore[index]
        except KeyError:
            raise Undefined(f"no value for {node.data}") from None
    if op in ("ite", "and", "or"):
        chosen = _chosen(node, memo)
        return memo[node.args[0].ident] if chosen is None else memo[chosen.ident]
    try:
        return MEANINGS[op](*[memo[a.ident] for a in node.args])
    except DOMAIN_ERRORS as error:
        raise Undefined(f"{op}: {error}") from error


def holds(conditions: Iterable[Node], values: Mapping[str, object]) -> bool:
    """Return whether all conditions are true; one that is undefined is not."""
    memo: dict[int, object] = {}
    try:
        return all(evaluate(condition, values, memo) for condition in conditions)
    except Undefined:
        return False
