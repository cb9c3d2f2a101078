"""Which conditions and leaves are connected by shared variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from runtime.expr import Node
from tracetwin.solving.arithmetic.ordering import Reader


class Component(NamedTuple):
    """A group of connected leaves and conditions.

    Attributes:
        leaves: the leaves, numbered from 1.
        conditions: the conditions, in path order, each once.
    """

    leaves: tuple[int, ...]
    conditions: tuple[Node, ...]


def components(conditions: Sequence[Node], leaves: Sequence[Node], reader: Reader) -> list[Component]:
    """The groups with a leaf of the heap in which something is not about order, by their first leaves."""
    groups = Groups()
    for node in (*conditions, *leaves):
        groups.unite(node.names)
    hard = {groups.of(c.names) for c in conditions if reader.order(c) is None}
    hard |= {groups.of(leaf.names) for leaf in leaves if reader.anchor(leaf) is None}
    members: dict[str, list[int]] = {}
    for place, leaf in enumerate(leaves, 1):
        members.setdefault(groups.of(leaf.names), []).append(place)
    said: dict[str, dict[Node, None]] = {}
    for condition in conditions:
        said.setdefault(groups.of(condition.names), {})[condition] = None
    return [
        Component(tuple(places), tuple(said.get(group, ())))
        for group, places in members.items()
        if group in hard
    ]


class Groups:
    """Disjoint sets of names."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def unite(self, names: Iterable[str]) -> None:
        """Put names into one set."""
        first, *others = sorted(names) or [""]
        for other in others:
            self._above[self._find(other)] = self._find(first)

    def of(self, names: Iterable[str]) -> str:
        """Return the representative of the component that holds some names."""
        return self._find(min(names, default=""))

    def _find(self, name: str) -> str:
        root = name
        while (above := self._above.get(root, root)) != root:
            root = above
        while (above := self._above.get(name, name)) != root:
            self._above[name], name = root, above
        return root
