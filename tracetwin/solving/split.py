"""Keep of a problem what its goal depends on: the conditions that share variables with it, transitively."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.expr import Node


def relevant(conditions: Iterable[Node], goal: Node) -> tuple[Node, ...]:
    """The conditions linked to `goal` by shared variables, in path order, without repetitions.

    The rest holds on the current values, and goes on holding as long as its variables keep them.
    Conditions are first grouped by their set of variables: paths are long, but the different sets few.
    """
    groups: dict[frozenset[str], list[Node]] = {}
    order: dict[Node, int] = {}
    for condition in conditions:
        if condition.names and condition not in order:
            order[condition] = len(order)
            groups.setdefault(condition.names, []).append(condition)
    kept = [condition for names in _reachable(groups, goal.names) for condition in groups[names]]
    kept.sort(key=order.__getitem__)
    return tuple(condition for condition in kept if condition is not goal)


def _reachable(groups: Iterable[frozenset[str]], start: frozenset[str]) -> list[frozenset[str]]:
    """The name sets connected to `start`; each set and each name is visited once."""
    holders: dict[str, list[frozenset[str]]] = {}
    for names in groups:
        for name in names:
            holders.setdefault(name, []).append(names)
    found: dict[frozenset[str], None] = {}
    seen: set[str] = set()
    waiting = sorted(start)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for names in holders.get(name, ()):
            if names not in found:
                found[names] = None
                waiting.extend(sorted(names - seen))
    return list(found)
