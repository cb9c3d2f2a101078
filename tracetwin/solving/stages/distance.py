"""How far values are from making conditions true (Korel's branch distance), from an evaluated program."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from runtime.expr import Node
from runtime.library_model import Model, follow
from tracetwin.solving.program import UNDEFINED, Program

_FAR: Final = 1.0
_VAST: Final = 1e299
_SCALES: Final = 2000.0  # more than twice the logarithm of the largest float
_LEAST: Final = 5e-324
_DEEPEST: Final = 60
_FLIPPED: Final = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}


def near(distance: float) -> float:
    """A distance pressed into [0, 1), so that no condition outweighs the others.

    Half of it tells the small ones apart, half of it the large ones.
    """
    if distance >= _VAST:
        return _FAR
    return 0.5 * distance / (distance + 1.0) + math.log2(distance + 1.0) / _SCALES


class Distance:
    """Sums the distances of all roots of a program; zero exactly when all hold."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[Node, bool], float] = {}  # of the values of this moment

    def total(self, values: Mapping[str, object]) -> float:
        """Evaluate, and add up how far each root is from true."""
        self._program.run(values)
        self._known.clear()
        return sum(self.of(root, True, 0) for root in self._program.failing())

    def of(self, node: Node, wanted: bool, depth: int) -> float:
        """How far `node` is from being `wanted`, between 0 and 1; what conditions share is measured once."""
        known = self._known.get((node, wanted))
        if known is None:
            known = self._known[node, wanted] = self._of(node, wanted, depth)
        return known

    def _of(self, node: Node, wanted: bool, depth: int) -> float:
        value = self._program.value(node)
        if value is not UNDEFINED and bool(value) is wanted:
            return 0.0
        if depth > _DEEPEST:
            return _FAR
        op, args = node.op, node.args
        if op == "not":
            return self.of(args[0], not wanted, depth + 1)
        if op in ("and", "or"):
            both = [self.of(arg, wanted, depth + 1) for arg in args]
            return sum(both) / 2 if (op == "and") is wanted else min(both)
        if op == "ite":
            condition = self._program.value(args[0])
            if condition is UNDEFINED:
                return _FAR
            return self.of(args[1] if condition else args[2], wanted, depth + 1)
        if value is UNDEFINED:
            return _FAR
        operands = [self._program.value(arg) for arg in args]
        if any(operand is UNDEFINED for operand in operands):
            return _FAR
        return max(near(_raw(op, operands, wanted)), _LEAST)


def _raw(op: str, operands: list[Any], wanted: bool) -> float:
    if op in _FLIPPED:
        return _comparison(op if wanted else _FLIPPED[op], *operands)
    measure = _MEASURES.get(op) or _MEASURES.get(op.partition(".")[2])
    if measure is None or not wanted:
        return 1.0
    try:
        return measure(*operands)
    except (TypeError, ValueError):
        return 1.0


def _comparison(op: str, left: Any, right: Any) -> float:
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return _numbers(op, left, right)
    if isinstance(left, (str, bytes)) and type(left) is type(right):
        if op == "eq":
            return text_distance(left, right)
        return 1.0 if op == "ne" else _order(left, right)
    return 1.0


def _numbers(op: str, left: float, right: float) -> float:
    try:
        gap = float(abs(left - right))
    except OverflowError:
        gap = _VAST
    if math.isnan(gap):
        return _VAST
    if op in ("lt", "gt") and gap == 0.0:
        return 0.5
    return 0.5 if op == "ne" else gap


def text_distance(left: Any, right: Any) -> float:
    """Differing length counts most, then each differing character by its distance."""
    total = 2.0 * abs(len(left) - len(right))
    for a, b in zip(_codes(left), _codes(right), strict=False):
        if a != b:
            total += 0.5 + near(abs(a - b) / 8) / 2
    return total


def _codes(text: Any) -> list[int]:
    return [ord(ch) for ch in text] if isinstance(text, str) else list(text)


def _order(left: Any, right: Any) -> float:
    for a, b in zip(_codes(left), _codes(right), strict=False):
        if a != b:
            return float(abs(a - b))
    return 1.0


def _contains(container: Any, element: Any) -> float:
    if isinstance(container, (tuple, list, set, frozenset, dict)):
        return min((_comparison("eq", element, value) for value in container), default=1.0)
    if isinstance(element, int):
        element = bytes([element])
    windows = range(max(1, len(container) - len(element) + 1))
    return min(text_distance(container[i : i + len(element)], element) for i in windows)


def _startswith(text: Any, prefix: Any, *_: Any) -> float:
    options = prefix if isinstance(prefix, tuple) else (prefix,)
    return min((text_distance(text[: len(option)], option) for option in options), default=1.0)


def _endswith(text: Any, suffix: Any, *_: Any) -> float:
    options = suffix if isinstance(suffix, tuple) else (suffix,)
    return min((text_distance(text[max(0, len(text) - len(o)) :], o) for o in options), default=1.0)


def _each(test: Callable[[Any], bool]) -> Callable[[Any], float]:
    """The number of characters that fail a test; empty texts fail too."""

    def measure(text: Any) -> float:
        bad = sum(not test(text[i : i + 1]) for i in range(len(text)))
        return float(bad) if bad else 1.0

    return measure


def _is_number(text: Any, *_: Any) -> float:
    if not isinstance(text, (str, bytes)) or not text:
        return 2.0
    return 0.5 + sum(not text[i : i + 1].isdigit() for i in range(len(text)))


_MEASURES: Final[dict[str, Callable[..., float]]] = {
    "contains": _contains,
    "startswith": _startswith,
    "endswith": _endswith,
    "int_ok": _is_number,
    "float_ok": _is_number,
    "isupper": _each(lambda text: not text.islower()),
    "islower": _each(lambda text: not text.isupper()),
}


def _enter(model: Model) -> None:
    """Use the distance of a library model."""
    if model.distance is not None:
        _MEASURES[model.operator] = model.distance


follow(_enter)
