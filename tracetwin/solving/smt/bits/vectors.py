"""Ints as bit-vectors of one width: for the mixing of bits that unbounded ints can't follow.

Each term knows between which ints its value lies. Where an operation may leave the width, a guard says that
it doesn't, so that what z3 finds is a solution for unbounded ints too. Without guards, and with all inputs
within known bounds, the lack of a solution is a proof as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.ints import functions
from tracetwin.solving.smt.ints.encoding import Integers
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Terms, Unsupported
from tracetwin.solving.smt.z3lib import z3

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

Range = tuple[int, int]


class BitTerms(Terms):
    """Constructors of terms whose ints are signed bit-vectors.

    Attributes:
        width: their number of bits.
        exact: whether nothing was left out: no guard, no input without bounds.
    """

    def __init__(self, width: int, bounds: Mapping[str, Range], context: Any = None) -> None:
        super().__init__(context)
        self.width = width
        self.exact = True
        self.int_sort = z3.BitVecSort(width, self.context)
        self._bounds = bounds
        self._lowest, self._highest = -(1 << width - 1), (1 << width - 1) - 1
        self._ranges: dict[int, tuple[Term, Range]] = {}  # by z3's number of the term, which it keeps alive
        self._guards: list[Term] = []

    # constants and variables

    def int(self, value: int) -> Term:
        if not self._lowest <= value <= self._highest:
            raise Unsupported("an int of more bits")
        return self._ranged(z3.BitVecVal(value, self.width, self.context), (value, value))

    def variable(self, name: str, sort: Term) -> Term:
        """The variable of that name."""
        made = super().variable(name, sort)
        if sort is not self.int_sort:
            return made
        bounds = self._bounds.get(name.removeprefix("v.").partition("[")[0])
        if bounds is None:
            self.exact = False
        return self._ranged(made, bounds or (self._lowest, self._highest))

    def fresh(self, sort: Term, hint: str) -> Term:
        self.exact = False
        return super().fresh(sort, hint)

    def int_value(self, numeral: Any) -> Any:
        """The Python int of a numeral."""
        if not z3.is_bv_value(numeral):
            raise Unsupported("an int that has no value in the model")
        return numeral.as_signed_long()

    def drain(self) -> list[Term]:
        """The guards since the last call."""
        guards, self._guards = self._guards, []
        return guards

    # ranges

    def range_of(self, term: Term) -> Range:
        """Between which ints a term lies."""
        found = self._ranges.get(term.get_id())
        return (self._lowest, self._highest) if found is None else found[1]

    def _ranged(self, term: Term, bounds: Range) -> Term:
        self._ranges[term.get_id()] = (term, bounds)
        return term

    def _guarded(self, term: Term, bounds: Range, *guards: Term) -> Term:
        """The result of an operation; the guards are needed only where it may leave the width."""
        if bounds[0] < self._lowest or bounds[1] > self._highest:
            self._guards += guards
            self.exact = False
        return self._ranged(term, (max(bounds[0], self._lowest), min(bounds[1], self._highest)))

    # arithmetic

    def add(self, *terms: Term) -> Term:
        total = terms[0]
        for term in terms[1:]:
            (a, b), (c, d) = self.range_of(total), self.range_of(term)
            guards = (z3.BVAddNoOverflow(total, term, True), z3.BVAddNoUnderflow(total, term))
            total = self._guarded(total + term, (a + c, b + d), *guards)
        return total

    def sub(self, a: Term, b: Term) -> Term:
        (low, high), (other_low, other_high) = self.range_of(a), self.range_of(b)
        guards = (z3.BVSubNoOverflow(a, b), z3.BVSubNoUnderflow(a, b, True))
        return self._guarded(a - b, (low - other_high, high - other_low), *guards)

    def mul(self, *terms: Term) -> Term:
        product = terms[0]
        for term in terms[1:]:
            (a, b), (c, d) = self.range_of(product), self.range_of(term)
            corners = (a * c, a * d, b * c, b * d)
            guards = (z3.BVMulNoOverflow(product, term, True), z3.BVMulNoUnderflow(product, term))
            product = self._guarded(product * term, (min(corners), max(corners)), *guards)
        return product

    def neg(self, a: Term) -> Term:
        low, high = self.range_of(a)
        return self._guarded(-a, (-high, -low), z3.BVSNegNoOverflow(a))

    def div(self, a: Term, b: Term) -> Term:
        """Euclidean quotient."""
        (low, high), (least, most) = self.range_of(a), self.range_of(b)
        if least == most and least > 0:
            bounds = (low // least, high // least)
            if not least & (least - 1):
                return self._ranged(a >> (least.bit_length() - 1), bounds)
            if low >= 0:
                return self._ranged(z3.UDiv(a, b), bounds)
        size = max(abs(low), abs(high))
        down = z3.SRem(a, b) < 0
        quotient = a / b
        made = z3.If(down, z3.If(b > 0, quotient - 1, quotient + 1), quotient)
        return self._guarded(made, (-size, size), a != self._lowest)

    def mod(self, a: Term, b: Term) -> Term:
        """Euclidean remainder."""
        (low, high), (least, most) = self.range_of(a), self.range_of(b)
        if least == most and least > 0:
            if low >= 0 and high < least:
                return a
            if not least & (least - 1):
                return self._ranged(a & (least - 1), (0, least - 1))
            if low >= 0:
                return self._ranged(z3.URem(a, b), (0, min(high, least - 1)))
        rest = z3.SRem(a, b)
        made = z3.If(rest < 0, z3.If(b > 0, rest + b, rest - b), rest)
        return self._ranged(made, (0, min(max(abs(least), abs(most)) - 1, self._highest)))

    def lt(self, a: Term, b: Term) -> Term:
        return a < b

    def le(self, a: Term, b: Term) -> Term:
        return a <= b

    def ite(self, condition: Term, then: Term, otherwise: Term) -> Term:
        made = super().ite(condition, then, otherwise)
        if not z3.is_bv(made):
            return made
        (a, b), (c, d) = self.range_of(then), self.range_of(otherwise)
        return self._ranged(made, (min(a, c), max(b, d)))

    # z3 has none of the following for bit-vectors

    def to_real(self, a: Term) -> Term:
        raise Unsupported("a bit-vector among reals")

    floor = to_real

    def length(self, a: Term) -> Term:
        raise Unsupported("a bit-vector among sequences")

    code = from_code = text_to_int = int_to_text = length

    def index(self, a: Term, part: Term, start: Term) -> Term:
        return self.length(a)

    def extract(self, a: Term, offset: Term, length: Term) -> Term:
        return self.length(a)

    def last_index(self, a: Term, part: Term) -> Term:
        return self.length(a)

    def at(self, a: Term, index: Term) -> Term:
        return self.length(a)

    # bits

    def bitwise(self, op: str, a: Term, b: Term) -> Term:
        ranges = (self.range_of(a), self.range_of(b))
        natural = [high for low, high in ranges if low >= 0]
        most = (1 << max(max(-low - 1, high).bit_length() for low, high in ranges)) - 1
        if op == "and_":
            return self._ranged(a & b, (0, min(natural)) if natural else (-most - 1, most))
        return self._ranged(a | b if op == "or_" else a ^ b, (0 if len(natural) == 2 else -most - 1, most))

    def inverted(self, a: Term) -> Term:
        low, high = self.range_of(a)
        return self._ranged(~a, (-high - 1, -low - 1))

    def shifted_left(self, a: Term, count: Term) -> Term:
        (low, high), (_, most) = self.range_of(a), self.range_of(count)
        places = min(max(most, 0), self.width)
        made = a << count
        guards = ((made >> count) == a, z3.ULT(count, self.width))
        return self._guarded(made, (min(low << places, low), max(high << places, high)), *guards)

    def shifted_right(self, a: Term, count: Term) -> Term:
        """``a >> count``: by more places than there are, only the sign is left."""
        low, high = self.range_of(a)
        return self._ranged(a >> count, (min(low, 0), max(high, 0)) if low < 0 else (0, high))

    def ones(self, a: Term) -> Term:
        """How many bits of an int that is not negative are set."""
        size = max(self.range_of(a)[1].bit_length(), 1)
        bits = [z3.ZeroExt(self.width - 1, z3.Extract(place, place, a)) for place in range(size)]
        total = bits[0]
        for bit in bits[1:]:
            total = total + bit
        return self._ranged(total, (0, size))


def _bits_of(tr: Translator) -> BitTerms:
    assert isinstance(tr.terms, BitTerms)
    return tr.terms


def _bits(tr: Translator, node: Node, args: list[Term]) -> Term:
    if node.sort is Sort.BOOL:
        return functions.HANDLERS[node.op](tr, node, args)
    a, b = tr.ints(node, args)
    return _bits_of(tr).bitwise(node.op, a, b)


def _invert(tr: Translator, node: Node, args: list[Term]) -> Term:
    (a,) = tr.ints(node, args)
    return _bits_of(tr).inverted(a)


def _shift(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = _bits_of(tr)
    a, b = tr.ints(node, args)
    return t.shifted_left(a, b) if node.op == "lshift" else t.shifted_right(a, b)


def _power(tr: Translator, node: Node, args: list[Term]) -> Term:
    if len(node.args) == 2 and constant(node.args[0]) == 2:
        t = _bits_of(tr)
        return t.shifted_left(t.int(1), tr.ints(node, args)[1])
    return functions.HANDLERS["pow"](tr, node, args)


def _bit_count(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = _bits_of(tr)
    (a,) = tr.ints(node, args)
    return t.ones(a if t.range_of(a)[0] >= 0 else t.ite(t.lt(a, t.int(0)), t.neg(a), a))


def _always(tr: Translator, _node: Node, _args: list[Term]) -> Term:
    return tr.terms.true


HANDLERS: Final[dict[str, Handler]] = {
    **functions.HANDLERS,
    **dict.fromkeys(("and_", "or_", "xor"), _bits),
    **dict.fromkeys(("lshift", "rshift"), _shift),
    "to_float_ok": _always,
    "invert": _invert,
    "pow": _power,
    "bit_count": _bit_count,
}


class BitInts(Integers):
    """Ints as bit-vectors; bools as they are."""

    name = "bits"
    flat_sums = False
    handlers = HANDLERS
