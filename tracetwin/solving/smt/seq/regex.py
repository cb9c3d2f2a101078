"""Regular expressions of Python as regular languages of z3."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from runtime.expr import Sort
from runtime.meanings.patterns import parser
from tracetwin.solving.inversion.examples import constants
from tracetwin.solving.smt.seq.classes import Reading, approximated, ranges_of
from tracetwin.solving.smt.terms import Term, Terms, Unsupported
from tracetwin.solving.smt.z3lib import z3
from tracetwin.support.data import dataclass

_CHARACTERS: Final = (constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN)
_MOST_REPEATS: Final = 64
_TOP: Final = 0x2FFFF
_Range = tuple[int, int]

_DIGITS: Final[tuple[_Range, ...]] = ((48, 57),)
_UPPER: Final[tuple[_Range, ...]] = ((65, 90),)
_LOWER: Final[tuple[_Range, ...]] = ((97, 122),)
_LETTERS: Final = _UPPER + _LOWER
_WORD: Final = _DIGITS + _UPPER + ((95, 95),) + _LOWER
_ASCII_SPACE: Final[tuple[_Range, ...]] = ((9, 13), (32, 32))
_STR_SPACE: Final[tuple[_Range, ...]] = (
    (9, 13), (28, 32), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip


class Languages:
    """Constructors of z3 regular languages."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._context = terms.context
        self.all = z3.Full(terms.regex_sort)
        self.any = z3.AllChar(terms.regex_sort)
        self.empty_word = self.word("")

    def word(self, text: str) -> Term:
        return z3.Re(self._terms.text(text))

    def ranges(self, ranges: Sequence[_Range], negate: bool = False) -> Term:
        """One character out of some ranges of code points, or out of none of them."""
        if negate:
            ranges = complement(ranges)
        if any(low > _TOP for low, _ in ranges):
            raise Unsupported("a character beyond those of z3")
        parts = [self._range(low, min(high, _TOP)) for low, high in ranges]
        if not parts:
            return z3.Empty(self._terms.regex_sort)
        return parts[0] if len(parts) == 1 else z3.Union(*parts)

    def _range(self, low: int, high: int) -> Term:
        if low == high:
            return z3.Re(self._terms.character(chr(low)))
        return z3.Range(self._terms.character(chr(low)), self._terms.character(chr(high)))

    def concat(self, parts: Sequence[Term]) -> Term:
        return self.empty_word if not parts else parts[0] if len(parts) == 1 else z3.Concat(*parts)

    def union(self, parts: Sequence[Term]) -> Term:
        return parts[0] if len(parts) == 1 else z3.Union(*parts)

    def repeat(self, part: Term, low: int, high: int | None) -> Term:
        """Between `low` and `high` times."""
        if high is None:
            star = z3.Star(part)
            return (
                star if low == 0 else z3.Plus(part) if low == 1 else z3.Concat(z3.Loop(part, low, low), star)
            )
        if high == 0:
            return self.empty_word
        return z3.Option(part) if (low, high) == (0, 1) else z3.Loop(part, low, high)


def complement(ranges: Sequence[_Range]) -> list[_Range]:
    """The code points outside."""
    result = []
    start = 0
    for low, high in sorted(ranges):
        if low > start:
            result.append((start, low - 1))
        start = max(start, high + 1)
    if start <= _TOP:
        result.append((start, _TOP))
    return result


def method_class(terms: Terms, name: str, sort: Sort) -> tuple[Term, bool]:
    """The texts for which ``s.NAME()`` holds, and whether that is exact (else it is so for ASCII)."""
    lang = languages(terms)
    exact = sort is Sort.BYTES
    match name:
        case "isidentifier":
            return z3.Concat(lang.ranges((*_LETTERS, (95, 95))), z3.Star(lang.ranges(_WORD))), False
        case "isupper" | "islower":
            has, lacks = (_UPPER, _LOWER) if name == "isupper" else (_LOWER, _UPPER)
            rest = z3.Star(lang.ranges(lacks, negate=True))
            return z3.Concat(rest, lang.ranges(has), rest), exact
        case _:
            raise Unsupported(name)


def repeated(terms: Terms, ranges: Sequence[tuple[int, int]], *, empty: bool) -> Term:
    """The texts whose characters are all in one of some ranges."""
    one = languages(terms).ranges(ranges)
    return z3.Star(one) if empty else z3.Plus(one)


def languages(terms: Terms) -> Languages:
    """The constructors for a context, made once."""
    found = getattr(terms, "languages", None)
    if found is None:
        found = Languages(terms)
        terms.languages = found  # type: ignore[attr-defined]
    return found


def decimal_int(terms: Terms) -> Term:
    """Digits with an optional sign."""
    lang = languages(terms)
    return z3.Concat(z3.Option(lang.ranges(((43, 43), (45, 45)))), z3.Plus(lang.ranges(_DIGITS)))


def decimal_float(terms: Terms) -> Term:
    """Digits with an optional sign and an optional fraction."""
    lang = languages(terms)
    fraction = z3.Concat(lang.word("."), z3.Plus(lang.ranges(_DIGITS)))
    return z3.Concat(decimal_int(terms), z3.Option(fraction))


def spaces(terms: Terms, sort: Sort, chars: str | None = None) -> Term:
    """One character that ``strip`` removes."""
    lang = languages(terms)
    if chars is not None:
        return lang.ranges([(ord(ch), ord(ch)) for ch in sorted(set(chars))])
    return lang.ranges(_ASCII_SPACE if sort is Sort.BYTES else _STR_SPACE)


@dataclass(frozen=True)
class Piece:
    """One element of the pattern's outermost sequence; `group` is its number if it is a group."""

    term: Term
    group: int | None


@dataclass(frozen=True)
class Language:
    """A compiled pattern.

    Attributes:
        term: the texts in which the pattern is found.
        exact: whether that is so for all of Unicode.
        pieces: the outermost sequence with what may precede and follow it, to locate groups.
        groups: the number of groups.
    """

    term: Term
    exact: bool
    pieces: tuple[Piece, ...]
    groups: int


class _Compiler:
    def __init__(self, terms: Terms, flags: int, is_str: bool, reading: Reading) -> None:
        self.lang = languages(terms)
        self.flags = flags
        self.is_str = is_str
        self.reading = reading
        self.exact = True

    def sequence(self, items: Any, at_end: bool) -> list[Piece]:
        items = list(items)
        return [
            Piece(self.one(op, value, at_end and place == len(items) - 1), self._group(op, value))
            for place, (op, value) in enumerate(items)
        ]

    def lookaheads(self, items: Any) -> list[Term]:
        """The languages demanded by lookaheads at the very start, which are taken out of `items`."""
        demands = []
        while items and items[0][0] in (constants.ASSERT, constants.ASSERT_NOT):
            op, (direction, inside) = items.pop(0)
            if direction < 0 or "AT_END" in repr(inside):
                raise Unsupported("that assertion")
            before = self.reading
            self.reading = before if op is constants.ASSERT else before.opposite
            ahead = self.lang.concat([self.whole(inside, at_end=False), self.lang.all])
            self.reading = before
            demands.append(ahead if op is constants.ASSERT else z3.Complement(ahead))
        return demands

    @staticmethod
    def _group(op: Any, value: Any) -> int | None:
        return value[0] if op is constants.SUBPATTERN else None

    def whole(self, items: Any, at_end: bool) -> Term:
        return self.lang.concat([piece.term for piece in self.sequence(items, at_end)])

    def one(self, op: Any, value: Any, at_end: bool) -> Term:
        lang = self.lang
        if op in _CHARACTERS:
            return self._character(op, value)
        if op is constants.BRANCH:
            return lang.union([self.whole(branch, at_end) for branch in value[1]])
        if op is constants.SUBPATTERN:
            return self._subpattern(value, at_end)
        if op in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            return self._repeat(value)
        if op is constants.AT and value is constants.AT_END and at_end:
            return lang.union([lang.empty_word, lang.word("\n")])
        if op is constants.AT and value is constants.AT_END_STRING and at_end:
            return lang.empty_word
        raise Unsupported(f"{op} in a pattern")

    def _character(self, op: Any, value: Any) -> Term:
        """Return the language of one character."""
        lang = self.lang
        if self.reading is not Reading.ASCII and self._is_open(op, value):
            exact = ranges_of(op, value, self.flags, octets=not self.is_str)
            return lang.ranges(approximated(exact, self.reading))
        if op is constants.LITERAL:
            return self._literal(value)
        if op is constants.NOT_LITERAL:
            return lang.ranges([(c, c) for c in self._cases(value)], negate=True)
        if op is constants.ANY:
            return lang.any if self.flags & re.DOTALL else lang.ranges(((10, 10),), negate=True)
        return self._set(value)

    def _is_open(self, op: Any, value: Any) -> bool:
        """Return whether characters beyond ASCII may match too, depending on tables of Unicode."""
        if op is constants.IN and any(kind is constants.CATEGORY for kind, _ in value):
            return True
        cased = (constants.LITERAL, constants.NOT_LITERAL, constants.IN)
        return bool(self.flags & re.IGNORECASE) and op in cased

    def _subpattern(self, value: Any, at_end: bool) -> Term:
        _, added, removed, items = value
        before = self.flags
        self.flags = (before | added) & ~removed
        result = self.whole(items, at_end)
        self.flags = before
        return result

    def _repeat(self, value: Any) -> Term:
        low, high, items = value
        top = None if high is constants.MAXREPEAT else int(high)
        if low > _MOST_REPEATS or (top or 0) > _MOST_REPEATS:
            raise Unsupported("many repetitions")
        return self.lang.repeat(self.whole(items, False), low, top)

    def _cases(self, code: int) -> list[int]:
        if not self.flags & re.IGNORECASE:
            return [code]
        if code > 127 or self.is_str:
            self.exact = False  # other letters fold to these as well
        char = chr(code)
        return sorted({code, *(ord(c) for c in (char.lower(), char.upper()) if len(c) == 1)})

    def _literal(self, code: int) -> Term:
        return self.lang.ranges([(c, c) for c in self._cases(code)])

    def _set(self, members: Any) -> Term:
        negate = False
        ranges: list[_Range] = []
        for op, value in members:
            if op is constants.NEGATE:
                negate = True
            elif op is constants.LITERAL:
                ranges += [(c, c) for c in self._cases(value)]
            elif op is constants.RANGE:
                ranges += self._range(value)
            elif op is constants.CATEGORY:
                ranges += self._category(value)
            else:
                raise Unsupported(f"{op} in a set")
        return self.lang.ranges(ranges, negate)

    def _range(self, bounds: tuple[int, int]) -> list[_Range]:
        low, high = bounds
        result = [(low, high)]
        if self.flags & re.IGNORECASE:
            if high > 127 or self.is_str:
                self.exact = False
            for first, last, shift in ((65, 90, 32), (97, 122, -32)):
                start, stop = max(low, first), min(high, last)
                if start <= stop:
                    result.append((start + shift, stop + shift))
        return result

    def _category(self, name: Any) -> list[_Range]:
        plain = {
            constants.CATEGORY_DIGIT: _DIGITS,
            constants.CATEGORY_NOT_DIGIT: _DIGITS,
            constants.CATEGORY_WORD: _WORD,
            constants.CATEGORY_NOT_WORD: _WORD,
            constants.CATEGORY_SPACE: _ASCII_SPACE,
            constants.CATEGORY_NOT_SPACE: _ASCII_SPACE,
        }.get(name)
        if plain is None:
            raise Unsupported(f"{name} in a pattern")
        if self.is_str and not self.flags & re.ASCII:
            self.exact = False
        return complement(plain) if "NOT" in str(name) else list(plain)


def compiled(terms: Terms, pattern: Any, flags: int, kind: str, reading: Reading = Reading.ASCII) -> Language:
    """The language of the texts for which ``re.KIND(pattern, text, flags)`` is not None."""
    try:
        parsed = parser.parse(pattern, flags)
    except (ValueError, re.error) as error:
        raise Unsupported(f"a pattern that Python refuses: {error}") from error
    all_flags = parsed.state.flags
    if all_flags & (re.MULTILINE | re.LOCALE):
        raise Unsupported("that flag")
    compiler = _Compiler(terms, all_flags, isinstance(pattern, str), reading)
    items = list(parsed)
    anchored = kind != "search"
    while items and items[0][0] is constants.AT and items[0][1] in (
        constants.AT_BEGINNING, constants.AT_BEGINNING_STRING,
    ):  # fmt: skip
        anchored = True
        items.pop(0)
    demands = compiler.lookaheads(items) if anchored else []
    closed = kind == "fullmatch"
    ended = bool(items) and items[-1][0] is constants.AT
    if closed and ended:
        items.pop()  # fullmatch leaves no room for a last newline
        ended = False
    pieces = compiler.sequence(items, at_end=True)
    lang = compiler.lang
    if not anchored:
        pieces.insert(0, Piece(lang.all, None))
    if not closed and not ended:
        if _ends_inside(items):
            raise Unsupported("an end anchor inside a group")
        pieces.append(Piece(lang.all, None))
    term = lang.concat([piece.term for piece in pieces])
    if demands:
        term = z3.Intersect(term, *demands)
    return Language(term, compiler.exact, tuple(pieces), parsed.state.groups - 1)


def _ends_inside(items: Any) -> bool:
    """Return whether an end anchor may hide in the last item: then what follows is not free."""
    return bool(items) and "AT_END" in repr(items[-1])
