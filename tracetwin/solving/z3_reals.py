"""Floats as real numbers: fast, but only a guess. No proof rests on it; models are rounded, then checked."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.terms import Term, Terms, Unsupported
from tracetwin.solving.z3_ints import constant

if TYPE_CHECKING:
    from tracetwin.solving.translate import Handler, Translator

_DIGITS: Final = 20
_MOST_EXPONENT: Final = 6


class Reals:
    """The theory."""

    name = "reals"
    sound = False

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self.handlers = HANDLERS

    def constant(self, value: Any) -> Term:
        """A finite float, exactly."""
        if not math.isfinite(value):
            raise Unsupported("no real number")
        return self._terms.real(Fraction(value))

    def variable(self, name: str, sort: Sort) -> Term:
        """A real variable."""
        return self._terms.variable(name, self._terms.real_sort)

    def fresh(self, hint: str, sort: Sort) -> Term:
        """A new real variable."""
        return self._terms.fresh(self._terms.real_sort, hint)

    def equal(self, left: Term, right: Term) -> Term:
        """Equality."""
        return self._terms.eq(left, right)

    def value(self, model: Any, term: Term, sort: Sort) -> object:
        """The float next to the model's number, which may be rational or algebraic."""
        return to_float(model.eval(term, model_completion=True))


def to_float(number: Any) -> float:
    """The float nearest to a z3 numeral."""
    if hasattr(number, "approx") and not hasattr(number, "numerator_as_long"):
        number = number.approx(_DIGITS)
    try:
        return float(Fraction(number.numerator_as_long(), number.denominator_as_long()))
    except OverflowError:
        return math.copysign(math.inf, number.numerator_as_long())


def _real(tr: Translator, node: Node, args: list[Term]) -> list[Term]:
    """The operands as reals."""
    tr.inexact()
    t = tr.terms
    wide = tr.ints(node, args)
    return [w if arg.sort is Sort.FLOAT else t.to_real(w) for arg, w in zip(node.args, wide, strict=True)]


def _binary(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a, b = _real(tr, node, args)
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
    base = _real(tr, node, args)[0]
    data = node.args[1].data
    if node.args[1].op != "const" or not isinstance(data, (int, float)) or abs(data) > _MOST_EXPONENT:
        raise Unsupported("a power with a variable or large exponent")
    if data == 0.5:
        return _root_of(tr, base)
    if data != int(data):
        raise Unsupported("a fractional power")
    times = abs(int(data))
    one = tr.terms.real(Fraction(1))
    product = tr.terms.mul(*[base] * times) if times > 1 else base if times else one
    return product if data >= 0 else tr.terms.div(one, product)


def _root_of(tr: Translator, square: Term) -> Term:
    t = tr.terms
    root = tr.auxiliary(t.real_sort)
    zero = t.real(Fraction(0))
    tr.side(t.and_(t.le(zero, root), t.eq(t.mul(root, root), square)))
    return root


def _unary(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a = _real(tr, node, args)[0]
    below = t.lt(a, t.real(Fraction(0)))
    match node.op:
        case "neg":
            return t.neg(a)
        case "abs" | "math.fabs":
            return t.ite(below, t.neg(a), a)
        case "math.sqrt":
            return _root_of(tr, a)
        case "math.degrees":
            return t.mul(a, t.real(Fraction(180 / math.pi)))
        case "math.radians":
            return t.mul(a, t.real(Fraction(math.pi / 180)))
        case _:  # conversions to float
            return a


def _whole(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a = _real(tr, node, args)[0]
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


def _finite(tr: Translator, node: Node, _args: list[Term]) -> Term:
    tr.inexact()
    return tr.terms.bool(node.op == "math.isfinite")


def _hypot(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    return _root_of(tr, t.add(*[t.mul(a, a) for a in _real(tr, node, args)]))


def _round(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    a = _real(tr, node, args)[0]
    digits = constant(node.args[1]) if len(node.args) > 1 else 0
    if digits is None or not 0 <= digits <= 6:
        raise Unsupported("that rounding")
    scale = t.real(Fraction(10**digits))
    nearest = t.floor(t.add(t.mul(a, scale), t.real(Fraction(1, 2))))
    return nearest if node.sort is Sort.INT else t.div(t.to_real(nearest), scale)


def _comparison(tr: Translator, node: Node, args: list[Term]) -> Term:
    return tr.terms.compare(node.op, *_real(tr, node, args))


HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("add", "sub", "mul", "truediv", "floordiv", "mod"), _binary),
    **dict.fromkeys(("neg", "abs", "math.fabs", "math.sqrt", "to_float", "float"), _unary),
    **dict.fromkeys(("math.degrees", "math.radians"), _unary),
    **dict.fromkeys(("to_int", "int", "trunc", "floor", "ceil", "is_integer"), _whole),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _comparison),
    **dict.fromkeys(("math.isnan", "math.isinf", "math.isfinite"), _finite),
    "pow": _power,
    "math.pow": _power,
    "math.hypot": _hypot,
    "round": _round,
}
