"""Families of paths that differ in a list's length, and the general path of each.

A push pins the length of the list: on lists of no, one and two elements it has three paths. Where they agree
in everything else, one general path says what a push does to any list: the length grows by one. It is a
conclusion from examples, so a sequence found by it is only a proposal, and nothing is proved by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from runtime.expr import Node, Sort, apply, const_int, var
from tracetwin.explore.summaries.logic import CanonicalConditions, Substitution

if TYPE_CHECKING:
    from tracetwin.explore.summaries.summary import MethodPath

_LEAST: Final = 2
"""Lengths from which the rest is concluded."""

_DEEPEST: Final = 3
"""Lengths that one path may depend on."""


def generalised(paths: Sequence[MethodPath], canonical: CanonicalConditions) -> list[MethodPath]:
    """The paths, those of a family marked as its members, and a general path for every family.

    Where a path depends on several lengths, its family has families in its turn.
    """
    done = [path for path in paths if path.member]
    level = [path for path in paths if not path.member]
    for _ in range(_DEEPEST):
        level, found = _one_length(level, canonical)
        done += level
        level = found
    return [*done, *level]


def _one_length(
    paths: Sequence[MethodPath], canonical: CanonicalConditions
) -> tuple[list[MethodPath], list[MethodPath]]:
    """The paths, marked, and the general ones of their families."""
    families: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    for place, path in enumerate(paths):
        for length, number in _pins(path) if path.returns else ():
            families.setdefault(_key(path, length, number), []).append((number, place))
    members: set[int] = set()
    found: dict[tuple[object, ...], MethodPath] = {}
    for key, places in families.items():
        if len({number for number, _ in places}) >= _LEAST:
            members.update(place for _, place in places)
            general = _general(str(key[0]), [(number, paths[place]) for number, place in places], canonical)
            found.setdefault((general.condition, tuple(sorted(general.after))), general)
    marked = [replace(path, member=True) if i in members else path for i, path in enumerate(paths)]
    return marked, list(found.values())


def _pins(path: MethodPath) -> Iterator[tuple[str, int]]:
    """The lengths that a path holds at one number, with the number."""
    for node in path.condition:
        if node.op == "eq" and node.args[0].op == "var" and node.args[1].op == "const":
            name, number = str(node.args[0].data), node.args[1].data
            if name.endswith("#") and name.startswith("self.") and isinstance(number, int):
                yield name, number


def _key(path: MethodPath, length: str, number: int) -> tuple[object, ...]:
    """Return the key of a family; its first item is the length that sets the members apart."""
    last = _from_the_end(length, number)
    others = tuple(last(node) for node in path.condition if not _is_bound_of(node, length))
    values = tuple(
        (name, last(node)) for name, node in sorted(path.after.items())
        if not name.startswith(f"{length[:-1]}[") and name != length
    )  # fmt: skip
    change = _change(path, length, number)
    return (length, path.run.status, tuple(sorted(path.run.outcomes)), others, values, change)


def _change(path: MethodPath, length: str, number: int) -> int | None:
    after = path.after.get(length)
    if after is None or after.op != "const":
        return None
    return after.data - number if isinstance(after.data, int) else None


def _is_bound_of(node: Node, length: str) -> bool:
    """Return whether a conjunct speaks of the length only."""
    return node.names == {length}


def _from_the_end(length: str, number: int) -> Substitution:
    """The last element, by whatever place, is ``self.items[-1]``."""
    last = f"{length[:-1]}[{number - 1}]"

    def renamed(name: str, node: Node) -> Node:
        return var(name.replace(last, f"{length[:-1]}[-1]", 1), node.sort) if name.startswith(last) else node

    return Substitution(renamed)


def _general(
    length: str, members: list[tuple[int, MethodPath]], canonical: CanonicalConditions
) -> MethodPath:
    members.sort(key=lambda pair: pair[0])
    number, first = members[0]
    last = _from_the_end(length, number)
    size = var(length, Sort.INT)
    at_least = apply("ge", Sort.BOOL, size, const_int(number))
    kept = [last(node) for node in first.condition if not _is_bound_of(node, length)]
    change = _change(first, length, number)
    values = {
        name: last(node) for name, node in first.after.items() if not name.startswith(f"{length[:-1]}[")
    }
    values.pop(length, None)
    if change is not None:
        values[length] = apply("add", Sort.INT, size, const_int(change))
    run = first.run
    if len({repr(member.run.value) for _, member in members}) > 1:
        run = replace(run, value=None, result="")  # what it returns depends on the length
    condition = canonical((*kept, at_least))
    return replace(
        first, run=run, condition=condition, after=values, exact=False, general=True, member=False
    )
