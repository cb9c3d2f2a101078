"""Which lengths to try for texts that z3 sees as lists of characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtime.expr import Node, Sort
from tracetwin.solving.constants import Pool
from tracetwin.solving.task import Task

_LONGEST: Final = 40
_MOST: Final = 8
_TEXT: Final = (Sort.STR, Sort.BYTES)
_ARITHMETIC: Final = ("ord", "int")


def text_names(task: Task) -> list[str]:
    """The variables that are texts."""
    return [name for name in task.names if task.sorts[name] in _TEXT]


def calculates_with_characters(task: Task) -> bool:
    """Whether single characters are converted to numbers or compared by order."""
    for node in task.nodes:
        if node.op in _ARITHMETIC and node.args[0].op == "item" and node.args[0].args[0].sort in _TEXT:
            return True
        if node.op == "item" and node.args[0].sort is Sort.BYTES:
            return True
        if node.op in ("lt", "le", "gt", "ge") and any(_is_character(arg) for arg in node.args):
            return True
    return False


def _is_character(node: Node) -> bool:
    return node.op == "item" and node.sort is Sort.STR and node.args[0].sort is Sort.STR


def pinned_lengths(task: Task) -> dict[str, int]:
    """The lengths that the conditions state outright."""
    found: dict[str, int] = {}
    for condition in task.roots:
        if condition.op != "eq":
            continue
        left, right = condition.args
        if left.op == "const":
            left, right = right, left
        if (
            left.op == "len"
            and left.args[0].op == "var"
            and right.op == "const"
            and isinstance(right.data, int)
        ):
            found[str(left.args[0].data)] = right.data
    return found


def candidate_lengths(task: Task) -> Iterator[dict[str, int]]:
    """Assignments of lengths: the current ones, then one text at a time longer or shorter."""
    names = text_names(task)
    pinned = pinned_lengths(task)
    base = {name: pinned.get(name, len(task.current[name])) for name in names}  # type: ignore[arg-type]
    if any(not 0 <= length <= _LONGEST for length in base.values()):
        return
    yield base
    given = [n for n in Pool(task.nodes).numbers if isinstance(n, int) and 0 < n <= _LONGEST]
    tried = 1
    seen = {tuple(base.values())}
    for name in names:
        if name in pinned:
            continue
        here = base[name]
        for length in (here + 1, 1, 2, *given, *(n + 1 for n in given), here - 1, 3, 4, 8):
            lengths = {**base, name: length}
            key = tuple(lengths.values())
            if 0 <= length <= _LONGEST and key not in seen:
                seen.add(key)
                yield lengths
                tried += 1
                if tried >= _MOST:
                    return
