"""The picture of a receiver's state as the explorer sees it: cells, and leaves that may be expressions.

A heap is a tuple of cells in depth-first order of first visit, the receiver first:

- ``("object", "module:Class", ((attribute, ref), ...))``, attributes sorted by name; what the instance of a
  builtin container's subclass holds is its attribute ``"[]"``,
- ``("list" | "tuple" | "deque" | "set" | "frozenset", (ref, ...), length)``,
- ``("dict", ((key ref, value ref), ...), length)`` in the order of insertion,
- ``("opaque", "module:Class")`` for what can't be looked into, and ``("opaque", "...")`` for too much.

A length is the ref of an expression, or None where it is simply the number of
elements. A ref is ``("cell", index)``, ``("const", value)`` or ``("node", Node)``. Constants are exact
scalars, ``("enum", "module:Class", member)`` and ``("name", "module:qualname")``. A shared object is the same
cell. What the receiver shares with others (variables of the module and of its classes that functions write)
is an object of the class ``":around"``, to which no cell refers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from runtime.expr import Node

Ref: TypeAlias = tuple[str, Any]
Cell: TypeAlias = tuple[Any, ...]
Heap: TypeAlias = tuple[Cell, ...]
Shape: TypeAlias = tuple[Any, ...]
"""What a free receiver's attributes are drawn from; see `tracetwin.worker.symbolic_receiver`."""


def decoded(cells: object, node: Callable[[int], Node]) -> Heap:
    """A heap from a worker's plain data."""
    assert isinstance(cells, (list, tuple))
    return tuple(_cell(cell, node) for cell in cells)


def _cell(cell: Any, node: Callable[[int], Node]) -> Cell:
    kind = cell[0]
    if kind == "object":
        return (kind, cell[1], tuple((name, decoded_ref(ref, node)) for name, ref in cell[2]))
    if kind == "opaque":
        return (kind, cell[1])
    length = None if cell[2] is None else decoded_ref(cell[2], node)
    if kind == "dict":
        pairs = tuple((decoded_ref(key, node), decoded_ref(value, node)) for key, value in cell[1])
        return (kind, pairs, length)
    return (kind, tuple(decoded_ref(ref, node) for ref in cell[1]), length)


def decoded_ref(ref: Any, node: Callable[[int], Node]) -> Ref:
    """A ref from a worker's plain data."""
    kind, value = ref
    if kind == "node":
        return ("node", node(value))
    if isinstance(value, list):
        value = tuple(value)
    return (kind, value)
