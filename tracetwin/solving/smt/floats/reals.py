"""Floats as real numbers: fast, but only a guess. No proof rests on it; models are rounded, then checked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from runtime.meanings.arithmetic import MAY_OVERFLOW
from tracetwin.solving.smt.encoding import Encoding
from tracetwin.solving.smt.floats import real_functions
from tracetwin.solving.smt.floats.real_functions import nearest, reals, root
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Terms, Unsupported
from tracetwin.solving.smt.z3lib import z3

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_DIGITS: Final = 20
_FRACTIONS: Final = 64
_MOST_EXPONENT: Final = 6
_LARGEST: Final = {
    **dict.fromkeys(("exp_ok", "expm1_ok"), 709.79),
    **dict.fromkeys(("sinh_ok", "cosh_ok"), 710.48),
    "exp2_ok": 1024.0,
}
"""From about which operand on the result of a function is too large for a float."""


class Reals(Encoding):
    """The encoding."""

    kind = "float"
    name = "reals"
    sound = False
    real = True

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.handlers = HANDLERS

    def constant(self, value: Any) -> Term:
        """A finite float, exactly."""
        if not math.isfinite(value):
            raise Unsupported("no real number")
        return self.terms.real(Fraction(value))

    def variable(self, name: str, sort: Sort) -> Term:
        return self.terms.variable(name, self.terms.real_sort)

    def fresh(self, hint: str, sort: Sort) -> Term:
        return self.terms.fresh(self.terms.real_sort, hint)

    def value(self, model: Any, term: Term, sort: Sort) -> object:
        """The float next to the model's number, which may be rational or algebraic."""
        return to_float(model.eval(term, model_completion=True))

    def late_guesses(self, variables: Iterable[Term]) -> list[Term]:
        """That all inputs are multiples of a small power of two: little is rounded then."""
        t = self.terms
        step = t.real(Fraction(1, _FRACTIONS))
        return [
            t.eq(variable, t.mul(t.to_real(t.fresh(t.int_sort, "multiple")), step))
            for variable in variables
            if getattr(variable, "is_real", bool)()
        ]


def to_float(number: Any) -> float:
    """The float nearest to a z3 numeral."""
    if z3.is_algebraic_value(number):
        number = number.approx(_DIGITS)
    if not z3.is_rational_value(number):
        raise Unsupported("a float that has no value in the model")
    try:
        return float(Fraction(number.numerator_as_long(), number.denominator_as_long()))
    except OverflowError:
        return math.inf if number.numerator_as_long() > 0 else -math.inf


def _binary(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a, b = reals(tr, node, args)
    match node.op:
        case "add":
            return t.add(a, b)
        case "sub":
            return t.sub(a, b)
        case "mul":
            return t.mul(a, b)
        case "truediv":
            return t.div(a, b)
        case "floordiv":
            return t.to_real(t.floor(t.div(a, b)))
        case _:
            return t.sub(a, t.mul(b, t.to_real(t.floor(t.div(a, b)))))


def _power(tr: Translator, node: Node, args: list[Term]) -> Term:
    base = reals(tr, node, args)[0]
    data = node.args[1].data
    if node.args[1].op != "const" or not isinstance(data, (int, float)) or abs(data) > _MOST_EXPONENT:
        raise Unsupported("a power with a variable or large exponent")
    if data == 0.5:
        return root(tr, base)
    if data != int(data):
        raise Unsupported("a fractional power")
    times = abs(int(data))
    one = tr.terms.real(Fraction(1))
    product = tr.terms.mul(*[base] * times) if times > 1 else base if times else one
    return product if data >= 0 else tr.terms.div(one, product)


def _unary(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a = reals(tr, node, args)[0]
    below = t.lt(a, t.real(Fraction(0)))
    match node.op:
        case "neg":
            return t.neg(a)
        case "abs" | "math.fabs":
            return t.ite(below, t.neg(a), a)
        case "math.sqrt":
            return root(tr, a)
        case "math.degrees":
            return t.mul(a, t.real(Fraction(180 / math.pi)))
        case "math.radians":
            return t.mul(a, t.real(Fraction(math.pi / 180)))
        case _:  # conversions to float
            return a


def _whole(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a = reals(tr, node, args)[0]
    down, up = t.floor(a), t.neg(t.floor(t.neg(a)))
    match node.op:
        case "floor":
            return down
        case "ceil":
            return up
        case "is_integer":
            return t.eq(a, t.to_real(down))
        case _:  # conversions to int
            return t.ite(t.lt(a, t.real(Fraction(0))), up, down)


def _fits(tr: Translator, node: Node, args: list[Term]) -> Term:
    """That a result is not too large for a float."""
    t = tr.terms
    limit = t.real(Fraction(2) ** 1024)
    if node.op in ("pow_fits", "pow_ok"):
        result = _power(tr, node, args)
    elif node.op == "ldexp_ok":
        result = real_functions.HANDLERS["math.ldexp"](tr, node, args)
    elif node.op in _LARGEST:
        result, limit = reals(tr, node, args)[0], t.real(Fraction(_LARGEST[node.op]))
    else:
        raise Unsupported("how large that gets")
    return t.and_(t.lt(result, limit), t.lt(t.neg(limit), result))


def _finite(tr: Translator, node: Node, _args: list[Term]) -> Term:
    tr.inexact()
    return tr.terms.bool(node.op == "math.isfinite")


def _round(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a = reals(tr, node, args)[0]
    digits = constant(node.args[1]) if len(node.args) > 1 else 0
    if digits is None or not 0 <= digits <= 6:
        raise Unsupported("that rounding")
    scale = t.real(Fraction(10**digits))
    whole = nearest(tr, t.mul(a, scale))
    return whole if node.sort is Sort.INT else t.div(t.to_real(whole), scale)


def _comparison(tr: Translator, node: Node, args: list[Term]) -> Term:
    if node.op in ("eq", "ne"):
        for place, other in ((0, 1), (1, 0)):
            if node.args[place].op == "truediv":  # without division it may be linear
                a, b = (tr.done[arg].term for arg in node.args[place].args)
                a, b = reals(tr, node.args[place], [a, b])
                return tr.terms.compare(node.op, a, tr.terms.mul(b, reals(tr, node, args)[other]))
    return tr.terms.compare(node.op, *reals(tr, node, args))


HANDLERS: Final[dict[str, Handler]] = {
    **real_functions.HANDLERS,
    **dict.fromkeys(("pow_fits", *(f"{name}_ok" for name in MAY_OVERFLOW)), _fits),
    **dict.fromkeys(("add", "sub", "mul", "truediv", "floordiv", "mod"), _binary),
    **dict.fromkeys(("neg", "abs", "math.fabs", "math.sqrt", "to_float", "float"), _unary),
    **dict.fromkeys(("math.degrees", "math.radians"), _unary),
    **dict.fromkeys(("to_int", "int", "trunc", "floor", "ceil", "is_integer"), _whole),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _comparison),
    **dict.fromkeys(("math.isnan", "math.isinf", "math.isfinite"), _finite),
    "pow": _power,
    "math.pow": _power,
    "round": _round,
}
