"""Integers and booleans for z3: unbounded integers with Python's signs of ``//`` and ``%``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.terms import Term, Terms, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_MOST_EXPONENT: Final = 8
_MOST_SHIFT: Final = 512
_MOST_SYMBOLIC_SHIFT: Final = 16
_MOST_RUNS: Final = 12


def constant(node: Node) -> int | None:
    """The value of a constant int or bool node."""
    return int(node.data) if node.op == "const" and isinstance(node.data, int) else None


def floordiv(t: Terms, a: Term, b: Term, divisor: int | None) -> Term:
    """Python's ``a // b``: rounds down; z3's rounds so that the remainder is not negative."""
    if divisor is not None and divisor > 0:
        return t.div(a, b)
    negative = t.div(t.neg(a), t.neg(b))
    return negative if divisor is not None else t.ite(t.lt(t.int(0), b), t.div(a, b), negative)


def modulo(t: Terms, a: Term, b: Term, divisor: int | None) -> Term:
    """Python's ``a % b``: has the sign of the divisor."""
    if divisor is not None and divisor > 0:
        return t.mod(a, b)
    negative = t.neg(t.mod(t.neg(a), t.neg(b)))
    return negative if divisor is not None else t.ite(t.lt(t.int(0), b), t.mod(a, b), negative)


def masked(t: Terms, a: Term, mask: int) -> Term:
    """``a & mask``, exactly: each run of ones in the mask cuts out a digit range of `a`."""
    if mask < 0:
        return t.sub(a, masked(t, a, ~mask))
    parts = []
    for low, width in runs_of_ones(mask):
        shifted = t.div(a, t.int(1 << low)) if low else a
        cut = t.mod(shifted, t.int(1 << width))
        parts.append(t.mul(t.int(1 << low), cut) if low else cut)
    if len(parts) > _MOST_RUNS:
        raise Unsupported("a mask with many runs")
    return t.add(*parts) if len(parts) > 1 else parts[0] if parts else t.int(0)


def runs_of_ones(mask: int) -> Iterator[tuple[int, int]]:
    """(lowest bit, width) of each run of ones in a mask that is not negative."""
    low = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        low += zeros
        ones = (mask ^ (mask + 1)).bit_length() - 1
        yield low, ones
        mask >>= ones
        low += ones


def _binary(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a, b = tr.ints(node, args)
    match node.op:
        case "add":
            return t.add(a, b)
        case "sub":
            return t.sub(a, b)
        case "mul":
            return t.mul(a, b)
        case "floordiv":
            return floordiv(t, a, b, constant(node.args[1]))
        case "mod":
            return modulo(t, a, b, constant(node.args[1]))
        case _:
            raise Unsupported(node.op)


def _power(tr: Translator, node: Node, args: list[Term]) -> Term:
    exponent = constant(node.args[1])
    if len(node.args) != 2 or exponent is None or not 0 <= exponent <= _MOST_EXPONENT:
        raise Unsupported("a power with a variable or large exponent")
    base = tr.ints(node, args)[0]
    return tr.terms.mul(*[base] * exponent) if exponent > 1 else base if exponent else tr.terms.int(1)


def _shift(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a, b = tr.ints(node, args)
    count = constant(node.args[1])

    def shifted(places: int) -> Term:
        factor = t.int(1 << places)
        return t.mul(a, factor) if node.op == "lshift" else t.div(a, factor)

    if count is not None:
        if not 0 <= count <= _MOST_SHIFT:
            raise Unsupported("a shift by that much")
        return shifted(count)
    result = tr.abstract(node)
    for places in range(_MOST_SYMBOLIC_SHIFT, -1, -1):
        result = t.ite(t.eq(b, t.int(places)), shifted(places), result)
    return result


def _bits(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    if node.sort is Sort.BOOL:
        a, b = args
        return {"and_": t.and_(a, b), "or_": t.or_(a, b), "xor": t.not_(t.eq(a, b))}[node.op]
    a, b = tr.ints(node, args)
    mask = constant(node.args[1])
    if mask is None:
        mask, a, b = constant(node.args[0]), b, a
    if mask is None:
        return _symbolic_bits(tr, node, a, b)
    both = masked(t, a, mask)
    if node.op == "and_":
        return both
    total = t.add(a, t.int(mask))
    return t.sub(total, both if node.op == "or_" else t.mul(t.int(2), both))


def _symbolic_bits(tr: Translator, node: Node, a: Term, b: Term) -> Term:
    """Both operands vary: a new variable, with facts that hold whenever both are not negative."""
    t = tr.terms
    result = tr.abstract(node)
    zero = t.int(0)
    natural = t.and_(t.le(zero, a), t.le(zero, b))
    match node.op:
        case "and_":
            facts = t.and_(t.le(zero, result), t.le(result, a), t.le(result, b))
        case "or_":
            facts = t.and_(t.le(a, result), t.le(b, result), t.le(result, t.add(a, b)))
        case _:
            facts = t.and_(t.le(zero, result), t.le(result, t.add(a, b)))
    tr.side(t.or_(t.not_(natural), facts))
    return result


def _unary(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    (a,) = tr.ints(node, args)
    match node.op:
        case "neg":
            return t.neg(a)
        case "abs":
            return t.ite(t.lt(a, t.int(0)), t.neg(a), a)
        case "invert":
            return t.sub(t.int(-1), a)
        case _:  # conversions of an int to int
            return a


def _round(tr: Translator, node: Node, args: list[Term]) -> Term:
    digits = constant(node.args[1]) if len(node.args) > 1 else 0
    if digits is None or digits < 0:
        raise Unsupported("round to tens")
    return tr.ints(node, args)[0]


def _comparison(tr: Translator, node: Node, args: list[Term]) -> Term:
    if node.op in ("eq", "ne") and all(a.sort is Sort.BOOL for a in node.args):
        return tr.terms.compare(node.op, *args)
    return tr.terms.compare(node.op, *tr.ints(node, args))


def _logic(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    if any(a.sort is not Sort.BOOL for a in node.args):
        raise Unsupported("logic on other values than booleans")
    match node.op:
        case "not":
            return t.not_(args[0])
        case "and":
            return t.and_(*args)
        case _:
            return t.or_(*args)


HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("add", "sub", "mul", "floordiv", "mod"), _binary),
    **dict.fromkeys(("neg", "abs", "invert", "to_int", "int", "floor", "ceil", "trunc"), _unary),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _comparison),
    **dict.fromkeys(("not", "and", "or"), _logic),
    **dict.fromkeys(("and_", "or_", "xor"), _bits),
    "pow": _power,
    "lshift": _shift,
    "rshift": _shift,
    "round": _round,
}
