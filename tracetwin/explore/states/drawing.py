"""A heap drawn so that isomorphic heaps look the same: cells numbered anew, symbolic leaves blanked out.

Two receivers are in the same *shape* of state when a renaming of cells turns one heap into the other, up to
the expressions at its leaves. References are followed from the receiver in a fixed order (attributes by
name, elements by position), so the renaming is decided as soon as the receivers are matched: comparing shapes
takes no search, it is a comparison of keys. Elements of sets have no position; they are put in an order that
the conditions on them give, where they give one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Any, Final, NamedTuple, TypeAlias

from runtime.evaluate import Undefined, evaluate
from runtime.expr import Node
from tracetwin.explore.loop.heap import Cell, Heap, Ref

AROUND: Final = ":around"
"""The class of the cell of what the receiver shares with others; see `tracetwin.explore.loop.heap`."""

Ranking: TypeAlias = "Callable[[list[Node]], list[Node]]"
"""Puts the symbolic elements of a set in order."""


class Drawing(NamedTuple):
    """The shape of a heap, the same for isomorphic heaps.

    Attributes:
        shape: equal for isomorphic heaps; says of a leaf only its sort.
        leaves: the expressions at the leaves, in the order of the shape.
    """

    shape: Hashable
    leaves: tuple[Node, ...]


def draw(heap: Heap, relevant: Collection[str] | None = None, ranking: Ranking = list) -> Drawing:
    """Draw what can be reached from the receiver."""
    return _Pen(heap, ranking).draw(relevant)


def settled(heap: Heap, values: Any) -> Heap:
    """The heap with each expression replaced by its value in the run: a concrete state."""
    memo: dict[int, object] = {}
    return tuple(_mapped(cell, lambda ref: _settled(ref, values, memo)) for cell in heap)


def _settled(ref: Ref, values: Any, memo: dict[int, object]) -> Ref:
    if ref[0] != "node":
        return ref
    try:
        return ("const", evaluate(ref[1], values, memo))
    except Undefined:
        return ref


class _Pen:
    """Numbers cells in the order in which it comes to them."""

    def __init__(self, heap: Heap, ranking: Ranking) -> None:
        self._heap = heap
        self._ranking = ranking
        self._numbers: dict[int, int] = {}
        self._waiting: list[int] = []
        self._leaves: list[Node] = []

    def draw(self, relevant: Collection[str] | None) -> Drawing:
        shape = []
        if self._heap:  # an enum's member is a constant, and has no picture
            self._number(0)
        for place, cell in enumerate(self._heap):
            if cell[:2] == ("object", AROUND):
                self._number(place)
        for place in self._waiting:  # grows while it is gone through
            cell = self._heap[place]
            if place == 0 and relevant is not None and cell[0] == "object":
                cell = (*cell[:2], tuple(pair for pair in cell[2] if pair[0] in relevant))
            shape.append(self._cell(cell))
        return Drawing(tuple(shape), tuple(self._leaves))

    def _number(self, place: int) -> int:
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = len(self._numbers)
            self._waiting.append(place)
        return number

    def _cell(self, cell: Cell) -> Hashable:
        if cell[0] in _SETS:
            cell = (cell[0], self._ordered(cell[1]), *cell[2:])
        return _mapped(cell, self._ref)

    def _ref(self, ref: Ref) -> Ref:
        kind, value = ref
        if kind == "node":
            self._leaves.append(value)
            return ("leaf", int(value.sort))
        if kind == "cell":
            return (kind, self._number(value))
        return constant_key(value)

    def _ordered(self, refs: Iterable[Ref]) -> tuple[Ref, ...]:
        """The elements of a set: constants by value, then what is symbolic, then objects as they came."""
        constants = [ref for ref in refs if ref[0] == "const"]
        nodes = [ref[1] for ref in refs if ref[0] == "node"]
        cells = [ref for ref in refs if ref[0] == "cell"]
        constants.sort(key=lambda ref: (type(ref[1]).__name__, repr(ref[1])))
        if len(nodes) > 1:
            nodes = self._ranking(nodes)
        return (*constants, *(("node", node) for node in nodes), *cells)


_SETS: Final = ("set", "frozenset")


def _mapped(cell: Cell, change: Callable[[Ref], Ref]) -> Cell:
    """A cell with other references."""
    inside: tuple[Any, ...]
    match cell[0]:
        case "object":
            return (*cell[:2], tuple((name, change(ref)) for name, ref in cell[2]))
        case "opaque":
            return cell
        case "dict":
            inside = tuple((change(key), change(value)) for key, value in cell[1])
        case _:
            inside = tuple(change(ref) for ref in cell[1])
    length = cell[2] if len(cell) > 2 else None
    return (cell[0], inside, None if length is None else change(length))


def constant_key(value: object) -> Ref:
    """A key that tells 1, 1.0 and True apart, and 0.0 from -0.0."""
    if type(value) in (int, str, bytes, tuple) or value is None:
        return ("const", value)
    return (type(value).__name__, repr(value))
