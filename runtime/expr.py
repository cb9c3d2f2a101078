"""Makes symbolic expressions, folded and simplified: what a traced value was computed from.

Canonical-form rules
--------------------
1. A node is made only by the smart constructors below (`const`, `var`, `apply`, `negate`, ...); they
   intern, so two structurally equal nodes are the *same object* and identity comparison is structural.
2. A node whose arguments are all constants is folded to a constant. The folding calls the operator's
   own meaning (`runtime.ops`), so that a folded constant is exactly what Python computes.
3. Negation is pushed into comparisons of ints, strings and bytes; for floats only into equations (NaN).
4. Mixed int/float arithmetic carries an explicit ``to_float``; mixed comparison does not (Python
   compares an int and a float exactly, without converting).
5. Constants are compared by type and by representation: ``1``, ``1.0`` and ``True`` are three nodes,
   ``0.0`` and ``-0.0`` two.

To add an operator: give it its meaning in `runtime.ops`; build it with `apply`; teach
`tracetwin.solving` its theory if z3 can speak of it (otherwise it is solved by search).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from runtime import ops
from runtime.library_model import Model, follow
from runtime.nodes import (
    FALSE,
    TRUE,
    Constant,
    Node,
    Sort,
    const,
    const_int,
    forget,
    make,
    seal,
    show,
    sort_of,
    table_size,
    var,
)

__all__ = [
    "FALSE", "TRUE", "Constant", "Node", "Sort", "apply", "apply2", "conjunction", "const", "const_int",
    "disjunction", "make", "negate", "reset", "seal", "show", "sort_of", "table_size", "var",
]  # fmt: skip

_applied: dict[tuple[str, Sort, int, int], Node] = {}


def reset() -> None:
    """Forget all nodes but the sealed ones; those made before must not be mixed with later ones."""
    _applied.clear()
    forget()


def apply(op: str, sort: Sort, *args: Node) -> Node:
    """Return the node `op(args)`, folded and simplified.

    `sort` is the sort of the concrete result that the caller has just computed. Folding is not tried
    when the operation raises on these constants: the caller guards such operations by a branch.
    """
    for arg in args:
        if arg.op != "const":
            break
    else:
        folded = _fold(op, args)
        if folded is not None:
            return folded
    rule = _RULES.get(op)
    if rule is not None:
        simpler = rule(args)
        if simpler is not None:
            return simpler
    return make(op, sort, args)


def apply2(op: str, sort: Sort, left: Node, right: Node) -> Node:
    """Return `apply` of a binary operator, remembered by its operands: runs build the same terms again."""
    key = (op, sort, left.ident, right.ident)
    node = _applied.get(key)
    if node is None:
        node = _applied[key] = apply(op, sort, left, right)
    return node


def _fold(op: str, args: tuple[Node, ...]) -> Node | None:
    try:
        return const(ops.MEANINGS[op](*[a.data for a in args]))
    except ops.DOMAIN_ERRORS:
        return None


_OPPOSITE: Final[dict[str, str]] = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}


def negate(node: Node) -> Node:
    """Return the boolean node that holds exactly when `node` does not."""
    opposite = node.opposite
    if opposite is None:
        opposite = node.opposite = _negation(node)
    return opposite


def _negation(node: Node) -> Node:
    if node.op == "const":
        return FALSE if node.data else TRUE
    if node.op == "not":
        return node.args[0]
    if node.op in _OPPOSITE and (_total_order(node.args) or _are_equal_or_not(node)):
        return make(_OPPOSITE[node.op], Sort.BOOL, node.args)
    return make("not", Sort.BOOL, (node,))


def _are_equal_or_not(node: Node) -> bool:
    """Return whether a node is `==` or `!=`: of floats too, as NaN is unequal to everything."""
    return node.op in ("eq", "ne") and all(arg.sort is not Sort.OBJ for arg in node.args)


def _total_order(args: tuple[Node, ...]) -> bool:
    return all(a.sort not in (Sort.FLOAT, Sort.OBJ) for a in args)


def conjunction(parts: Iterable[Node]) -> Node:
    """Return the condition that all parts hold."""
    return _joined("and", TRUE, parts)


def disjunction(parts: Iterable[Node]) -> Node:
    """Return the condition that one part holds."""
    return _joined("or", FALSE, parts)


def _joined(op: str, neutral: Node, parts: Iterable[Node]) -> Node:
    result = neutral
    for part in parts:
        result = part if result is neutral else apply2(op, Sort.BOOL, result, part)
    return result


def _rule_not(args: tuple[Node, ...]) -> Node | None:
    return negate(args[0])


def _rule_of(neutral: Node, absorbing: Node) -> Callable[[tuple[Node, ...]], Node | None]:
    """Return the rule of `and` or `or`."""

    def rule(args: tuple[Node, ...]) -> Node | None:
        left, right = args
        if left is neutral or left is right:
            return right
        if right is neutral:
            return left
        return absorbing if absorbing in (left, right) else None

    return rule


def _rule_eq(args: tuple[Node, ...]) -> Node | None:
    left, right = args
    if left is right and _total_order(args):
        return TRUE
    for one, other in ((left, right), (right, left)):
        if one.sort is Sort.BOOL and other.op == "const" and other.sort is Sort.BOOL:
            return one if other.data else negate(one)
        if one.op == "to_int" and other.op == "const" and other.sort in (Sort.INT, Sort.BOOL):
            inner = one.args[0]
            if inner.sort is Sort.BOOL:
                return {1: inner, 0: negate(inner)}.get(int(other.data), FALSE)  # type: ignore[call-overload]
    return None


def _rule_ne(args: tuple[Node, ...]) -> Node | None:
    simpler = _rule_eq(args)
    return None if simpler is None else negate(simpler)


def _rule_add(args: tuple[Node, ...]) -> Node | None:
    left, right = args
    if left.sort is right.sort and left.sort in (Sort.INT, Sort.STR, Sort.BYTES):
        if right.op == "const" and not right.data:
            return left
        if left.op == "const" and not left.data:
            return right
        if right.op == "const" and left.op == "add" and left.args[1].op == "const":
            return apply("add", left.sort, left.args[0], apply("add", left.sort, left.args[1], right))
    return None


def _rule_sub(args: tuple[Node, ...]) -> Node | None:
    left, right = args
    if left.sort is Sort.INT and right.sort is Sort.INT:
        if left is right:
            return const(0)
        if right.op == "const":
            return apply("add", Sort.INT, left, const(-right.data))  # type: ignore[operator]
    return None


def _rule_mul(args: tuple[Node, ...]) -> Node | None:
    left, right = args
    if left.sort is Sort.INT and right.sort is Sort.INT:
        for one, other in ((left, right), (right, left)):
            if one.op == "const" and one.data == 1:
                return other
            if one.op == "const" and one.data == 0:
                return one
    return None


def _rule_ite(args: tuple[Node, ...]) -> Node | None:
    condition, then, otherwise = args
    if condition.op == "const":
        return then if condition.data else otherwise
    if then is otherwise:
        return then
    if then is TRUE and otherwise is FALSE:
        return condition
    return None


def _written(args: tuple[Node, ...]) -> Node | None:
    """Return the int that a text was written from, None if it was none."""
    text = args[0]
    is_int = text.op in ("str", "repr") and len(text.args) == 1 and text.args[0].sort is Sort.INT
    return text.args[0] if len(args) == 1 and is_int else None


def _rule_int(args: tuple[Node, ...]) -> Node | None:
    return _written(args)


def _rule_int_ok(args: tuple[Node, ...]) -> Node | None:
    return None if _written(args) is None else TRUE


def _rule_identity(sort: Sort) -> Callable[[tuple[Node, ...]], Node | None]:
    return lambda args: args[0] if args[0].sort is sort else None


_RULES: Final[dict[str, Callable[[tuple[Node, ...]], Node | None]]] = {
    "not": _rule_not,
    "and": _rule_of(TRUE, FALSE),
    "or": _rule_of(FALSE, TRUE),
    "eq": _rule_eq,
    "ne": _rule_ne,
    "add": _rule_add,
    "sub": _rule_sub,
    "mul": _rule_mul,
    "ite": _rule_ite,
    "int": _rule_int,
    "int_ok": _rule_int_ok,
    "to_int": _rule_identity(Sort.INT),
    "to_float": _rule_identity(Sort.FLOAT),
}


def _enter(model: Model) -> None:
    """Use the rule of a library model."""
    if model.simplify is not None:
        _RULES[model.operator] = partial(model.simplify, apply)


follow(_enter)
