"""A constraint tree as people look at it: conditions and inputs in Python's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from runtime.expr import Node
from tracetwin.explore.loop.growth import ROOT, Growth, GrowthNode
from tracetwin.explore.loop.run import Run
from tracetwin.explore.summaries.wording import condition_text, decision_text, name_text, text
from tracetwin.model.tree import DrawnTree, NodeState, TreeNode
from tracetwin.support.text import is_a, without_addresses

LONGEST: Final = 160
"""Characters of one condition, and of one value."""

MOST_OPERATIONS: Final = 100
"""Operations of one condition that are written: no more of them fit."""

MOST_VALUES: Final = 12
"""Values of one input."""

Kinds = dict[str, tuple[str, ...]]
"""For variables that choose an alternative what each number stands for, in words."""


def drawn(growth: Growth, cases: Iterable[Run], most: int, *, complete: bool) -> DrawnTree:
    """Return a tree with its conditions in Python's words, without the limits of inputs.

    Args:
        growth: the tree as the search knows it.
        cases: the runs that have become cases.
        most: how many nodes are written, those first that came first.
        complete: nothing is left to try, so that no side of it waits.
    """
    growth.tested(cases)
    waiting = [] if complete else growth.open_sides()
    kinds = _kinds(growth)
    places = {ROOT: ROOT}
    nodes: list[TreeNode] = []
    written = 0
    for number, grown in enumerate([*growth.nodes, *waiting]):
        parent = places[grown.parent]
        if grown.state is NodeState.INNER and _limit(grown) is not None:
            places[number] = parent
            continue
        places[number] = written
        written += 1
        if written <= most:
            nodes.append(_node(grown, parent, growth.words, kinds))
    return DrawnTree(tuple(nodes), growth.cut + written - len(nodes), "".join(growth.events))


def _node(grown: GrowthNode, parent: int, words: dict[int, str], kinds: Kinds) -> TreeNode:
    if grown.node.ident not in words:
        words[grown.node.ident] = _short(_condition(grown.node, kinds))
    values = tuple(_values(grown.values, kinds))[:MOST_VALUES]
    return TreeNode(
        parent, words[grown.node.ident], grown.site, grown.order, grown.state, values, _short(grown.ending)
    )


def _condition(node: Node, kinds: Kinds) -> str:
    told = condition_text([node], kinds, MOST_OPERATIONS)
    return text(node, MOST_OPERATIONS) if told == "True" else told


def _limit(grown: GrowthNode) -> tuple[str, int] | None:
    """The variable and the bound of a condition that says within which limits inputs are made, else None."""
    node = grown.node
    if grown.can_turn or grown.site or node.op not in ("ge", "le", "lt", "gt"):
        return None
    left, right = node.args
    if left.op != "var" or right.op != "const" or not isinstance(right.data, int):
        return None
    return str(left.data), right.data if node.op == "lt" else 0


def _kinds(growth: Growth) -> Kinds:
    """The alternatives of choices: as they were told, or types of which inputs have shown a value."""
    counts: dict[str, int] = {}
    types = {name: {at: word for at, word in enumerate(told) if word} for name, told in growth.kinds.items()}
    for one in growth.nodes:
        name, count = _limit(one) or ("", 0)
        if name.endswith("?") and count:
            counts[name] = count
        for choice, number in one.values.items():
            if choice.endswith("?") and isinstance(number, int):
                for value in _chosen(one.values, choice, number):
                    types.setdefault(choice, {}).setdefault(number, is_a(type(value).__name__))
    return {
        name: tuple(types[name].get(number, f"is of kind {number}") for number in range(count))
        for name, count in counts.items()
        if name in types
    }


def _chosen(values: Mapping[str, object], choice: str, number: int) -> Iterator[object]:
    """The value of the alternative that was chosen, if it is one that is not made of others."""
    name = choice[:-1] if number == 0 else f"{choice[:-1]}|{number}"
    if name in values:
        yield values[name]


def _values(values: Mapping[str, object], kinds: Kinds) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if name.endswith("?") and isinstance(value, int):
            if any(True for _ in _chosen(values, name, value)):
                continue  # the value itself says it
            words = kinds.get(name, ())
            if 0 <= value < len(words):
                yield name_text(name).removeprefix("kind of "), words[value].removeprefix("is ")
                continue
        if isinstance(value, int) and (told := decision_text(name, "eq", value)):
            if value:  # what is not there, or not done, goes without saying
                yield told, "yes"
            continue
        yield name_text(name), _short(without_addresses(repr(value)))


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
