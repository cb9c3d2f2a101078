"""Keep of a problem what its goal depends on: the conditions that share variables with it, transitively."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from runtime.expr import Node

Link: TypeAlias = str | Node
"""A link between conditions: a variable, or a node with many variables, which stands for all of them."""


def relevant(conditions: Iterable[Node], goal: Node) -> tuple[Node, ...]:
    """The conditions linked to `goal` by shared variables, in path order, without repetitions.

    The rest holds on the current values, and goes on holding as long as its variables keep them.
    Conditions are first grouped by what they are linked to: paths are long, but the different sets few.
    """
    groups: dict[frozenset[Link], list[Node]] = {}
    order: dict[Node, int] = {}
    large: dict[Node, None] = {}
    for condition in conditions:
        links = _links(condition, large)
        if links and condition not in order:
            order[condition] = len(order)
            groups.setdefault(links, []).append(condition)
    start = _links(goal, large)
    for node in _all_large(large):
        groups.setdefault(_links(node, large) | {node}, [])
    kept = [condition for links in _reachable(groups, start) for condition in groups[links]]
    kept.sort(key=order.__getitem__)
    return tuple(condition for condition in kept if condition is not goal)


def _links(node: Node, large: dict[Node, None]) -> frozenset[Link]:
    """The variables of a node, or where they are many, those of its operands and the large operands."""
    if node.few is not None:
        return node.few
    links: set[Link] = set()
    for arg in node.args:
        if arg.few is None:
            links.add(arg)
            large[arg] = None
        else:
            links |= arg.few
    return frozenset(links)


def _all_large(large: dict[Node, None]) -> list[Node]:
    """The nodes noted as large and the large ones below them, each once."""
    waiting = list(large)
    seen = set(waiting)
    for node in waiting:
        for arg in node.args:
            if arg.few is None and arg not in seen:
                seen.add(arg)
                waiting.append(arg)
    return waiting


def _reachable(groups: Iterable[frozenset[Link]], start: frozenset[Link]) -> list[frozenset[Link]]:
    """The groups connected to `start`; each group and each link is visited once."""
    holders: dict[Link, list[frozenset[Link]]] = {}
    for links in groups:
        for link in links:
            holders.setdefault(link, []).append(links)
    found: dict[frozenset[Link], None] = {}
    seen = set(start)
    waiting = list(start)
    while waiting:
        for links in holders.get(waiting.pop(), ()):
            if links not in found:
                found[links] = None
                fresh = links - seen
                seen |= fresh
                waiting.extend(fresh)
    return list(found)


def names_of(nodes: Iterable[Node]) -> set[str]:
    """The variables of some nodes; what they share is looked at once."""
    names: set[str] = set()
    stack = list(nodes)
    seen = set(stack)
    while stack:
        node = stack.pop()
        if node.few is not None:
            names |= node.few
            continue
        fresh = [arg for arg in node.args if arg not in seen]
        seen.update(fresh)
        stack.extend(fresh)
    return names
