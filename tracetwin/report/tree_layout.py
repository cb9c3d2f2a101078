"""Places for the nodes of a constraint tree: leaves under each other, depth from left to right.

Conditions between which nothing branches off are one box: in the tree of a parser most nodes have one child.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tracetwin.report.result import Node, Tree
from tracetwin.support.data import dataclass


@dataclass
class Box:
    """One or several nodes in a row.

    Attributes:
        nodes: from the root on.
        children: what follows.
        parent: the box before.
        depth: how many boxes are before it.
        row: where it stands, in leaves from the top.
    """

    nodes: list[Node]
    children: list[Box] = field(default_factory=list)
    parent: Box | None = None
    depth: int = 0
    row: float = 0.0

    @property
    def last(self) -> Node:
        """The last of its nodes, which says how it ends."""
        return self.nodes[-1]

    @property
    def order(self) -> int:
        """When the first of its nodes came."""
        return self.nodes[0].order


def laid_out(tree: Tree) -> list[Box]:
    """Return the boxes of a tree with their places, parents before children."""
    children: dict[int, list[int]] = {}
    for number, node in enumerate(tree.nodes):
        children.setdefault(node.parent, []).append(number)
    found: list[Box] = []
    rows = 0
    waiting: list[tuple[int, Box | None]] = [(number, None) for number in reversed(children.get(-1, []))]
    while waiting:
        number, parent = waiting.pop()
        box = Box([tree.nodes[number]], parent=parent, depth=parent.depth + 1 if parent else 0)
        after: Sequence[int] = children.get(number, [])
        while _goes_on(box, after, tree):
            box.nodes.append(tree.nodes[after[0]])
            after = children.get(after[0], [])
        found.append(box)
        if parent is not None:
            parent.children.append(box)
        waiting += [(each, box) for each in reversed(after)]
        if not after:
            box.row = rows
            rows += 1
    for box in reversed(found):
        if box.children:
            box.row = (box.children[0].row + box.children[-1].row) / 2
    return found


def _goes_on(box: Box, after: Sequence[int], tree: Tree) -> bool:
    """Return whether what follows belongs in the same box: nothing branches off, no other function begins."""
    return (
        len(after) == 1 and box.last.state == "inner" and tree.nodes[after[0]].function == box.last.function
    )
