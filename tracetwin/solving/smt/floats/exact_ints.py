"""Exact floats and the ints that they become or are compared with: rounding, remainders, closeness.

Ints are bit-vectors here (`z3_bits`): z3's own ints do not mix with floats.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.bits.vectors import BitTerms
from tracetwin.solving.smt.terms import Term, Unsupported
from tracetwin.solving.smt.z3lib import z3

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_WIDE: Final = (15, 113)
"""Exponent and significand of a sort in which floats and ints of up to 113 bits are the numbers they are."""

_ROUNDING: Final[dict[str, Any]] = {
    "floor": z3.RTN,
    "ceil": z3.RTP,
    "trunc": z3.RTZ,
    "to_int": z3.RTZ,
    "int": z3.RTZ,
    "round": z3.RNE,
}


def _bits(tr: Translator) -> BitTerms:
    if not isinstance(tr.terms, BitTerms):
        raise Unsupported("an int among exact floats")
    return tr.terms


def _sort(tr: Translator) -> Any:
    return z3.Float64(tr.terms.context)


def _nearest(tr: Translator) -> Any:
    return z3.RNE(tr.terms.context)


def to_float(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``float(n)``."""
    context = tr.terms.context
    (a,) = args
    match node.args[0].sort:
        case Sort.FLOAT:
            return a
        case Sort.BOOL:
            return z3.If(a, tr.floats.constant(1.0), tr.floats.constant(0.0), context)
        case Sort.INT:
            _bits(tr)
            return z3.fpSignedToFP(_nearest(tr), a, _sort(tr), context)
        case _:
            raise Unsupported("a float of something else")


def wide(tr: Translator, arg: Node, term: Term) -> Term:
    """An operand of a comparison in a sort where neither ints nor floats are rounded."""
    context = tr.terms.context
    sort = z3.FPSort(*_WIDE, context)
    if arg.sort is Sort.FLOAT:
        return z3.fpFPToFP(_nearest(tr), term, sort, context)
    if arg.sort is Sort.BOOL:
        return z3.If(term, z3.FPVal(1.0, sort, ctx=context), z3.FPVal(0.0, sort, ctx=context), context)
    if _bits(tr).width > _WIDE[1]:
        raise Unsupported("an int of more bits")
    return z3.fpSignedToFP(_nearest(tr), term, sort, context)


def whole(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``int(x)``, ``round(x)`` and kin, of what fits into the width."""
    if len(args) != 1 or node.args[0].sort is not Sort.FLOAT:
        raise Unsupported("that rounding")
    t = _bits(tr)
    context = t.context
    rounded = z3.fpRoundToIntegral(_ROUNDING[node.op](context), args[0], context)
    limit = tr.floats.constant(2.0 ** (t.width - 2))
    tr.inexact()
    tr.side(z3.fpLT(z3.fpAbs(rounded, context), limit, context))
    return z3.fpToSBV(z3.RTZ(context), rounded, t.int_sort, context)


def _power_of_two(node: Node) -> float:
    """A constant divisor by which division is exact."""
    data = node.data
    if node.op == "const" and isinstance(data, (int, float)) and data > 0 and math.isfinite(data):
        fraction = Fraction(data)
        size = max(fraction.numerator, fraction.denominator)
        if size & (size - 1) == 0 and min(fraction.numerator, fraction.denominator) == 1 and size < 1 << 60:
            return float(data)
    raise Unsupported("a remainder by any number")


def remainder(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``x % y``, ``x // y`` and ``fmod(x, y)`` for a power of two `y`."""
    if node.args[0].sort is not Sort.FLOAT:
        raise Unsupported("an int divided by a float")
    context, nearest = tr.terms.context, _nearest(tr)
    divisor, a = _power_of_two(node.args[1]), args[0]
    y = tr.floats.constant(divisor)
    quotient = z3.fpDiv(nearest, a, y, context)
    tr.inexact()  # tiny operands may lose bits in the quotient
    if node.op == "floordiv":
        down = z3.fpRoundToIntegral(z3.RTN(context), quotient, context)
        return z3.If(z3.fpIsInf(a, context), z3.fpNaN(_sort(tr)), down, context)
    cut = z3.fpRoundToIntegral(z3.RTZ(context), quotient, context)
    rest = z3.fpSub(nearest, a, z3.fpMul(nearest, cut, y, context), context)
    if node.op == "math.fmod":
        return rest
    zero = tr.floats.constant(0.0)
    positive = z3.If(
        z3.fpLT(rest, zero, context), z3.fpAdd(nearest, rest, y, context), z3.fpAbs(rest, context), context
    )
    return z3.If(z3.fpIsInf(a, context), z3.fpNaN(_sort(tr)), positive, context)


def parts(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``math.modf``: what is before and behind the point."""
    context = tr.terms.context
    a = _operand(tr, node.args[0], args[0])
    cut = z3.fpRoundToIntegral(z3.RTZ(context), a, context)
    if node.op == "modf_whole":
        return cut
    tr.inexact()  # of the sign of zero
    rest = z3.fpSub(_nearest(tr), a, cut, context)
    return z3.If(z3.fpIsInf(a, context), tr.floats.constant(0.0), rest, context)


def scaled(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``math.ldexp(x, i)`` for a constant `i`."""
    exponent = node.args[1].data
    if node.args[1].op != "const" or not isinstance(exponent, int) or not -1000 < exponent < 1000:
        raise Unsupported("a variable exponent")
    number, scale = _operand(tr, node.args[0], args[0]), tr.floats.constant(2.0**exponent)
    return z3.fpMul(_nearest(tr), number, scale, tr.terms.context)


def with_sign(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``math.copysign(x, y)``."""
    context = tr.terms.context
    x, y = (_operand(tr, arg, term) for arg, term in zip(node.args, args, strict=True))
    tr.inexact()  # a NaN has a sign in Python
    size = z3.fpAbs(x, context)
    return z3.If(z3.fpIsNegative(y, context), z3.fpNeg(size, context), size, context)


def _operand(tr: Translator, arg: Node, term: Term) -> Term:
    """A float, or a number of another sort as one."""
    if arg.sort is Sort.FLOAT:
        return term
    if arg.sort is Sort.BOOL:
        return z3.If(term, tr.floats.constant(1.0), tr.floats.constant(0.0), tr.terms.context)
    if arg.op == "const" and isinstance(arg.data, int) and abs(arg.data) <= 1 << 53:
        return tr.floats.constant(float(arg.data))
    return z3.fpSignedToFP(_nearest(tr), term, _sort(tr), _bits(tr).context)


def close(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``math.isclose``, step by step as it is written in C."""
    t = tr.terms
    context, nearest = t.context, _nearest(tr)
    a, b = (_operand(tr, arg, term) for arg, term in zip(node.args[:2], args, strict=False))
    if len(args) == 2:
        relative, absolute = tr.floats.constant(1e-09), tr.floats.constant(0.0)
    else:
        relative, absolute = (
            _operand(tr, arg, term) for arg, term in zip(node.args[2:], args[2:], strict=True)
        )
    gap = z3.fpAbs(z3.fpSub(nearest, b, a, context), context)
    near = [
        z3.fpLEQ(gap, z3.fpAbs(z3.fpMul(nearest, relative, side, context), context), context)
        for side in (a, b)
    ]
    finite = t.not_(t.or_(z3.fpIsInf(a, context), z3.fpIsInf(b, context)))
    within = t.and_(finite, t.or_(*near, z3.fpLEQ(gap, absolute, context)))
    return t.or_(z3.fpEQ(a, b, context), within)


HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("floor", "ceil", "trunc", "to_int", "int", "round"), whole),
    **dict.fromkeys(("floordiv", "mod", "math.fmod"), remainder),
    **dict.fromkeys(("modf_whole", "modf_fraction"), parts),
    **dict.fromkeys(("to_float", "float"), to_float),
    "math.ldexp": scaled,
    "math.copysign": with_sign,
    "math.isclose": close,
}
