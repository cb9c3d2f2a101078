"""Functions of floats as functions of real numbers: parts, remainders, closeness."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_MOST_BITS: Final = 14
_LEAST_EXPONENT, _MOST_EXPONENT = -20, 64


def reals(tr: Translator, node: Node, args: list[Term]) -> list[Term]:
    """The operands as reals."""
    tr.inexact()
    t = tr.terms
    whole = tr.ints(node, args)
    return [w if arg.sort is Sort.FLOAT else t.to_real(w) for arg, w in zip(node.args, whole, strict=True)]


def _size(tr: Translator, a: Term) -> Term:
    t = tr.terms
    return t.ite(t.lt(a, t.real(Fraction(0))), t.neg(a), a)


def _cut(tr: Translator, a: Term) -> Term:
    """Without what is behind the point, as a real."""
    t = tr.terms
    up = t.neg(t.floor(t.neg(a)))
    return t.to_real(t.ite(t.lt(a, t.real(Fraction(0))), up, t.floor(a)))


def nearest(tr: Translator, a: Term) -> Term:
    """The nearest int, of two the even one."""
    t = tr.terms
    two = t.int(2)
    down = t.floor(t.add(a, t.real(Fraction(1, 2))))
    tie = t.eq(t.to_real(down), t.add(a, t.real(Fraction(1, 2))))
    return t.ite(t.and_(tie, t.eq(t.mod(down, two), t.int(1))), t.sub(down, t.int(1)), down)


def _parts(tr: Translator, node: Node, args: list[Term]) -> Term:
    (a,) = reals(tr, node, args)
    cut = _cut(tr, a)
    return cut if node.op == "modf_whole" else tr.terms.sub(a, cut)


def _fmod(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a, b = reals(tr, node, args)
    quotient = t.div(a, b)
    times = _cut(tr, quotient) if node.op == "math.fmod" else t.to_real(nearest(tr, quotient))
    return t.sub(a, t.mul(b, times))


def _ratio(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``x.as_integer_ratio()``: the least power of two that makes a whole number of `x`."""
    t = tr.terms
    (a,) = reals(tr, node, args)
    result = tr.abstract(node)
    for bits in range(_MOST_BITS, -1, -1):
        scaled = t.mul(a, t.real(Fraction(1 << bits)))
        down = t.floor(scaled)
        value = t.int(1 << bits) if node.op == "ratio_denominator" else down
        result = t.ite(t.eq(scaled, t.to_real(down)), value, result)
    return result


def _frexp(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    (a,) = reals(tr, node, args)
    size = _size(tr, a)
    is_exponent = node.op == "frexp_exponent"
    result = tr.abstract(node)
    for exponent in range(_MOST_EXPONENT, _LEAST_EXPONENT, -1):
        value = t.int(exponent) if is_exponent else t.mul(a, t.real(Fraction(2) ** -exponent))
        result = t.ite(t.lt(size, t.real(Fraction(2) ** exponent)), value, result)
    zero = t.int(0) if is_exponent else t.real(Fraction(0))
    return t.ite(t.eq(a, t.real(Fraction(0))), zero, result)


def _scaled(tr: Translator, node: Node, args: list[Term]) -> Term:
    exponent = constant(node.args[1])
    if exponent is None or abs(exponent) > 1000:
        raise Unsupported("a variable exponent")
    return tr.terms.mul(reals(tr, node, args)[0], tr.terms.real(Fraction(2) ** exponent))


def _copysign(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a, b = reals(tr, node, args)
    size = _size(tr, a)
    return t.ite(t.lt(b, t.real(Fraction(0))), t.neg(size), size)


def _close(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a, b, *tolerances = reals(tr, node, args)
    relative, absolute = tolerances or (t.real(Fraction(1e-09)), t.real(Fraction(0)))
    gap = _size(tr, t.sub(a, b))
    near = [t.le(gap, t.mul(relative, _size(tr, side))) for side in (a, b)]
    return t.or_(*near, t.le(gap, absolute))


def _sum(tr: Translator, node: Node, args: list[Term]) -> Term:
    terms = reals(tr, node, args)
    return tr.terms.add(*terms) if len(terms) > 1 else terms[0] if terms else tr.terms.real(Fraction(0))


def root(tr: Translator, square: Term) -> Term:
    """The square root, as a new variable."""
    t = tr.terms
    result = tr.auxiliary(t.real_sort)
    zero = t.real(Fraction(0))
    tr.side(t.and_(t.le(zero, result), t.eq(t.mul(result, result), square)))
    return result


def _hypot(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    return root(tr, t.add(*[t.mul(a, a) for a in reals(tr, node, args)]))


def _dist(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    terms = reals(tr, node, args)
    half = len(terms) // 2
    gaps = [t.sub(a, b) for a, b in zip(terms[:half], terms[half:], strict=True)]
    return root(tr, t.add(*[t.mul(gap, gap) for gap in gaps]))


def _quotient(tr: Translator, node: Node, args: list[Term]) -> Term:
    """A part of the quotient of two complex numbers."""
    t = tr.terms
    a, b, c, d = reals(tr, node, args)
    size = t.add(t.mul(c, c), t.mul(d, d))
    if node.op == "cdiv_real":
        return t.div(t.add(t.mul(a, c), t.mul(b, d)), size)
    return t.div(t.sub(t.mul(b, c), t.mul(a, d)), size)


def _complex_power(tr: Translator, node: Node, args: list[Term]) -> Term:
    """A part of a small power of a complex number."""
    t = tr.terms
    exponent = node.args[2].data
    if not isinstance(exponent, float) or exponent not in (2.0, 3.0, 4.0) or node.args[3].data != 0.0:
        raise Unsupported("that power")
    a, b, *_ = reals(tr, node, args)
    x, y = a, b
    for _ in range(int(exponent) - 1):
        x, y = t.sub(t.mul(x, a), t.mul(y, b)), t.add(t.mul(x, b), t.mul(y, a))
    return x if node.op == "cpow_real" else y


def _next(tr: Translator, node: Node, args: list[Term]) -> Term:
    """Next to it, as good as the same: search does the rest."""
    return reals(tr, node, args)[0]


HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("modf_whole", "modf_fraction"), _parts),
    **dict.fromkeys(("math.fmod", "math.remainder"), _fmod),
    **dict.fromkeys(("ratio_numerator", "ratio_denominator"), _ratio),
    **dict.fromkeys(("frexp_mantissa", "frexp_exponent"), _frexp),
    **dict.fromkeys(("math.hypot", "magnitude"), _hypot),
    **dict.fromkeys(("math.fsum", "sum"), _sum),
    **dict.fromkeys(("cdiv_real", "cdiv_imag"), _quotient),
    **dict.fromkeys(("cpow_real", "cpow_imag"), _complex_power),
    "math.dist": _dist,
    "math.ldexp": _scaled,
    "math.copysign": _copysign,
    "math.isclose": _close,
    "math.nextafter": _next,
}
