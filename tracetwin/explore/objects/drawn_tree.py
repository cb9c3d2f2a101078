"""The constraint tree of an exploration in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tracetwin.explore.loop.growth import Growth, GrowthNode
from tracetwin.explore.loop.run import Run
from tracetwin.explore.summaries.wording import name_text, text
from tracetwin.model.tree import DrawnTree, TreeNode

LONGEST: Final = 160
"""Characters of one condition, and of one value."""

MOST_VALUES: Final = 12
"""Values of one input."""


def drawn(growth: Growth, cases: Iterable[Run], *, complete: bool) -> DrawnTree:
    """Return a tree with its conditions in Python's words.

    `complete`: nothing is left to try, so that no side of it waits.
    """
    growth.tested(cases)
    waiting = [] if complete else growth.open_sides()
    nodes = (_node(grown, growth.words) for grown in [*growth.nodes, *waiting])
    return DrawnTree(tuple(nodes), growth.cut)


def _node(grown: GrowthNode, words: dict[int, str]) -> TreeNode:
    if grown.node.ident not in words:
        words[grown.node.ident] = _short(text(grown.node))
    return TreeNode(
        grown.parent,
        words[grown.node.ident],
        grown.site,
        grown.order,
        grown.state,
        tuple(_values(grown.values)),
        _short(grown.ending),
    )


def _values(values: Mapping[str, object]) -> list[tuple[str, str]]:
    shown = [(name_text(name), _short(repr(value))) for name, value in values.items()]
    return shown[:MOST_VALUES]


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"

