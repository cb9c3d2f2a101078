"""Heaps and conditions as tests write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.expr import Node, Sort, apply, const, negate, var
from tracetwin.explore.states.canonical import SymbolicState
from tracetwin.explore.states.subsumption import StateSet


def x(name: str) -> Node:
    """An int argument."""
    return var(name, Sort.INT)


def s(name: str) -> Node:
    """A text argument."""
    return var(name, Sort.STR)


def _node(value: object) -> Node:
    return value if isinstance(value, Node) else const(value)


def lt(one: object, other: object) -> Node:
    return apply("lt", Sort.BOOL, _node(one), _node(other))


def le(one: object, other: object) -> Node:
    return apply("le", Sort.BOOL, _node(one), _node(other))


def eq(one: object, other: object) -> Node:
    return apply("eq", Sort.BOOL, _node(one), _node(other))


def ne(one: object, other: object) -> Node:
    return negate(eq(one, other))


def plus(one: object, other: object) -> Node:
    return apply("add", Sort.INT, _node(one), _node(other))


def times(one: object, other: object) -> Node:
    return apply("mul", Sort.INT, _node(one), _node(other))


def mod(one: object, other: object) -> Node:
    return apply("mod", Sort.INT, _node(one), _node(other))


def box(**attributes: object) -> tuple[Any, ...]:
    """A heap: one object; lists, tuples, sets and dicts in its attributes become cells, `cell` others."""
    cells: list[Any] = [None]

    def ref(value: object) -> tuple[str, Any]:
        if isinstance(value, Node):
            return ("node", value)
        if isinstance(value, (list, tuple)):
            return ("cell", made((type(value).__name__, value)))
        if isinstance(value, Set):
            return ("cell", made(("set", value.elements)))
        if isinstance(value, dict):
            return ("cell", made(("dict", value)))
        return ("const", value)

    def made(part: tuple[str, Any]) -> int:
        place = len(cells)
        cells.append(None)
        kind, inside = part
        if kind == "dict":
            cells[place] = (kind, tuple((ref(key), ref(value)) for key, value in inside.items()), None)
        else:
            cells[place] = (kind, tuple(ref(item) for item in inside), None)
        return place

    cells[0] = ("object", "m:Box", tuple((name, ref(attributes[name])) for name in sorted(attributes)))
    return tuple(cells)


class Set:
    """A set in the order in which a worker shows it."""

    def __init__(self, *elements: object) -> None:
        self.elements = elements


def state(heap: tuple[Any, ...], *conditions: Node) -> SymbolicState:
    return SymbolicState(heap, conditions)


def new(states: Sequence[SymbolicState], **options: Any) -> list[bool]:
    """Which of some states are new, one after the other."""
    known = StateSet(**options)
    return [known.add(each) for each in states]
