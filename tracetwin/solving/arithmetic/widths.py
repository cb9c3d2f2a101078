"""Tasks that mix bits, and how many of them their ints need."""

from __future__ import annotations

from typing import Final

from runtime.expr import Node, Sort
from tracetwin.solving.arithmetic.intervals import Interval, interval, meet
from tracetwin.solving.task import Task

WIDEST: Final = 128
_SPARE: Final = 2  # for the sign, and for a sum of two
_OPEN: Final = (34, 66)
"""Widths to try where there are inputs without bounds."""

_MIXING: Final = frozenset(("and_", "or_", "xor", "lshift", "rshift", "bit_count"))
_MOST_STEPS: Final = 4
_ORDERS: Final = ("le", "lt", "ge", "gt", "eq")
_MIRRORED: Final = {"le": "ge", "lt": "gt", "ge": "le", "gt": "lt", "eq": "eq"}


def mixes_bits(task: Task) -> bool:
    """Return whether bits of several values meet, or bit operations follow each other in number."""
    steps = 0
    for node in task.nodes:
        if node.op not in _MIXING or node.sort is not Sort.INT:
            continue
        if node.op == "bit_count" or all(arg.op != "const" for arg in node.args):
            return True
        if node.op in ("lshift", "rshift") and node.args[1].op != "const":
            return True
        steps += 1
    return steps >= _MOST_STEPS


def known_bounds(task: Task) -> dict[str, Interval]:
    """Between which ints each int input lies, as the conditions say outright."""
    bounds: dict[str, Interval] = {}
    for root in task.roots:
        if root.op not in _ORDERS:
            continue
        left, right = root.args
        op = root.op
        if left.op == "const":
            left, right, op = right, left, _MIRRORED[op]
        if left.op == "var" and left.sort is Sort.INT and right.op == "const" and isinstance(right.data, int):
            name = str(left.data)
            bounds[name] = meet(bounds.get(name, (None, None)), _bound(op, int(right.data)))
    return bounds


def _bound(op: str, limit: int) -> Interval:
    match op:
        case "le":
            return None, limit
        case "lt":
            return None, limit - 1
        case "ge":
            return limit, None
        case "gt":
            return limit + 1, None
        case _:
            return limit, limit


def masked_inputs(task: Task) -> dict[str, int]:
    """The inputs of which only some low bits matter, and the greatest value that these can have.

    Whatever holds for such an input holds for its low bits alone.
    """
    greatest: dict[str, int] = {}
    others: set[str] = set()
    for node in task.nodes:
        for place, arg in enumerate(node.args):
            if arg.op != "var" or arg.sort is not Sort.INT:
                continue
            name = str(arg.data)
            mask = node.args[1 - place].data if node.op == "and_" else None
            if isinstance(mask, int) and mask >= 0:
                greatest[name] = max(greatest.get(name, 0), (1 << int(mask).bit_length()) - 1)
            else:
                others.add(name)
    return {name: most for name, most in greatest.items() if name not in others}


def width_for(task: Task, bounds: dict[str, tuple[int, int]]) -> int | None:
    """How many bits all values need when the inputs keep to `bounds`; None where there is no telling."""
    known: dict[Node, Interval] = {}
    bits = 1
    for node in task.nodes:
        found = interval(node, [known[arg] for arg in node.args])
        if node.op == "var" and node.sort is Sort.INT:
            found = bounds.get(str(node.data), found)
        known[node] = found
        if node.sort is not Sort.INT:
            continue
        low, high = found
        if low is None or high is None:
            return None
        bits = max(bits, low.bit_length(), high.bit_length())
    return bits + _SPARE


def widths(task: Task, bounds: dict[str, tuple[int, int]]) -> list[int]:
    """The widths worth trying, the most promising first."""
    found = width_for(task, bounds)
    if found is not None:
        return [found] if found <= WIDEST else []
    constants = [int(n.data) for n in task.nodes if n.op == "const" and isinstance(n.data, int)]
    least = max((value.bit_length() for value in constants), default=1) + _SPARE
    return [max(width, least) for width in _OPEN if max(width, least) <= WIDEST]
