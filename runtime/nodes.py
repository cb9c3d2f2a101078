"""Nodes of symbolic expressions: interned, so that two structurally equal nodes are the same object.

`runtime.expr` makes the nodes of operators, in canonical form; what is here folds and simplifies nothing.
"""

from __future__ import annotations

import enum
import itertools
import math
from typing import Final, TypeAlias

Constant: TypeAlias = object


class Sort(enum.IntEnum):
    """The kinds of Python values that an expression can denote."""

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
    """Return the sort of a concrete value: exact types only, everything else is `Sort.OBJ`."""
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
        """Return the names of all variables below this node."""
        return _names_below(self) if self.few is None else self.few

    def __repr__(self) -> str:
        return show(self)


_NO_NAMES: Final[frozenset[str]] = frozenset()
# A sum over a loop has a set of names for each turn: kept in all, they would grow as its square.
_FEW: Final = 16
_idents: Final = itertools.count()
_table: dict[object, Node] = {}


def _constant_key(value: object) -> object:
    """Return a key that separates 0.0 from -0.0, True from 1, and makes NaN equal to itself."""
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


def forget() -> None:
    """Forget all nodes but the sealed ones."""
    _table.clear()
    _ints.clear()
    _table.update(_fixed)


def table_size() -> int:
    """Return how many distinct nodes are alive."""
    return len(_table)


def const(value: object) -> Node:
    """Return the constant node of `value`, an exact (not traced) Python value."""
    return _intern("const", sort_of(value), (), value, ("const", _constant_key(value)))


_ints: dict[int, Node] = {}


def const_int(value: int) -> Node:
    """Return `const` for an exact int, faster."""
    node = _ints.get(value)
    if node is None:
        node = _ints[value] = const(value)
    return node


def var(name: str, sort: Sort) -> Node:
    """Return the input variable called `name`."""
    return _intern("var", sort, (), name, ("var", name, sort))


TRUE: Final[Node] = const(True)
FALSE: Final[Node] = const(False)
_fixed: Final[dict[object, Node]] = dict(_table)


def seal() -> None:
    """Let `forget` keep all nodes of now: the constants that modules made while they were imported."""
    _fixed.update(_table)


def make(op: str, sort: Sort, args: tuple[Node, ...]) -> Node:
    """Return the interned node, without simplification (for reading a node back from the wire)."""
    return _intern(op, sort, args, None, (op, sort, *[a.ident for a in args]))


def show(node: Node, depth: int = 6) -> str:
    """Return a readable, bounded rendering (for reasons, logs and tests)."""
    if node.op == "const":
        return "nan" if isinstance(node.data, float) and math.isnan(node.data) else repr(node.data)
    if node.op == "var":
        return str(node.data)
    if depth == 0:
        return "..."
    return f"{node.op}({', '.join(show(a, depth - 1) for a in node.args)})"
