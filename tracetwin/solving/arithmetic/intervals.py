"""Between which ints a value must lie: bounds pushed up through an expression, operands first.

The interval of a node holds every value that the node can have where it has one; a boolean is an int
between 0 and 1. None in the place of a bound is no bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from runtime.expr import Node, Sort
from runtime.library_model import Model, follow

Interval: TypeAlias = tuple[int | None, int | None]

ANY: Final[Interval] = (None, None)
_BIT: Final[Interval] = (0, 1)
_MOST_SHIFT: Final = 512


def interval(node: Node, operands: Sequence[Interval]) -> Interval:
    """The interval of a node by those of its operands."""
    if node.op == "const":
        return (int(node.data), int(node.data)) if isinstance(node.data, int) else ANY
    if node.sort is Sort.INT:
        rule = _RULES.get(node.op)
        found = rule(node, operands) if rule is not None and _are_ints(node) else None
        return found or _FIXED.get(node.op) or _item(node)
    if node.sort is Sort.BOOL:
        return _test(node, operands) or _BIT
    return ANY


def _test(node: Node, operands: Sequence[Interval]) -> Interval | None:
    comparison = _COMPARISONS.get(node.op)
    if comparison is not None:
        return comparison(operands[0], operands[1]) if _are_ints(node) else None
    if any(arg.sort is not Sort.BOOL for arg in node.args):
        return None
    match node.op:
        case "not":
            return _inverted(operands[0])
        case "and":
            return _bits(operands, min)
        case "or":
            return _bits(operands, max)
        case "ite":
            return _choice(node, operands)
        case _:
            return None


def _are_ints(node: Node) -> bool:
    return all(arg.sort in (Sort.INT, Sort.BOOL) for arg in node.args)


def meet(left: Interval, right: Interval) -> Interval:
    """Return the intersection; empty, with the lower bound above the upper, where nothing lies in both."""
    low = left[0] if right[0] is None else right[0] if left[0] is None else max(left[0], right[0])
    high = left[1] if right[1] is None else right[1] if left[1] is None else min(left[1], right[1])
    return low, high


def is_empty(one: Interval) -> bool:
    """Return whether no int lies in it."""
    return one[0] is not None and one[1] is not None and one[0] > one[1]


def _join(left: Interval, right: Interval) -> Interval:
    low = None if left[0] is None or right[0] is None else min(left[0], right[0])
    high = None if left[1] is None or right[1] is None else max(left[1], right[1])
    return low, high


def plus(left: Interval, right: Interval) -> Interval:
    """The sums."""
    low = None if left[0] is None or right[0] is None else left[0] + right[0]
    high = None if left[1] is None or right[1] is None else left[1] + right[1]
    return low, high


def times(one: Interval, factor: int) -> Interval:
    """The multiples by a constant."""
    low, high = (None if bound is None else bound * factor for bound in one)
    return (low, high) if factor > 0 else (high, low) if factor < 0 else (0, 0)


def _constant(node: Node, place: int) -> int | None:
    arg = node.args[place]
    return int(arg.data) if arg.op == "const" and isinstance(arg.data, int) else None


def _product(node: Node, operands: Sequence[Interval]) -> Interval | None:
    for place in (0, 1):
        factor = _constant(node, place)
        if factor is not None:
            return times(operands[1 - place], factor)
    if node.args[0] is node.args[1]:
        return 0, None
    (a, b), (c, d) = operands
    if a is None or b is None or c is None or d is None:
        return (a * c, None) if a is not None and c is not None and a >= 0 and c >= 0 else None
    corners = (a * c, a * d, b * c, b * d)
    return min(corners), max(corners)


def _quotient(node: Node, operands: Sequence[Interval]) -> Interval | None:
    divisor = _constant(node, 1)
    if divisor is None or divisor <= 0:
        return None
    low, high = operands[0]
    return None if low is None else low // divisor, None if high is None else high // divisor


def _remainder(node: Node, operands: Sequence[Interval]) -> Interval | None:
    divisor = _constant(node, 1)
    if divisor is None or divisor == 0:
        return None
    low, high = operands[0]
    if divisor > 0:
        inside = low is not None and high is not None and 0 <= low and high < divisor
        return (low, high) if inside else (0, divisor - 1)
    return divisor + 1, 0


def _magnitude(_: Node, operands: Sequence[Interval]) -> Interval:
    low, high = operands[0]
    if low is not None and low >= 0:
        return low, high
    return 0, None if low is None or high is None else max(-low, high)


def _masked(node: Node, operands: Sequence[Interval]) -> Interval | None:
    highs = [high for low, high in operands if low is not None and low >= 0]
    if not highs:
        return _mixed(node, operands)
    return 0, min((high for high in highs if high is not None), default=None)


def _mixed(_: Node, operands: Sequence[Interval]) -> Interval | None:
    """Of ``|`` and ``^``: as many bits as the longer operand."""
    (a, b), (c, d) = operands
    if a is None or b is None or c is None or d is None:
        return (0, None) if a is not None and c is not None and a >= 0 and c >= 0 else None
    bits = max(max(-low - 1, high).bit_length() for low, high in ((a, b), (c, d)))
    return (0 if a >= 0 and c >= 0 else -(1 << bits)), (1 << bits) - 1


def _shifted_left(_: Node, operands: Sequence[Interval]) -> Interval | None:
    (low, high), most = operands[0], operands[1][1]
    if low is None or high is None or most is None or not 0 <= most <= _MOST_SHIFT:
        return (0, None) if low is not None and low >= 0 else None
    return min(low << most, low), max(high << most, high)


def _bits_needed(node: Node, operands: Sequence[Interval]) -> Interval:
    high = _magnitude(node, operands)[1]
    return 0, None if high is None else high.bit_length()


def _shifted_right(node: Node, operands: Sequence[Interval]) -> Interval | None:
    count = _constant(node, 1)
    if count is None or not 0 <= count <= _MOST_SHIFT:
        low, high = operands[0]
        return None if low is None else min(low, 0), None if high is None else max(high, 0)
    low, high = operands[0]
    return None if low is None else low >> count, None if high is None else high >> count


def _choice(_: Node, operands: Sequence[Interval]) -> Interval:
    if operands[0] == (1, 1):
        return operands[1]
    return operands[2] if operands[0] == (0, 0) else _join(operands[1], operands[2])


def _bit(low: bool, high: bool) -> Interval:
    """A boolean that is true in any case (`low`), or may be (`high`)."""
    return int(low), int(high)


def _less(left: Interval, right: Interval) -> Interval:
    surely = left[1] is not None and right[0] is not None and left[1] < right[0]
    never = left[0] is not None and right[1] is not None and left[0] >= right[1]
    return _bit(surely, not never)


def _inverted(one: Interval) -> Interval:
    return 1 - (one[1] or 0), 1 - (one[0] or 0)


def _equal(left: Interval, right: Interval) -> Interval:
    surely = left == right and left[0] is not None and left[0] == left[1]
    return _bit(surely, not is_empty(meet(left, right)))


_RULES: Final[dict[str, Callable[[Node, Sequence[Interval]], Interval | None]]] = {
    "add": lambda _, operands: plus(operands[0], operands[1]),
    "sub": lambda _, operands: plus(operands[0], times(operands[1], -1)),
    "mul": _product,
    "neg": lambda _, operands: times(operands[0], -1),
    "floordiv": _quotient,
    "mod": _remainder,
    "abs": _magnitude,
    "and_": _masked,
    "or_": _mixed,
    "xor": _mixed,
    "invert": lambda _, operands: plus(times(operands[0], -1), (-1, -1)),
    "lshift": _shifted_left,
    "rshift": _shifted_right,
    "bit_length": _bits_needed,
    "bit_count": _bits_needed,
    "to_int": lambda _, operands: operands[0],
    "ite": _choice,
}

_FIXED: Final[dict[str, Interval]] = {
    "len": (0, None),
    "ord": (0, 0x10FFFF),
    "str.find": (-1, None),
    "str.rfind": (-1, None),
    "bytes.find": (-1, None),
    "bytes.rfind": (-1, None),
    "str.count": (0, None),
    "bytes.count": (0, None),
}


def _item(node: Node) -> Interval:
    return (0, 255) if node.op == "item" and node.args[0].sort is Sort.BYTES else ANY


_COMPARISONS: Final[dict[str, Callable[[Interval, Interval], Interval]]] = {
    "lt": _less,
    "gt": lambda left, right: _less(right, left),
    "ge": lambda left, right: _inverted(_less(left, right)),
    "le": lambda left, right: _inverted(_less(right, left)),
    "eq": _equal,
    "ne": lambda left, right: _inverted(_equal(left, right)),
}


def _bits(operands: Sequence[Interval], choose: Callable[[int, int], int]) -> Interval:
    """`and` is the lesser, `or` the greater of two booleans."""
    (a, b), (c, d) = operands
    return choose(a or 0, c or 0), choose(1 if b is None else b, 1 if d is None else d)


def _enter(model: Model) -> None:
    """Use the bounds of a library model."""
    if model.bounds is not None:
        _FIXED[model.operator] = model.bounds


follow(_enter)
