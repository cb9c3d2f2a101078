"""Functions of ints for z3: bits needed, powers with a modulus, rounding to tens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runtime.expr import Node
from tracetwin.solving.smt.ints import operators
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_NO_FLOAT: Final = (1 << 1024) - (1 << 970)
_MOST_BITS: Final = 128
_MOST_POWERS: Final = 128
_MOST_SQUARINGS: Final = 40


def _magnitude(tr: Translator, a: Term) -> Term:
    t = tr.terms
    return t.ite(t.lt(a, t.int(0)), t.neg(a), a)


def _bit_length(tr: Translator, node: Node, args: list[Term]) -> Term:
    """By comparison with the powers of two; beyond the largest of them any more."""
    t = tr.terms
    size = _magnitude(tr, tr.ints(node, args)[0])
    result = tr.abstract(node)
    tr.side(t.or_(t.lt(size, t.int(1 << _MOST_BITS)), t.lt(t.int(_MOST_BITS), result)))
    for bits in range(_MOST_BITS, -1, -1):
        result = t.ite(t.lt(size, t.int(1 << bits)), t.int(bits), result)
    return result


def _power(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``a ** b`` with one of them constant, and ``pow(a, b, m)`` with a constant modulus."""
    if len(node.args) == 3:
        return _modular_power(tr, node, args)
    base = constant(node.args[0])
    if base is None or constant(node.args[1]) is not None:
        return operators.HANDLERS["pow"](tr, node, args)
    if abs(base) > 1 << 16:
        raise Unsupported("a power of a large number")
    return tr.chosen(node, tr.ints(node, args)[1], [base**e for e in range(_MOST_POWERS)])


def _modular_power(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    base, _, modulus = tr.ints(node, args)
    exponent, number = constant(node.args[1]), constant(node.args[2])
    if number is None or number < 1:
        raise Unsupported("a variable modulus")
    if exponent is None:
        known = constant(node.args[0])
        if known is None:
            raise Unsupported("a variable power of a variable")
        return tr.chosen(node, tr.ints(node, args)[1], [pow(known, e, number) for e in range(_MOST_POWERS)])
    if abs(exponent) >= 1 << _MOST_SQUARINGS:
        raise Unsupported("a power that large")
    one = t.mod(t.int(1), modulus)
    square, power, rest = t.mod(base, modulus), one, abs(exponent)
    while rest:
        if rest & 1:
            power = t.mod(t.mul(power, square), modulus)
        rest >>= 1
        if rest:
            square = t.mod(t.mul(square, square), modulus)
    if exponent >= 0:
        return power
    inverse = tr.auxiliary(t.int_sort)  # there is one wherever Python has a result
    tr.side(t.and_(t.le(t.int(0), inverse), t.lt(inverse, modulus)))
    tr.side(t.eq(t.mod(t.mul(power, inverse), modulus), one))
    return inverse


def _round(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``round(n, -digits)``: the nearest multiple, of two the even one."""
    t = tr.terms
    digits = constant(node.args[1]) if len(node.args) > 1 else 0
    if digits is None:
        raise Unsupported("rounding to a variable number of digits")
    a = tr.ints(node, args)[0]
    if digits >= 0:
        return a
    scale = t.int(10**-digits)
    quotient, rest = t.div(a, scale), t.mod(a, scale)
    twice = t.mul(t.int(2), rest)
    odd = t.eq(t.mod(quotient, t.int(2)), t.int(1))
    up = t.or_(t.lt(scale, twice), t.and_(t.eq(scale, twice), odd))
    return t.mul(t.ite(up, t.add(quotient, t.int(1)), quotient), scale)


def _fits_float(tr: Translator, node: Node, args: list[Term]) -> Term:
    """Return whether ``float(n)`` rounds to a finite float."""
    t = tr.terms
    return t.lt(_magnitude(tr, tr.ints(node, args)[0]), t.int(_NO_FLOAT))


HANDLERS: Final[dict[str, Handler]] = {
    **operators.HANDLERS,
    "to_float_ok": _fits_float,
    "bit_length": _bit_length,
    "pow": _power,
    "round": _round,
}
