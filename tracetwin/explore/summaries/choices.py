"""Which choices between the kinds of an attribute a path does not depend on.

A free receiver decides at once what each attribute holds, None or a node say, and so each such decision
stands on every path. Paths that are the same but for the decision on one attribute do not depend on it; one
general path says what they say. It claims no less than they do: where two decisions matter only together, it
may propose too much, which a run then refutes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from runtime.expr import Node, Sort, var

if TYPE_CHECKING:
    from tracetwin.explore.summaries.summary import MethodPath


def without_choices(paths: Sequence[MethodPath]) -> list[MethodPath]:
    """The paths, those with a choice that does not matter marked as members, and general ones without it."""
    groups: dict[object, list[int]] = {}
    for place, path in enumerate(paths):
        groups.setdefault(_core(path), []).append(place)
    members: set[int] = set()
    found: dict[object, MethodPath] = {}
    for places in groups.values():
        group = [paths[place] for place in places]
        idle = _idle(group)
        for place in places:
            path = paths[place]
            if any(_choice(node) in idle for node in path.condition):
                members.add(place)
                general = _general(path, idle, group)
                found.setdefault((general.condition, _core(path)), general)
    marked = [replace(path, member=True) if i in members else path for i, path in enumerate(paths)]
    return [*marked, *found.values()]


def _choice(node: Node) -> str:
    """The name of the attribute whose kind a conjunct decides, "" where it does something else."""
    if node.op in ("eq", "ne") and node.args[0].op == "var" and node.args[1].op == "const":
        name = str(node.args[0].data)
        if name.startswith("self.") and name.endswith("?"):
            return name[:-1]
    return ""


def _core(path: MethodPath) -> object:
    """All of a path but the choices, and but the attributes that it leaves as they were."""
    others = tuple(node for node in path.condition if not _choice(node))
    changed = tuple(
        (name, value) for name, value in sorted(path.after.items()) if not _is_same(path, name, value)
    )
    run = path.run
    return (run.status, run.detail, run.result, repr(run.value), tuple(sorted(run.outcomes)), others, changed)


def _is_same(path: MethodPath, name: str, value: Node) -> bool:
    """Return whether a variable has the value afterwards that it had before."""
    if value.op == "var" and value.data == name:
        return True
    return name.endswith("?") and _decided(path.condition).get(name[:-1]) == value.data


def _decided(condition: Iterable[Node]) -> dict[str, object]:
    """Return the kinds of attributes that a condition decides."""
    return {name: node.args[1].data for node in condition if node.op == "eq" and (name := _choice(node))}


def _idle(group: Sequence[MethodPath]) -> frozenset[str]:
    """The attributes of which a group of paths has several kinds."""
    seen: dict[str, set[object]] = {}
    for path in group:
        for node in path.condition:
            name = _choice(node)
            if name:
                seen.setdefault(name, set()).add((node.op, node.args[1].data))
    others = (node for path in group for node in path.condition if not _choice(node))
    spoken_of = {name for node in others for name in node.names}
    return frozenset(
        name for name, kinds in seen.items()
        if len(kinds) > 1 and not any(_is_within(other, name) for other in spoken_of)
    )  # fmt: skip


def _is_within(name: str, attribute: str) -> bool:
    """Return whether a variable belongs to what an attribute holds."""
    return name == attribute or (name.startswith(attribute) and name[len(attribute)] in ".[|#?")


def _general(path: MethodPath, idle: frozenset[str], group: Sequence[MethodPath]) -> MethodPath:
    condition = tuple(node for node in path.condition if _choice(node) not in idle)
    same: dict[str, Node] = {}
    for other in group:
        for name, value in other.after.items():
            if _is_same(other, name, value) and any(_is_within(name, attribute) for attribute in idle):
                same[name] = var(name, Sort.INT if name.endswith("?") else value.sort)
    after: Mapping[str, Node] = {**path.after, **same}
    return replace(path, condition=condition, after=after, exact=False, general=True, member=False)
