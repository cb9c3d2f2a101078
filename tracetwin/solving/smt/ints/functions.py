"""Functions of ints for z3: bits needed, divisors, powers with a modulus, factorials, rounding to tens."""

from __future__ import annotations

import math
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
_MOST_DIVISORS: Final = 64
_MOST_FACTORIAL: Final = 25
_MOST_CHOSEN: Final = 16
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


def _divisors(number: int) -> list[int]:
    """All divisors of a number, or none where they are too many or too hard to find."""
    found = [1]
    rest, factor = number, 2
    while factor * factor <= rest and factor < 5000:
        power = 1
        powers = []
        while rest % factor == 0:
            rest //= factor
            power *= factor
            powers.append(power)
        found += [d * p for d in found for p in powers]
        factor += 1
    if rest > 1:
        if factor * factor <= rest:
            return []
        found += [d * rest for d in found]
    return sorted(found) if len(found) <= _MOST_DIVISORS else []


def _gcd(tr: Translator, node: Node, args: list[Term]) -> Term:
    """The greatest divisor of a constant that divides the other; for two variables, some common divisor."""
    t = tr.terms
    if len(args) != 2:
        raise Unsupported("a common divisor of more")
    a, b = tr.ints(node, args)
    number = constant(node.args[1])
    if number is None:
        number, a, b = constant(node.args[0]), b, a
    zero = t.int(0)
    if number is None:
        return _some_divisor(tr, node, a, b)
    if number == 0:
        return _magnitude(tr, a)
    divisors = _divisors(abs(number))
    if not divisors:
        raise Unsupported("a number of many divisors")
    result = t.int(1)
    for divisor in divisors[1:]:
        result = t.ite(t.eq(t.mod(a, t.int(divisor)), zero), t.int(divisor), result)
    return result


def _some_divisor(tr: Translator, node: Node, a: Term, b: Term) -> Term:
    t = tr.terms
    zero = t.int(0)
    result = tr.abstract(node)
    first, second = tr.auxiliary(t.int_sort), tr.auxiliary(t.int_sort)
    tr.side(t.le(zero, result))
    tr.side(t.and_(t.eq(a, t.mul(result, first)), t.eq(b, t.mul(result, second))))
    tr.side(t.or_(t.lt(zero, result), t.and_(t.eq(a, zero), t.eq(b, zero))))
    return result


def _lcm(tr: Translator, node: Node, args: list[Term]) -> Term:
    """Some common multiple that is not above the product."""
    t = tr.terms
    if len(args) != 2:
        raise Unsupported("a common multiple of more")
    a, b = tr.ints(node, args)
    result = tr.abstract(node)
    first, second = tr.auxiliary(t.int_sort), tr.auxiliary(t.int_sort)
    tr.side(t.and_(t.eq(result, t.mul(a, first)), t.eq(result, t.mul(b, second))))
    tr.side(t.and_(t.le(t.int(0), result), t.le(result, _magnitude(tr, t.mul(a, b)))))
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
    return _chosen(tr, node, tr.ints(node, args)[1], [base**e for e in range(_MOST_POWERS)])


def _chosen(tr: Translator, node: Node, index: Term, values: list[int]) -> Term:
    """The value with that number; any value for a number that is none of theirs."""
    t = tr.terms
    result = tr.abstract(node)
    for place in range(len(values) - 1, -1, -1):
        result = t.ite(t.eq(index, t.int(place)), t.int(values[place]), result)
    return result


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
        return _chosen(tr, node, tr.ints(node, args)[1], [pow(known, e, number) for e in range(_MOST_POWERS)])
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


def _factorial(tr: Translator, node: Node, args: list[Term]) -> Term:
    return _chosen(tr, node, tr.ints(node, args)[0], [math.factorial(n) for n in range(_MOST_FACTORIAL)])


def _combinations(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``comb(n, k)`` and ``perm(n, k)``: a table where one is constant or both are small."""
    function = math.comb if node.op == "math.comb" else math.perm
    terms = tr.ints(node, args)
    if len(node.args) == 1:
        return _factorial(tr, node, args)
    n, k = constant(node.args[0]), constant(node.args[1])
    if (n or 0) < 0 or (k or 0) < 0:
        raise Unsupported("a choice of or among less than nothing")
    if n is not None and n <= _MOST_POWERS:
        return _chosen(tr, node, terms[1], [function(n, i) for i in range(n + 2)])
    if k is not None and k <= _MOST_POWERS:
        return _chosen(tr, node, terms[0], [function(i, k) for i in range(_MOST_POWERS)])
    if n is not None or k is not None:
        raise Unsupported("a choice among that many")
    t = tr.terms
    size = _MOST_CHOSEN
    values = [function(i, j) for i in range(size) for j in range(size)]
    inside = t.and_(*[t.and_(t.le(t.int(0), term), t.lt(term, t.int(size))) for term in terms])
    place = t.add(t.mul(terms[0], t.int(size)), terms[1])
    return _chosen(tr, node, t.ite(inside, place, t.int(-1)), values)


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
    """Whether ``float(n)`` rounds to a finite float."""
    t = tr.terms
    return t.lt(_magnitude(tr, tr.ints(node, args)[0]), t.int(_NO_FLOAT))


HANDLERS: Final[dict[str, Handler]] = {
    **operators.HANDLERS,
    "to_float_ok": _fits_float,
    **dict.fromkeys(("math.comb", "math.perm"), _combinations),
    "bit_length": _bit_length,
    "math.gcd": _gcd,
    "math.lcm": _lcm,
    "math.factorial": _factorial,
    "pow": _power,
    "round": _round,
}
