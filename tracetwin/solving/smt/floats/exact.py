"""Floats exactly, bit by bit: for NaN, infinities, rounding, and for proofs. Slow.

z3's functions for floats take the *default* context unless told otherwise, even for operands of another
one, which ends in a crash: each call names the context.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.encoding import Encoding
from tracetwin.solving.smt.terms import Term, Terms, Unsupported
from tracetwin.solving.smt.z3lib import z3

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_EXACT_INTS: Final = 1 << 53


class ExactFloats(Encoding):
    """The encoding."""

    kind = "float"
    name = "floats"

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.context = terms.context
        self.handlers = HANDLERS
        self.sort = z3.Float64(terms.context)
        self.rounding = z3.RNE(terms.context)
        self.towards_zero = z3.RTZ(terms.context)

    def constant(self, value: Any) -> Term:
        """The float with exactly these bits."""
        if math.isnan(value):
            return z3.fpNaN(self.sort)
        (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        return z3.simplify(z3.fpBVToFP(z3.BitVecVal(bits, 64, self.context), self.sort, self.context))

    def variable(self, name: str, sort: Sort) -> Term:
        return self.terms.variable(name, self.sort)

    def fresh(self, hint: str, sort: Sort) -> Term:
        return self.terms.fresh(self.sort, hint)

    def equal(self, left: Term, right: Term) -> Term:
        """The same bits: NaN is itself, and 0.0 is not -0.0."""
        return self.terms.eq(left, right)

    def value(self, model: Any, term: Term, sort: Sort) -> object:
        """The Python float in a model."""
        found = model.eval(term, model_completion=True)
        if z3.is_true(z3.simplify(z3.fpIsNaN(found, self.context))):
            return math.nan
        bits = z3.simplify(z3.fpToIEEEBV(found, self.context))
        if not z3.is_bv_value(bits):
            raise Unsupported("a float that has no value in the model")
        return struct.unpack("<d", struct.pack("<Q", bits.as_long()))[0]


def _exact(tr: Translator) -> ExactFloats:
    assert isinstance(tr.floats, ExactFloats)
    return tr.floats


def _floats(tr: Translator, node: Node, args: list[Term]) -> list[Term]:
    """The operands as floats; an int only if it is a constant that a float represents."""
    converted = []
    for arg, term in zip(node.args, args, strict=True):
        if arg.sort is Sort.FLOAT:
            converted.append(term)
        elif arg.op == "const" and isinstance(arg.data, int) and abs(arg.data) <= _EXACT_INTS:
            converted.append(tr.floats.constant(float(arg.data)))
        else:
            raise Unsupported("an int among exact floats")
    return converted


def _binary(tr: Translator, node: Node, args: list[Term]) -> Term:
    a, b = _floats(tr, node, args)
    make = {"add": z3.fpAdd, "sub": z3.fpSub, "mul": z3.fpMul, "truediv": z3.fpDiv}[node.op]
    return make(_exact(tr).rounding, a, b, tr.terms.context)


def _square(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``x ** 2``: the C library need not round it as a product is rounded."""
    exponent = node.args[1]
    if exponent.op != "const" or exponent.data != 2:
        raise Unsupported("a power")
    tr.inexact()
    base = _floats(tr, node, args)[0]
    return z3.fpMul(_exact(tr).rounding, base, base, tr.terms.context)


def _unary(tr: Translator, node: Node, args: list[Term]) -> Term:
    theory, context = _exact(tr), tr.terms.context
    (a,) = _floats(tr, node, args)
    match node.op:
        case "neg":
            return z3.fpNeg(a, context)
        case "abs" | "math.fabs":
            return z3.fpAbs(a, context)
        case "math.sqrt":
            return z3.fpSqrt(theory.rounding, a, context)
        case "math.isnan":
            return z3.fpIsNaN(a, context)
        case "math.isinf":
            return z3.fpIsInf(a, context)
        case "math.isfinite":
            return tr.terms.not_(tr.terms.or_(z3.fpIsNaN(a, context), z3.fpIsInf(a, context)))
        case "is_integer":
            whole = z3.fpEQ(z3.fpRoundToIntegral(theory.towards_zero, a, context), a, context)
            return tr.terms.and_(whole, tr.terms.not_(z3.fpIsInf(a, context)))
        case _:
            raise Unsupported(node.op)


_COMPARISONS: Final = {"eq": z3.fpEQ, "lt": z3.fpLT, "le": z3.fpLEQ, "gt": z3.fpGT, "ge": z3.fpGEQ}


def _comparison(tr: Translator, node: Node, args: list[Term]) -> Term:
    context = tr.terms.context
    a, b = _floats(tr, node, args)
    if node.op == "ne":
        return tr.terms.not_(z3.fpEQ(a, b, context))
    return _COMPARISONS[node.op](a, b, context)


HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("add", "sub", "mul", "truediv"), _binary),
    **dict.fromkeys(("neg", "abs", "math.fabs", "math.sqrt", "is_integer"), _unary),
    **dict.fromkeys(("math.isnan", "math.isinf", "math.isfinite"), _unary),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _comparison),
    "pow": _square,
    "math.pow": _square,
}
