"""The canonical form of a symbolic state: two forms can be compared without knowing how they came about.

A state (Symstra, section 3) is a heap and the condition on the arguments of the calls that made it. In the
canonical form the leaves of the heap are numbered in the order of the drawing, and the condition speaks of
them alone: arguments that are no longer in the heap are projected away, and conditions that share no argument
with it are left out (the path was run, so they can be met).

Where the condition orders its arguments, the projection is a closed table of differences between leaves:
exact over ints, and the same for every way of stating it. What it can't express stays a `Remainder`:
conditions in path order, their remaining arguments renamed ``?0``, ``?1`` and so on, to be read as existing.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from runtime.expr import Node, Sort
from runtime.trace import Kind
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.loop.run import Run
from tracetwin.explore.states.drawing import draw
from tracetwin.explore.states.elimination import System
from tracetwin.explore.states.renaming import Component, components, renamed
from tracetwin.solving.arithmetic.differences import UNBOUND, ZERO, Differences, Limit
from tracetwin.solving.arithmetic.ordering import TEXTS, OrderCondition, Reader
from tracetwin.support.data import dataclass

Gap: TypeAlias = "tuple[int, int, int]"
"""``(k, l, value)``: leaf k minus leaf l is not that value; leaf 0 is the number 0."""


@dataclass(frozen=True)
class SymbolicState:
    """The state that a sequence of calls leaves behind: a heap and a condition.

    Attributes:
        heap: the picture of the receiver.
        conditions: what holds of the arguments, in path order.
        values: those of the run that showed it.
        whole: whether these are all conditions; a cut path has more.
        known: how many of the conditions are those of the state that the last call began with.
        kinds: alternatives of choices in words, by their variables.
    """

    heap: Heap
    conditions: tuple[Node, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    whole: bool = True
    known: int = 0
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, run: Run, assumed: tuple[Node, ...] = ()) -> SymbolicState:
        """The state that a run ended in.

        Raises:
            ValueError: there is no picture of it.
        """
        if run.heap is None:
            raise ValueError(f"no picture was taken of the receiver of {run.request.target}")
        before = run.stages[-1] if run.stages else 0
        conditions = tuple(step.node for step in run.path if step.kind != Kind.HINT)
        known = len(assumed) + sum(step.kind != Kind.HINT for step in run.path[:before])
        return cls(run.heap, assumed + conditions, run.values, not run.truncated, known, run.kinds)


class Remainder(NamedTuple):
    """Conditions that the table of differences does not express.

    Attributes:
        leaves: the leaves that it is about.
        conditions: on ``#1``, ``#2``, ... and on hidden arguments ``?0``, ``?1``, ...
    """

    leaves: tuple[int, ...]
    conditions: tuple[Node, ...]


@dataclass(frozen=True)
class Canonical:
    """A canonical form.

    Attributes:
        shape: see `tracetwin.explore.states.drawing`.
        sorts: the sort of each leaf; leaf 0 is the number 0.
        limits: row by row, the greatest difference of each leaf to each; `UNBOUND` where there is none.
        gaps: differences that are left out within the limits.
        exact: whether every assignment of the leaves that the form allows belongs to the state.
    """

    shape: Hashable
    sorts: tuple[Sort, ...]
    limits: tuple[Limit, ...]
    gaps: frozenset[Gap] = frozenset()
    parts: tuple[Remainder, ...] = ()
    exact: bool = True

    def limit(self, one: int, other: int) -> Limit:
        """The greatest value of leaf `one` minus leaf `other`."""
        return self.limits[one * len(self.sorts) + other]


class _Place(NamedTuple):
    """Where a leaf stands: which table speaks of it, by which name, and what is added to that."""

    table: Differences
    name: Hashable
    offset: int


class Canoniser:
    """Makes canonical forms; keeps what it read of conditions.

    Attributes:
        relevant: the attributes of the receiver that matter, None for all.
    """

    def __init__(self, relevant: Collection[str] | None = None) -> None:
        self.relevant = None if relevant is None else frozenset(relevant)
        self._reader = Reader()
        self._closed: tuple[tuple[Node, ...], _Tables] = ((), _Tables())

    def __call__(self, state: SymbolicState) -> Canonical:
        """The canonical form of a state."""
        drawing = draw(state.heap, self.relevant)
        leaves = drawing.leaves
        hard = self._hard(state.conditions, leaves)
        tables = self._tables(state, hard)
        if any(cell[0] in ("set", "frozenset") for cell in state.heap):
            drawing = draw(state.heap, self.relevant, tables.ranked)
            leaves = drawing.leaves
            hard = self._hard(state.conditions, leaves)
        return _Form(self._reader, tables, leaves, hard).canonical(drawing.shape, whole=state.whole)

    def _hard(self, conditions: Sequence[Node], leaves: Sequence[Node]) -> list[Component]:
        """The groups of connected conditions and leaves that the tables of differences can't express."""
        reader = self._reader
        if all(reader.order(c) is not None for c in conditions) and all(map(reader.anchor, leaves)):
            return []  # the rule; grouping takes longer than all the rest
        return components(conditions, leaves, reader)

    def _tables(self, state: SymbolicState, hard: list[Component]) -> _Tables:
        if hard:
            left_out = {condition for component in hard for condition in component.conditions}
            tables = _Tables()
            tables.take(self._reader.order(c) for c in state.conditions if c not in left_out)
            return tables
        before = state.conditions[: state.known]
        if self._closed[0] != before:  # siblings follow each other: they share what was before the last call
            tables = _Tables()
            tables.take(map(self._reader.order, before))
            self._closed = (before, tables)
        tables = self._closed[1].copy()
        tables.take(map(self._reader.order, state.conditions[state.known :]))
        return tables


class _Tables:
    """The differences of ints and the order of texts."""

    def __init__(self) -> None:
        self.ints = Differences()
        self.texts = Differences(dense=True)

    def copy(self) -> _Tables:
        other = _Tables.__new__(_Tables)
        other.ints, other.texts = self.ints.copy(), self.texts.copy()
        return other

    def take(self, orders: Iterable[OrderCondition | None]) -> None:
        """Take in what conditions say."""
        for order in orders:
            if order is None:
                continue  # shares no argument with the heap
            table = self.texts if order.dense else self.ints
            for one, other, limit in order.limits:
                table.add(one, other, limit)
            if order.hole is not None:
                table.exclude(*order.hole)

    def of(self, leaf: Node) -> Differences:
        return self.texts if leaf.sort in TEXTS else self.ints

    def ranked(self, nodes: list[Node]) -> list[Node]:
        """Nodes in the order that the tables give them, as far as they do."""

        def rank(node: Node) -> tuple[int, int]:
            table = self.of(node)
            return int(node.sort), sum(
                other.sort is node.sort and table.limit(other, node) < 0 for other in nodes
            )

        return sorted(nodes, key=rank)


class _Form:
    """One canonical form in the making."""

    def __init__(
        self, reader: Reader, tables: _Tables, leaves: Sequence[Node], hard: Sequence[Component]
    ) -> None:
        self._reader = reader
        self._leaves = leaves
        self._places: list[_Place | None] = [_Place(tables.ints, ZERO, 0)]
        self._parts: list[Remainder] = []
        self._tables = tables
        elsewhere = {place for component in hard for place in component.leaves}
        for place, leaf in enumerate(leaves, 1):
            anchor = None if place in elsewhere else reader.anchor(leaf)
            self._places.append(anchor and _Place(tables.of(leaf), *anchor))
        for component in hard:
            if not self._add_up(component):
                self._parts.append(Remainder(component.leaves, renamed(component, leaves)))

    def _add_up(self, component: Component) -> bool:
        """Express sums by differences of leaves, where that is possible."""
        system = System()
        for condition in component.conditions:
            bound = self._reader.bound(condition)
            if bound is None or bound.hole is not None:
                return False
            system.bound(bound)
        gone: dict[Node, None] = {}
        for place in component.leaves:
            leaf = self._leaves[place - 1]
            if leaf.sort is not Sort.INT:
                return False
            form = self._reader.forms.of(leaf)
            if any(atom.op != "var" for atom, _ in form.weights):
                return False
            system.define(place, form)
            gone.update((atom, None) for atom, _ in form.weights)
        for condition in component.conditions:
            bound = self._reader.bound(condition)
            gone.update((atom, None) for atom, _ in (bound.weights if bound else ()))
        table = system.differences() if system.eliminate(gone) else None
        if table is None:
            return False
        for place in component.leaves:
            self._places[place] = _Place(table, place, 0)
        return True

    def canonical(self, shape: Hashable, *, whole: bool) -> Canonical:
        places = self._places
        rows = range(len(places))
        limits = tuple(0 if i == j else _limit(places[i], places[j]) for i, j in product(rows, rows))
        sorts = (Sort.INT, *(leaf.sort for leaf in self._leaves))
        exact = whole
        gaps: set[Gap] = set()
        for table in (self._tables.ints, self._tables.texts):
            named = _named(places, table)
            if table.holes:
                gaps |= _gaps(table, named)
                exact = exact and table.can_leave_out(named)
        exact = exact and self._only_visible_texts()
        return Canonical(shape, sorts, limits, frozenset(gaps), tuple(self._parts), exact)

    def _only_visible_texts(self) -> bool:
        """Return whether no text that is gone lies between others: whether there is one is not known then."""
        table = self._tables.texts
        visible = _named(self._places, table)
        return all(
            one in visible or other not in visible or _unordered_or_equal(table, one, other)
            for one, other in product(table.names[1:], table.names[1:])
        )


def _unordered_or_equal(table: Differences, one: Hashable, other: Hashable) -> bool:
    limits = table.limit(one, other), table.limit(other, one)
    return limits in (_NO_LIMITS, (0, 0))


_NO_LIMITS: Final = (UNBOUND, UNBOUND)


def _limit(one: _Place | None, other: _Place | None) -> Limit:
    if one is None or other is None:
        return UNBOUND
    table = one.table
    if table is not other.table:
        if other.name is not ZERO and one.name is not ZERO:
            return UNBOUND
        table = other.table if one.name is ZERO else table  # 0 stands in each of them
    return table.limit(one.name, other.name) + one.offset - other.offset


def _named(places: Sequence[_Place | None], table: Differences) -> dict[Hashable, list[tuple[int, int]]]:
    """The leaves, with what is added, that the variables of a table stand for."""
    found: dict[Hashable, list[tuple[int, int]]] = {}
    for number, place in enumerate(places):
        if place is not None and place.table is table:
            found.setdefault(place.name, []).append((number, place.offset))
    return found


def _gaps(table: Differences, named: Mapping[Hashable, list[tuple[int, int]]]) -> set[Gap]:
    found: set[Gap] = set()
    for i, j, value in table.holes:
        for (one, first), (other, second) in product(
            named.get(table.names[i], ()), named.get(table.names[j], ())
        ):
            difference = value + first - second
            found.add((one, other, difference) if one < other else (other, one, -difference))
    return found
