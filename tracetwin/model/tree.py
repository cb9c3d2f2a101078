"""The constraint tree of a function, as it is shown to people."""

from __future__ import annotations

import enum
from dataclasses import replace
from typing import Any, Final

from tracetwin.support.data import dataclass

MOST_NODES: Final = 6_000
"""Nodes of the constraint trees of a module, shared out among its functions."""

LEAST_NODES: Final = 100
"""Nodes of one function, however many there are."""


def share_of_nodes(functions: int) -> int:
    """Return how many nodes the tree of each of so many functions may have."""
    return max(LEAST_NODES, MOST_NODES // max(1, functions))


class NodeState(enum.Enum):
    """The fates of nodes: inner ones have none, the others are ends (the kinds of JTestCraft, 3.3)."""

    INNER = "inner"
    TESTED = "tested"
    RUN = "run"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One side of one condition, after those above it.

    Attributes:
        parent: the number of the node above, -1 for none.
        text: the condition in Python's words.
        site: where, a number of the twin; not positive where it is about the input alone.
        order: when it came; nodes of one run have the same.
        values: the input that ended here, by name, as source.
        line: of the source; 0 where it belongs to none.
        function: what the condition stands in, by qualified name; "" where that is not known.
    """

    parent: int
    text: str
    site: int
    order: int
    state: NodeState
    values: tuple[tuple[str, str], ...] = ()
    ending: str = ""
    line: int = 0
    function: str = ""

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {
            "parent": self.parent,
            "text": self.text,
            "line": self.line,
            "function": self.function,
            "order": self.order,
            "state": self.state.value,
            "values": dict(self.values),
            "ending": self.ending,
        }


EVENTS: Final = {
    "r": "an input was run",
    "s": "the solver found an input; it went as promised",
    "d": "the solver found an input; it went another way (a divergence)",
    "p": "the solver proved that nothing leads there",
    "u": "the solver gave up",
}
"""The letters for what made a tree grow; they are capitals where something was tried once more."""


@dataclass(frozen=True)
class DrawnTree:
    """A constraint tree.

    Attributes:
        nodes: parents before children.
        cut: how many found no room.
        events: what happened in order, a letter of `EVENTS` each; nodes tell by number when they came.
    """

    nodes: tuple[TreeNode, ...] = ()
    cut: int = 0
    events: str = ""

    def first(self, most: int) -> DrawnTree:
        """Return it with so many of its nodes, those first that came first."""
        return replace(self, nodes=self.nodes[:most], cut=self.cut + max(0, len(self.nodes) - most))

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        nodes = [node.to_plain() for node in self.nodes]
        return {"nodes": nodes, "cut": self.cut, "events": self.events}
