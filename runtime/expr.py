"""Symbolic expressions: what a traced value remembers of how it was computed.

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

import enum
import itertools
import math
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from runtime import ops

Constant: TypeAlias = object


class Sort(enum.IntEnum):
    """What kind of Python value an expression denotes."""

    INT = 0
    BOOL = 1
    FLOAT = 2
    STR = 3
    BYTES = 4
    OBJ = 5  # a tuple, list, None or match object: only taken apart again, never an input


_SORT_OF_TYPE: Final[dict[type, Sort]] = {
    int: Sort.INT,
    bool: Sort.BOOL,
    float: Sort.FLOAT,
    str: Sort.STR,
    bytes: Sort.BYTES,
}


def sort_of(value: object) -> Sort:
    """The sort of a concrete value: exact types only, everything else is `Sort.OBJ`."""
    return _SORT_OF_TYPE.get(type(value), Sort.OBJ)


class Node:
    """One interned expression node.

    Attributes:
        op: ``"const"``, ``"var"`` or a name of `runtime.ops.MEANINGS`.
        sort: the sort of the value.
        args: operands, evaluated left to right.
        data: the value of a constant, the name of a variable, else None.
        few: the names of all variables below this node where they are few, else None.
        ident: a number that grows with creation; a node's arguments have smaller ones.
        opposite: the negation of a boolean node, once it was asked for.
    """

    __slots__ = ("args", "data", "few", "ident", "op", "opposite", "sort")

    op: str
    sort: Sort
    args: tuple[Node, ...]
    data: object
    few: frozenset[str] | None
    ident: int
    opposite: Node | None

    @property
    def names(self) -> frozenset[str]:
        """The names of all variables below this node."""
        return _names_below(self) if self.few is None else self.few

    def __repr__(self) -> str:
        return show(self)


_NO_NAMES: Final[frozenset[str]] = frozenset()
# A sum over a loop has a set of names for each turn: kept in all, they would grow as its square.
_FEW: Final = 16
_idents: Final = itertools.count()
_table: dict[object, Node] = {}
_applied: dict[tuple[str, Sort, int, int], Node] = {}


def _constant_key(value: object) -> object:
    """A key that separates 0.0 from -0.0, True from 1, and makes NaN equal to itself."""
    if type(value) in (int, bool, str, bytes):
        return (type(value), value)
    return (type(value), repr(value))


def _intern(op: str, sort: Sort, args: tuple[Node, ...], data: object, key: object) -> Node:
    found = _table.get(key)
    if found is not None:
        return found
    node = Node.__new__(Node)
    node.op = op
    node.sort = sort
    node.args = args
    node.data = data
    node.opposite = None
    if op == "var":
        node.few = frozenset((str(data),))
    else:
        node.few = _union_of_few(args)
    node.ident = next(_idents)
    _table[key] = node
    return node


def _union_of_few(args: tuple[Node, ...]) -> frozenset[str] | None:
    names = _NO_NAMES
    for arg in args:
        other = arg.few
        if other is None:
            return None
        if names is other or not other:
            continue
        names = other if not names or names <= other else (names if other <= names else names | other)
    return names if len(names) <= _FEW else None


def _names_below(node: Node) -> frozenset[str]:
    names: set[str] = set()
    seen: set[int] = set()
    stack = [node]
    while stack:
        top = stack.pop()
        if top.few is not None:
            names |= top.few
        elif top.ident not in seen:
            seen.add(top.ident)
            stack.extend(top.args)
    return frozenset(names)


def reset() -> None:
    """Forget all nodes but the sealed ones; those made before must not be mixed with later ones."""
    _table.clear()
    _applied.clear()
    _ints.clear()
    _table.update(_fixed)


def table_size() -> int:
    """How many distinct nodes are alive."""
    return len(_table)


def const(value: object) -> Node:
    """The constant node of `value`, an exact (not traced) Python value."""
    return _intern("const", sort_of(value), (), value, ("const", _constant_key(value)))


_ints: dict[int, Node] = {}


def const_int(value: int) -> Node:
    """`const` for an exact int, faster."""
    node = _ints.get(value)
    if node is None:
        node = _ints[value] = const(value)
    return node


def var(name: str, sort: Sort) -> Node:
    """The input variable called `name`."""
    return _intern("var", sort, (), name, ("var", name, sort))


TRUE: Final[Node] = const(True)
FALSE: Final[Node] = const(False)
_fixed: Final[dict[object, Node]] = dict(_table)


def seal() -> None:
    """Let `reset` keep what is in the table now: the constants that modules made while they were imported."""
    _fixed.update(_table)


def make(op: str, sort: Sort, args: tuple[Node, ...]) -> Node:
    """The interned node, without simplification (for reading a node back from the wire)."""
    return _intern(op, sort, args, None, (op, sort, *[a.ident for a in args]))


def apply(op: str, sort: Sort, *args: Node) -> Node:
    """The node `op(args)`, folded and simplified.

    `sort` is the sort of the concrete result that the caller has just computed. Folding is not tried
    when the operation raises on these constants: the caller guards such operations by a branch.
    """
    if all(a.op == "const" for a in args):
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
    """`apply` of a binary operator, remembered by its operands: runs build the same terms again and again."""
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
    """The boolean node that holds exactly when `node` does not."""
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
    """Whether a node is an equation of floats, or the contrary: NaN is unequal to everything."""
    return node.op in ("eq", "ne") and all(arg.sort is not Sort.OBJ for arg in node.args)


def _total_order(args: tuple[Node, ...]) -> bool:
    return all(a.sort not in (Sort.FLOAT, Sort.OBJ) for a in args)


def conjunction(parts: Iterable[Node]) -> Node:
    """True when all parts are."""
    result = TRUE
    for part in parts:
        result = apply("and", Sort.BOOL, result, part)
    return result


def disjunction(parts: Iterable[Node]) -> Node:
    """True when one part is."""
    result = FALSE
    for part in parts:
        result = apply("or", Sort.BOOL, result, part)
    return result


def _rule_not(args: tuple[Node, ...]) -> Node | None:
    return negate(args[0])


def _rule_and(args: tuple[Node, ...]) -> Node | None:
    left, right = args
    if left is TRUE or left is right:
        return right
    if right is TRUE:
        return left
    return FALSE if FALSE in (left, right) else None


def _rule_or(args: tuple[Node, ...]) -> Node | None:
    left, right = args
    if left is FALSE or left is right:
        return right
    if right is FALSE:
        return left
    return TRUE if TRUE in (left, right) else None


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
    """The int that a text was written from."""
    text = args[0]
    is_int = text.op in ("str", "repr") and len(text.args) == 1 and text.args[0].sort is Sort.INT
    return text.args[0] if len(args) == 1 and is_int else None


def _rule_int(args: tuple[Node, ...]) -> Node | None:
    return _written(args)


def _rule_int_ok(args: tuple[Node, ...]) -> Node | None:
    return None if _written(args) is None else TRUE


_MOST_DIVISORS: Final = 8


def _rule_gcd(args: tuple[Node, ...]) -> Node | None:
    """With a small constant: which of its divisors it is."""
    for one, other in (args, args[::-1]) if len(args) == 2 else ():
        if other.op != "const" or one.sort is not Sort.INT:
            continue
        number = abs(int(other.data))  # type: ignore[call-overload]
        divisors = [d for d in range(2, number + 1) if number % d == 0] if 0 < number <= 1000 else []
        if number and number <= 1000 and len(divisors) <= _MOST_DIVISORS:
            result = const_int(1)
            for divisor in divisors:
                rest = apply("mod", Sort.INT, one, const_int(divisor))
                divides = apply("eq", Sort.BOOL, rest, const_int(0))
                result = apply("ite", Sort.INT, divides, const_int(divisor), result)
            return result
    return None


def _rule_identity(sort: Sort) -> Callable[[tuple[Node, ...]], Node | None]:
    return lambda args: args[0] if args[0].sort is sort else None


_RULES: Final[dict[str, Callable[[tuple[Node, ...]], Node | None]]] = {
    "not": _rule_not,
    "and": _rule_and,
    "or": _rule_or,
    "eq": _rule_eq,
    "ne": _rule_ne,
    "add": _rule_add,
    "sub": _rule_sub,
    "mul": _rule_mul,
    "ite": _rule_ite,
    "math.gcd": _rule_gcd,
    "int": _rule_int,
    "int_ok": _rule_int_ok,
    "to_int": _rule_identity(Sort.INT),
    "to_float": _rule_identity(Sort.FLOAT),
}


def show(node: Node, depth: int = 6) -> str:
    """A readable, bounded rendering (for reasons, logs and tests)."""
    if node.op == "const":
        return "nan" if isinstance(node.data, float) and math.isnan(node.data) else repr(node.data)
    if node.op == "var":
        return str(node.data)
    if depth == 0:
        return "..."
    return f"{node.op}({', '.join(show(a, depth - 1) for a in node.args)})"
