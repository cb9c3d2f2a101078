"""z3 terms, built directly on its C interface: the Python operators coerce and check, ten times slower."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

from runtime.library_model import Unsupported
from runtime.nodes import Node
from tracetwin.solving.smt.z3lib import z3

__all__ = ["Term", "Terms", "TooLargeError", "Unsupported"]

Term: TypeAlias = Any  # a z3 expression; z3 ships no types

# z3's strings end at 0x2FFFF. Below that there is room for the characters that a model may need beyond
# those mentioned, so leaving out Python's higher ones makes nothing unsatisfiable.
_MOST_CHARACTER = 0x2EFFF


class TooLargeError(Exception):
    """A question takes more terms than z3 can look at within its limits."""


def _raw(function: Any) -> Any:
    """Return what a function of z3's wraps: it gives nothing where it fails, and nobody has to ask."""
    return function.__defaults__[-1].f


_and, _or, _eq, _ite = map(_raw, (z3.Z3_mk_and, z3.Z3_mk_or, z3.Z3_mk_eq, z3.Z3_mk_ite))
_hold: Final = _raw(z3.Z3_inc_ref)


def _unary(function: Any, kind: Any) -> Callable[[Terms, Term], Term]:
    make = _raw(function)
    return lambda self, a: self._made(kind, make(self._ref, a.ast))


def _binary(function: Any, kind: Any) -> Callable[[Terms, Term, Term], Term]:
    make = _raw(function)
    return lambda self, a, b: self._made(kind, make(self._ref, a.ast, b.ast))


def _ternary(function: Any, kind: Any) -> Callable[[Terms, Term, Term, Term], Term]:
    make = _raw(function)
    return lambda self, a, b, c: self._made(kind, make(self._ref, a.ast, b.ast, c.ast))


class Terms:
    """Constructors of terms in one z3 context, which takes some 10 ms to make.

    Attributes:
        room: how many more terms with operands may be made, of the kinds that large questions are made of.
    """

    def __init__(self, context: Any = None) -> None:
        self.context = z3.Context() if context is None else context
        self._ref = self.context.ref()
        self._ints: dict[int, Term] = {}
        self._fresh = 0
        self.room = math.inf
        self.true = z3.BoolVal(True, self.context)
        self.false = z3.BoolVal(False, self.context)
        self.bool_sort = z3.BoolSort(self.context)
        self.int_sort = z3.IntSort(self.context)
        self.real_sort = z3.RealSort(self.context)
        self.text_sort = z3.StringSort(self.context)
        self.regex_sort = z3.ReSort(self.text_sort)

    # constants and variables

    def int(self, value: int) -> Term:
        found = self._ints.get(value)
        if found is None:
            found = z3.IntVal(str(value), self.context)
            if len(self._ints) < 4096:
                self._ints[value] = found
        return found

    def real(self, value: Fraction) -> Term:
        return z3.RealVal(f"{value.numerator}/{value.denominator}", self.context)

    def bool(self, value: bool) -> Term:
        return self.true if value else self.false

    def text(self, value: str) -> Term:
        """A string literal; a backslash is escaped, since z3 would read an escape sequence."""
        if any(ord(ch) > _MOST_CHARACTER for ch in value):
            raise Unsupported("a character beyond those of z3")
        return z3.StringVal(value.replace("\\", "\\u{5c}"), self.context)

    def character(self, value: str) -> Term:
        """A string literal of any one character that z3 has."""
        return z3.StringVal("\\u{5c}" if value == "\\" else value, self.context)

    def variable(self, name: str, sort: Term) -> Term:
        """The variable of that name."""
        return z3.Const(name, sort)

    def fresh(self, sort: Term, hint: str) -> Term:
        """A new variable; names are counted, so that a run can be repeated exactly."""
        self._fresh += 1
        return z3.Const(f"{hint}!{self._fresh}", sort)

    def int_value(self, numeral: Any) -> Any:
        """The Python int of a numeral."""
        if not z3.is_int_value(numeral):
            raise Unsupported("an int that has no value in the model")
        return numeral.as_long()

    def drain(self) -> list[Term]:
        """Return the guards under which the terms made since the last call mean what they should."""
        return []

    def _take_room(self) -> None:
        self.room -= 1
        if self.room < 0:
            raise TooLargeError

    def _made(self, kind: Any, ast: Any) -> Term:
        """Return a new term as an object of one of z3's classes, of which it keeps count."""
        if not ast:
            code = z3.Z3_get_error_code(self._ref)
            raise z3.Z3Exception(z3.Z3_get_error_msg(self._ref, code))
        _hold(self._ref, ast)
        made = kind.__new__(kind)
        made.ast, made.ctx = ast, self.context
        return made

    # logic

    def _many(self, make: Any, terms: Sequence[Term], kind: Any) -> Term:
        self._take_room()
        array = (z3.Ast * len(terms))(*[t.ast for t in terms])
        return self._made(kind, make(self._ref, len(terms), array))

    not_ = _unary(z3.Z3_mk_not, z3.BoolRef)

    def and_(self, *terms: Term) -> Term:
        return self._many(_and, terms, z3.BoolRef) if terms else self.true

    def or_(self, *terms: Term) -> Term:
        return self._many(_or, terms, z3.BoolRef) if terms else self.false

    def eq(self, a: Term, b: Term) -> Term:
        """Equality of two terms of one sort."""
        self._take_room()
        return self._made(z3.BoolRef, _eq(self._ref, a.ast, b.ast))

    def ite(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """Return one of two terms of one sort; the kind of a numeral is derived from that of other terms."""
        self._take_room()
        kind = type(otherwise) if isinstance(then, type(otherwise)) else type(then)
        return self._made(kind, _ite(self._ref, condition.ast, then.ast, otherwise.ast))

    # arithmetic

    def add(self, *terms: Term) -> Term:
        return self._many(_raw(z3.Z3_mk_add), terms, z3.ArithRef)

    def sub(self, a: Term, b: Term) -> Term:
        return self._many(_raw(z3.Z3_mk_sub), (a, b), z3.ArithRef)

    def mul(self, *terms: Term) -> Term:
        return self._many(_raw(z3.Z3_mk_mul), terms, z3.ArithRef)

    neg = _unary(z3.Z3_mk_unary_minus, z3.ArithRef)
    div = _binary(z3.Z3_mk_div, z3.ArithRef)
    """Quotient: Euclidean on ints, exact on reals."""
    mod = _binary(z3.Z3_mk_mod, z3.ArithRef)
    """Euclidean remainder of ints."""
    lt = _binary(z3.Z3_mk_lt, z3.BoolRef)
    le = _binary(z3.Z3_mk_le, z3.BoolRef)
    to_real = _unary(z3.Z3_mk_int2real, z3.ArithRef)
    floor = _unary(z3.Z3_mk_real2int, z3.ArithRef)
    """The greatest int that is not above a real."""

    def compare(self, op: str, a: Term, b: Term, *own: Callable[..., Term]) -> Term:
        """A comparison by its Python name: of numbers, or by an equality and two orders of their own."""
        eq, lt, le = own or (self.eq, self.lt, self.le)
        match op:
            case "eq":
                return eq(a, b)
            case "ne":
                return self.not_(eq(a, b))
            case "lt":
                return lt(a, b)
            case "le":
                return le(a, b)
            case "gt":
                return lt(b, a)
            case "ge":
                return le(b, a)
            case _:
                raise Unsupported(op)

    def compare_texts(self, node: Node, args: Sequence[Any], *own: Callable[..., Any]) -> Term:
        """A comparison of texts, of which those of different sorts are different."""
        left, right = node.args
        if left.sort is right.sort:
            return self.compare(node.op, *args, *own)
        if node.op in ("eq", "ne"):
            return self.bool(node.op == "ne")
        raise Unsupported("an order between different sorts")

    # text

    def concat(self, *terms: Term) -> Term:
        if len(terms) == 1:
            return terms[0]
        return self._many(_raw(z3.Z3_mk_seq_concat), terms, z3.SeqRef) if terms else self.text("")

    length = _unary(z3.Z3_mk_seq_length, z3.ArithRef)
    extract = _ternary(z3.Z3_mk_seq_extract, z3.SeqRef)
    """Substring; empty when the offset is outside or the length not positive."""
    at = _binary(z3.Z3_mk_seq_at, z3.SeqRef)
    """The string of one character at an index, empty when outside."""
    contains = _binary(z3.Z3_mk_seq_contains, z3.BoolRef)
    prefix = _binary(z3.Z3_mk_seq_prefix, z3.BoolRef)
    """Whether the second text starts with the first."""
    suffix = _binary(z3.Z3_mk_seq_suffix, z3.BoolRef)
    """Whether the second text ends with the first."""
    index = _ternary(z3.Z3_mk_seq_index, z3.ArithRef)
    """First position of the second text in the first from a place on, or -1."""
    last_index = _binary(z3.Z3_mk_seq_last_index, z3.ArithRef)
    """Last position of the second text in the first, or -1."""
    replace = _ternary(z3.Z3_mk_seq_replace, z3.SeqRef)
    replace_all = _ternary(z3.Z3_mk_seq_replace_all, z3.SeqRef)
    text_lt = _binary(z3.Z3_mk_str_lt, z3.BoolRef)
    """Lexicographic order by code point."""
    text_le = _binary(z3.Z3_mk_str_le, z3.BoolRef)
    """Lexicographic order by code point, or equal."""
    code = _unary(z3.Z3_mk_string_to_code, z3.ArithRef)
    """Code point of a string of one character, else -1."""
    from_code = _unary(z3.Z3_mk_string_from_code, z3.SeqRef)
    """The string of one character with a code point."""
    text_to_int = _unary(z3.Z3_mk_str_to_int, z3.ArithRef)
    """Value of a string of digits, else -1."""
    int_to_text = _unary(z3.Z3_mk_int_to_str, z3.SeqRef)
    """Decimal digits of an int that is not negative, else empty."""
    matches = _binary(z3.Z3_mk_seq_in_re, z3.BoolRef)
    """Whether the whole string is in a regular language."""
