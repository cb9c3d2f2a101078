"""How a constraint tree grew: its nodes in the order in which they came, for people to look at.

The tree that the search needs keeps what is known of a prefix; this one keeps what a reader asks: which input
went where, and what became of the sides that no run took (JTestCraft 3.3; GlassTT's drawing of the tree).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Final

from runtime.expr import Node, negate
from runtime.trace import Kind
from tracetwin.explore.loop.run import Run
from tracetwin.explore.loop.tree import Flip
from tracetwin.model.tree import NodeState
from tracetwin.support.data import dataclass

MOST_NODES: Final = 10_000
"""Nodes of one function's tree; what would come after them is counted."""

ROOT: Final = -1


@dataclass
class GrowthNode:
    """One side of one condition, after those above it.

    Attributes:
        parent: the number of the node above, `ROOT` for none.
        node: the condition as it held.
        site: where; see `PathStep`.
        order: when it came, counted in events.
        values: the input of the first run that ended here.
        can_turn: whether it has another side.
    """

    parent: int
    node: Node
    site: int
    order: int
    state: NodeState = NodeState.INNER
    values: Mapping[str, object] = field(default_factory=dict)
    ending: str = ""
    can_turn: bool = True


class Growth:
    """The nodes of one tree.

    Attributes:
        nodes: in the order in which they came.
        cut: how many did not find room.
        kinds: the alternatives of choices in words, by their variables.
        events: what happened, a letter for each event; see `tracetwin.model.tree.EVENTS`.
        words: the conditions in words as they were told before, by the numbers of their expressions.
    """

    def __init__(self) -> None:
        self.nodes: list[GrowthNode] = []
        self.cut = 0
        self.words: dict[int, str] = {}
        self._places: dict[tuple[int, int], int] = {}
        self.events: list[str] = []
        self.kinds: Mapping[str, tuple[str, ...]] = {}

    def note(self, run: Run) -> None:
        """Take in the path of a run."""
        self.events.append("r")
        self.kinds = run.kinds or self.kinds
        here = ROOT
        for step in run.path:
            if step.kind == Kind.HINT:
                continue
            place = self._place(here, step.node, step.site, can_turn=step.kind != Kind.ASSUME)
            if place is None:
                self.cut += 1
                return
            here = place
        if here != ROOT and self.nodes[here].state is not NodeState.RUN:
            end = self.nodes[here]
            end.state = NodeState.RUN
            end.values = run.values
            end.ending = f"{run.status} {run.detail}".strip()

    def followed(self, *, kept: bool, again: bool) -> None:
        """Take in that the last input came from the solver, and whether it went as promised."""
        self.events[-1] = _letter("s" if kept else "d", again=again)

    def refused(self, flip: Flip, *, proved: bool, again: bool) -> None:
        """Take in that there is no input for a side, or that none is known."""
        self.events.append(_letter("p" if proved else "u", again=again))
        state = NodeState.INFEASIBLE if proved else NodeState.UNKNOWN
        here = self._before(flip)
        step = flip.step
        if here is not None:
            place = self._place(here, negate(step.node), step.site, can_turn=True)
            if place is not None and self.nodes[place].state in (NodeState.INNER, NodeState.UNKNOWN):
                self.nodes[place].state = state

    def tested(self, runs: Iterable[Run]) -> None:
        """Take in which runs have become cases."""
        for run in runs:
            end = self._along(run, len(run.path))
            if end is not None and end != ROOT and self.nodes[end].state is NodeState.RUN:
                self.nodes[end].state = NodeState.TESTED

    def open_sides(self) -> list[GrowthNode]:
        """Return the sides of conditions that nobody has tried."""
        return [
            GrowthNode(one.parent, negate(one.node), one.site, len(self.events), NodeState.PENDING)
            for one in self.nodes
            if one.can_turn and (one.parent, negate(one.node).ident) not in self._places
        ]

    def _place(self, parent: int, node: Node, site: int, *, can_turn: bool) -> int | None:
        """The number of a node, which is new if need be; None where there is no room."""
        known = self._places.get((parent, node.ident))
        if known is None and len(self.nodes) < MOST_NODES:
            known = self._places[parent, node.ident] = len(self.nodes)
            self.nodes.append(GrowthNode(parent, node, site, len(self.events), can_turn=can_turn))
        return known

    def _before(self, flip: Flip) -> int | None:
        return self._along(flip.run, flip.index)

    def _along(self, run: Run, length: int) -> int | None:
        """The node that the first steps of a path lead to; None where it was cut."""
        here: int | None = ROOT
        for step in run.path[:length]:
            if step.kind != Kind.HINT and here is not None:
                here = self._places.get((here, step.node.ident))
        return here


def _letter(letter: str, *, again: bool) -> str:
    return letter.upper() if again else letter
