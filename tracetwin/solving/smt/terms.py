"""z3 terms, built directly on its C interface: the Python operators coerce and check, ten times slower."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from runtime.library_model import Unsupported
from tracetwin.solving.smt.z3lib import z3

__all__ = ["Term", "Terms", "TooLargeError", "Unsupported"]

Term: TypeAlias = Any  # a z3 expression; z3 ships no types

# z3's strings end at 0x2FFFF. Below that there is room for the characters that a model may need beyond
# those mentioned, so leaving out Python's higher ones makes nothing unsatisfiable.
_MOST_CHARACTER = 0x2EFFF


class TooLargeError(Exception):
    """A question takes more terms than z3 can look at within its limits."""


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

    # logic

    def _many(self, make: Any, terms: Sequence[Term], wrap: Any) -> Term:
        self._take_room()
        array = (z3.Ast * len(terms))(*[t.ast for t in terms])
        return wrap(make(self._ref, len(terms), array), self.context)

    def not_(self, a: Term) -> Term:
        return z3.BoolRef(z3.Z3_mk_not(self._ref, a.ast), self.context)

    def and_(self, *terms: Term) -> Term:
        return self._many(z3.Z3_mk_and, terms, z3.BoolRef) if terms else self.true

    def or_(self, *terms: Term) -> Term:
        return self._many(z3.Z3_mk_or, terms, z3.BoolRef) if terms else self.false

    def eq(self, a: Term, b: Term) -> Term:
        """Equality of two terms of one sort."""
        self._take_room()
        return z3.BoolRef(z3.Z3_mk_eq(self._ref, a.ast, b.ast), self.context)

    def ite(self, condition: Term, then: Term, otherwise: Term) -> Term:
        self._take_room()
        made = z3.Z3_mk_ite(self._ref, condition.ast, then.ast, otherwise.ast)
        return (
            type(then)(made, self.context)
            if type(then) is type(otherwise)
            else z3.If(condition, then, otherwise)
        )

    # arithmetic

    def add(self, *terms: Term) -> Term:
        return self._many(z3.Z3_mk_add, terms, z3.ArithRef)

    def sub(self, a: Term, b: Term) -> Term:
        return self._many(z3.Z3_mk_sub, (a, b), z3.ArithRef)

    def mul(self, *terms: Term) -> Term:
        return self._many(z3.Z3_mk_mul, terms, z3.ArithRef)

    def neg(self, a: Term) -> Term:
        return z3.ArithRef(z3.Z3_mk_unary_minus(self._ref, a.ast), self.context)

    def div(self, a: Term, b: Term) -> Term:
        """Quotient: Euclidean on ints, exact on reals."""
        return z3.ArithRef(z3.Z3_mk_div(self._ref, a.ast, b.ast), self.context)

    def mod(self, a: Term, b: Term) -> Term:
        """Euclidean remainder of ints."""
        return z3.ArithRef(z3.Z3_mk_mod(self._ref, a.ast, b.ast), self.context)

    def lt(self, a: Term, b: Term) -> Term:
        return z3.BoolRef(z3.Z3_mk_lt(self._ref, a.ast, b.ast), self.context)

    def le(self, a: Term, b: Term) -> Term:
        return z3.BoolRef(z3.Z3_mk_le(self._ref, a.ast, b.ast), self.context)

    def to_real(self, a: Term) -> Term:
        return z3.ArithRef(z3.Z3_mk_int2real(self._ref, a.ast), self.context)

    def floor(self, a: Term) -> Term:
        """The greatest int that is not above a real."""
        return z3.ArithRef(z3.Z3_mk_real2int(self._ref, a.ast), self.context)

    def compare(self, op: str, a: Term, b: Term) -> Term:
        """A comparison of two numbers of one sort by its Python name."""
        match op:
            case "eq":
                return self.eq(a, b)
            case "ne":
                return self.not_(self.eq(a, b))
            case "lt":
                return self.lt(a, b)
            case "le":
                return self.le(a, b)
            case "gt":
                return self.lt(b, a)
            case "ge":
                return self.le(b, a)
            case _:
                raise Unsupported(op)

    # text

    def concat(self, *terms: Term) -> Term:
        if len(terms) == 1:
            return terms[0]
        return self._many(z3.Z3_mk_seq_concat, terms, z3.SeqRef) if terms else self.text("")

    def length(self, a: Term) -> Term:
        return z3.ArithRef(z3.Z3_mk_seq_length(self._ref, a.ast), self.context)

    def extract(self, a: Term, offset: Term, length: Term) -> Term:
        """Substring; empty when the offset is outside or the length not positive."""
        return z3.SeqRef(z3.Z3_mk_seq_extract(self._ref, a.ast, offset.ast, length.ast), self.context)

    def at(self, a: Term, index: Term) -> Term:
        """The string of one character at an index, empty when outside."""
        return z3.SeqRef(z3.Z3_mk_seq_at(self._ref, a.ast, index.ast), self.context)

    def contains(self, container: Term, element: Term) -> Term:
        return z3.BoolRef(z3.Z3_mk_seq_contains(self._ref, container.ast, element.ast), self.context)

    def prefix(self, prefix: Term, a: Term) -> Term:
        """Return whether `a` starts with `prefix`."""
        return z3.BoolRef(z3.Z3_mk_seq_prefix(self._ref, prefix.ast, a.ast), self.context)

    def suffix(self, suffix: Term, a: Term) -> Term:
        """Return whether `a` ends with `suffix`."""
        return z3.BoolRef(z3.Z3_mk_seq_suffix(self._ref, suffix.ast, a.ast), self.context)

    def index(self, a: Term, part: Term, start: Term) -> Term:
        """First position of `part` from `start` on, or -1."""
        return z3.ArithRef(z3.Z3_mk_seq_index(self._ref, a.ast, part.ast, start.ast), self.context)

    def last_index(self, a: Term, part: Term) -> Term:
        """Last position of `part`, or -1."""
        return z3.ArithRef(z3.Z3_mk_seq_last_index(self._ref, a.ast, part.ast), self.context)

    def replace(self, a: Term, old: Term, new: Term) -> Term:
        return z3.SeqRef(z3.Z3_mk_seq_replace(self._ref, a.ast, old.ast, new.ast), self.context)

    def replace_all(self, a: Term, old: Term, new: Term) -> Term:
        return z3.SeqRef(z3.Z3_mk_seq_replace_all(self._ref, a.ast, old.ast, new.ast), self.context)

    def text_lt(self, a: Term, b: Term) -> Term:
        """Lexicographic order by code point."""
        return z3.BoolRef(z3.Z3_mk_str_lt(self._ref, a.ast, b.ast), self.context)

    def text_le(self, a: Term, b: Term) -> Term:
        """Lexicographic order by code point, or equal."""
        return z3.BoolRef(z3.Z3_mk_str_le(self._ref, a.ast, b.ast), self.context)

    def code(self, a: Term) -> Term:
        """Code point of a string of one character, else -1."""
        return z3.ArithRef(z3.Z3_mk_string_to_code(self._ref, a.ast), self.context)

    def from_code(self, a: Term) -> Term:
        """The string of one character with a code point."""
        return z3.SeqRef(z3.Z3_mk_string_from_code(self._ref, a.ast), self.context)

    def text_to_int(self, a: Term) -> Term:
        """Value of a string of digits, else -1."""
        return z3.ArithRef(z3.Z3_mk_str_to_int(self._ref, a.ast), self.context)

    def int_to_text(self, a: Term) -> Term:
        """Decimal digits of an int that is not negative, else empty."""
        return z3.SeqRef(z3.Z3_mk_int_to_str(self._ref, a.ast), self.context)

    def matches(self, a: Term, regex: Term) -> Term:
        """Return whether the whole string is in a regular language."""
        return z3.BoolRef(z3.Z3_mk_seq_in_re(self._ref, a.ast, regex.ast), self.context)
