"""Which lengths to try for texts that z3 sees as lists of characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from runtime.expr import Node, Sort
from tracetwin.solving.constants import ConstantPool
from tracetwin.solving.task import Task

_LONGEST: Final = 40
_WIDEST: Final = 14
_ROOM: Final = 3
_TEXT: Final = (Sort.STR, Sort.BYTES)
_FLIPPED: Final = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq"}

Bounds = dict[str, tuple[int, int | None]]


def text_names(task: Task) -> list[str]:
    """The variables that are texts."""
    return [name for name in task.names if task.sorts[name] in _TEXT]


def mentions_texts(task: Task) -> bool:
    """Return whether a text occurs, be it an input or made of numbers."""
    return any(node.sort in _TEXT and node.op != "const" for node in task.nodes)


def bounds(task: Task) -> Bounds:
    """The smallest and greatest lengths that the conditions allow outright."""
    found: Bounds = dict.fromkeys(text_names(task), (0, None))
    for condition in task.roots:
        said = _said(condition)
        if said is None or said[0] not in found:
            continue
        name, op, number = said
        low, high = found[name]
        if op in ("gt", "ge", "eq"):
            low = max(low, number + (op == "gt"))
        if op in ("lt", "le", "eq"):
            most = number - (op == "lt")
            high = most if high is None else min(high, most)
        found[name] = low, high
    return found


def _said(condition: Node) -> tuple[str, str, int] | None:
    """``len(name) op number``, if the condition is that; a text that is not empty has a length above 0."""
    if len(condition.args) != 2:
        return None
    left, right, op = *condition.args, condition.op
    if left.op == "const":
        left, right, op = right, left, _FLIPPED.get(op, op)
    if op == "ne" and left.op == "var" and right.op == "const" and right.data in ("", b""):
        return str(left.data), "gt", 0
    if op == "eq" and left.op == "var" and isinstance(right.data, (str, bytes)):
        return str(left.data), "eq", len(right.data)
    if op not in _FLIPPED or left.op != "len" or left.args[0].op != "var" or not isinstance(right.data, int):
        return None
    return str(left.args[0].data), op, int(right.data)


def candidate_lengths(task: Task) -> Iterator[dict[str, tuple[int, int]]]:
    """Assignments of lengths: the current ones, then ranges of them."""
    allowed = bounds(task)
    fixed = {name: _fitting(len(task.current[name]), *limits) for name, limits in allowed.items()}  # type: ignore[arg-type]
    if any(length > _LONGEST for length in fixed.values()):
        return
    yield {name: (length, length) for name, length in fixed.items()}
    pool = ConstantPool(task.nodes)
    given = [len(text) for text in (*pool.texts, *pool.byte_strings)]
    given += [n for n in pool.numbers if isinstance(n, int) and 0 < n <= _WIDEST]
    seen = [tuple((n, n) for n in fixed.values())]
    for room in (_ROOM, 2 * _ROOM):
        wide = {}
        for name, (low, high) in allowed.items():
            most = max(fixed[name], min(max([low, *given]), _WIDEST)) + room
            wide[name] = low, most if high is None else min(most, high, _LONGEST)
        key = tuple(wide.values())
        if key not in seen:
            seen.append(key)
            yield wide


def _fitting(length: int, low: int, high: int | None) -> int:
    return max(low, length if high is None else min(length, high))


def cover(lengths: Mapping[str, tuple[int, int]], task: Task) -> bool:
    """Return whether the conditions allow no other lengths than these."""
    return all(
        lengths[name][0] <= low and high is not None and high <= lengths[name][1]
        for name, (low, high) in bounds(task).items()
    )
