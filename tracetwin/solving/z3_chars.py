"""Texts of fixed lengths as lists of integer code points: fast where characters are calculated with.

A term of this theory is a Python list of z3 ints. The lengths of the inputs are guesses, so a proof counts
only if the conditions allow no others. Tests of characters are exact for ASCII and leave others open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.terms import Term, Terms, Unsupported
from tracetwin.solving.z3_ints import constant

if TYPE_CHECKING:
    from tracetwin.solving.translate import Handler, Translator

_HIGHEST: Final = 0x10FFFF
_MOST_DIGITS: Final = 18
_CLASSES: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "isdigit": ((48, 57),),
    "isdecimal": ((48, 57),),
    "isnumeric": ((48, 57),),
    "isalpha": ((65, 90), (97, 122)),
    "isalnum": ((48, 57), (65, 90), (97, 122)),
    "isspace": ((9, 13), (28, 32)),
    "isascii": (),
    "isprintable": ((32, 126),),
}
_LAST_ASCII: Final = 127
_BYTES_SPACE: Final = ((9, 13), (32, 32))
_MAY_BE_EMPTY: Final = ("isascii", "isprintable")


class Characters:
    """The theory, for given lengths of the input variables."""

    name = "characters"

    def __init__(self, terms: Terms, lengths: Mapping[str, int]) -> None:
        self.sound = True  # for texts of these lengths
        self.lengths = lengths
        self.handlers = HANDLERS
        self.domain: list[Term] = []
        self.letters: list[Term] = []
        self._terms = terms

    def constant(self, value: Any) -> Term:
        """A literal."""
        return [self._terms.int(code) for code in (map(ord, value) if isinstance(value, str) else value)]

    def variable(self, name: str, sort: Sort) -> Term:
        """One int variable per character."""
        t = self._terms
        chars = [t.variable(f"{name}[{i}]", t.int_sort) for i in range(self.lengths[name.removeprefix("v.")])]
        highest = t.int(255 if sort is Sort.BYTES else _HIGHEST)
        self.domain += [t.and_(t.le(t.int(0), ch), t.le(ch, highest)) for ch in chars]
        self.letters += [t.and_(t.le(t.int(32), ch), t.le(ch, t.int(126))) for ch in chars]
        return chars

    def fresh(self, hint: str, sort: Sort) -> Term:
        """A text of unknown length has no term."""
        raise Unsupported("a text of unknown length")

    def equal(self, left: Term, right: Term) -> Term:
        """Same length and same characters."""
        t = self._terms
        if len(left) != len(right):
            return t.false
        return t.and_(*[t.eq(a, b) for a, b in zip(left, right, strict=True)])

    def prefix(self, prefix: Term, text: Term) -> Term:
        """Whether `text` starts with `prefix`."""
        return self.equal(text[: len(prefix)], prefix)

    def suffix(self, suffix: Term, text: Term) -> Term:
        """Whether `text` ends with `suffix`."""
        return (
            self.equal(text[len(text) - len(suffix) :], suffix)
            if len(suffix) <= len(text)
            else self._terms.false
        )

    def value(self, model: Any, term: Term, sort: Sort) -> object:
        """The Python text in a model."""
        codes = [model.eval(ch, model_completion=True).as_long() for ch in term]
        return bytes(codes) if sort is Sort.BYTES else "".join(map(chr, codes))


def _chars(tr: Translator) -> Characters:
    assert isinstance(tr.text, Characters)
    return tr.text


def _concat(_tr: Translator, _node: Node, args: list[Term]) -> Term:
    return args[0] + args[1]


def _repeat(_tr: Translator, node: Node, args: list[Term]) -> Term:
    text, count = (0, 1) if node.args[1].sort in (Sort.INT, Sort.BOOL) else (1, 0)
    times = constant(node.args[count])
    if times is None or times * len(args[text]) > 200:
        raise Unsupported("a variable number of repetitions")
    return args[text] * times


def _length(tr: Translator, _node: Node, args: list[Term]) -> Term:
    return tr.terms.int(len(args[0]))


def _item(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    text = args[0]
    index = constant(node.args[1])
    if not text or (index is not None and not -len(text) <= index < len(text)):
        raise Unsupported("an index out of range")
    if index is not None:
        found = text[index]
    else:
        found = text[0]
        for place in range(1, len(text)):
            here = t.or_(t.eq(args[1], t.int(place)), t.eq(args[1], t.int(place - len(text))))
            found = t.ite(here, text[place], found)
    return [found] if node.args[0].sort is Sort.STR else found


def _slice(_tr: Translator, node: Node, args: list[Term]) -> Term:
    if any(bound.op != "const" for bound in node.args[1:]):
        raise Unsupported("variable bounds")
    return args[0][slice(*[bound.data for bound in node.args[1:]])]


def _comparison(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    left, right = node.args
    if left.sort is not right.sort:
        if node.op in ("eq", "ne"):
            return t.bool(node.op == "ne")
        raise Unsupported("an order between different sorts")
    a, b = args
    match node.op:
        case "eq":
            return tr.text.equal(a, b)
        case "ne":
            return t.not_(tr.text.equal(a, b))
        case "lt":
            return _less(t, a, b, equal=False)
        case "le":
            return _less(t, a, b, equal=True)
        case "gt":
            return _less(t, b, a, equal=False)
        case _:
            return _less(t, b, a, equal=True)


def _less(t: Terms, a: list[Term], b: list[Term], *, equal: bool) -> Term:
    """Lexicographic order, built from the last character backwards."""
    shared = min(len(a), len(b))
    result = t.bool(len(a) < len(b) or (len(a) == len(b) and equal))
    for place in range(shared - 1, -1, -1):
        same = t.and_(t.eq(a[place], b[place]), result)
        result = t.or_(t.lt(a[place], b[place]), same)
    return result


def _windows(tr: Translator, text: list[Term], part: list[Term]) -> list[Term]:
    """For each position whether `part` stands there."""
    size = len(part)
    return [tr.text.equal(text[i : i + size], part) for i in range(len(text) - size + 1)]


def _contains(tr: Translator, node: Node, args: list[Term]) -> Term:
    part = [args[1]] if node.args[1].sort is Sort.INT else args[1]
    return tr.terms.or_(*_windows(tr, args[0], part))


def _affix(tr: Translator, node: Node, args: list[Term]) -> Term:
    if len(args) != 2 or node.args[1].sort is not node.args[0].sort:
        raise Unsupported("an affix within bounds")
    test = _chars(tr).prefix if node.op.endswith("startswith") else _chars(tr).suffix
    return test(args[1], args[0])


def _find(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    start = constant(node.args[2]) if len(args) == 3 else 0
    if len(args) > 3 or start is None or start < 0 or node.args[1].sort is not node.args[0].sort:
        raise Unsupported("find within bounds")
    places = list(enumerate(_windows(tr, args[0], args[1])))[start:]
    result = t.int(-1)
    for place, here in places if ".r" in node.op else reversed(places):
        result = t.ite(here, t.int(place), result)
    return result


def _count(tr: Translator, _node: Node, args: list[Term]) -> Term:
    t = tr.terms
    if len(args) != 2 or not isinstance(args[1], list) or len(args[1]) != 1:
        raise Unsupported("count of longer texts")
    found = [t.ite(here, t.int(1), t.int(0)) for here in _windows(tr, args[0], args[1])]
    return t.add(*found) if len(found) > 1 else found[0] if found else t.int(0)


def _replace(tr: Translator, _node: Node, args: list[Term]) -> Term:
    t = tr.terms
    if len(args) != 3 or len(args[1]) != 1:
        raise Unsupported("replace of several characters")
    if len(args[2]) == 1:
        return [t.ite(t.eq(ch, args[1][0]), args[2][0], ch) for ch in args[0]]
    tr.inexact()  # guess that there is nothing to replace
    for ch in args[0]:
        tr.side(t.not_(t.eq(ch, args[1][0])))
    return args[0]


def _within(t: Terms, ch: Term, ranges: tuple[tuple[int, int], ...]) -> Term:
    return t.or_(*[t.and_(t.le(t.int(low), ch), t.le(ch, t.int(high))) for low, high in ranges])


def _tested(tr: Translator, node: Node, ch: Term, ranges: tuple[tuple[int, int], ...]) -> Term:
    """Whether a character is in a class: known for ASCII (and all bytes), open for other characters."""
    t = tr.terms
    known = _within(t, ch, ranges)
    if node.args[0].sort is Sort.BYTES:
        return known
    return t.ite(t.le(ch, t.int(_LAST_ASCII)), known, tr.auxiliary(t.bool_sort))


def _class_test(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    name = node.op.partition(".")[2]
    if not args[0]:
        return t.bool(name in _MAY_BE_EMPTY)
    if name == "isascii":
        return t.and_(*[t.le(ch, t.int(_LAST_ASCII)) for ch in args[0]])
    ranges = _CLASSES[name]
    if name == "isspace" and node.args[0].sort is Sort.BYTES:
        ranges = _BYTES_SPACE
    return t.and_(*[_tested(tr, node, ch, ranges) for ch in args[0]])


def _case_test(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    upper, lower = ((65, 90),), ((97, 122),)
    has, lacks = (upper, lower) if node.op.endswith("isupper") else (lower, upper)
    some = t.or_(*[_tested(tr, node, ch, has) for ch in args[0]])
    return t.and_(some, *[t.not_(_tested(tr, node, ch, lacks)) for ch in args[0]])


def _change_case(tr: Translator, node: Node, args: list[Term]) -> Term:
    t = tr.terms
    if node.args[0].sort is Sort.STR:
        tr.inexact()
    name = node.op.partition(".")[2]
    rows = {"upper": "u", "lower": "l", "casefold": "l", "swapcase": "ul", "title": "", "capitalize": ""}[
        name
    ]
    if not rows:
        rest = [_shifted(t, ch, "l") for ch in args[0][1:]]
        if name == "title" and rest:
            raise Unsupported("words of unknown lengths")
        return [_shifted(t, ch, "u") for ch in args[0][:1]] + rest
    return [_shifted(t, ch, rows) for ch in args[0]]


def _shifted(t: Terms, ch: Term, rows: str) -> Term:
    result = ch
    if "u" in rows:
        result = t.ite(_within(t, ch, ((97, 122),)), t.add(ch, t.int(-32)), result)
    if "l" in rows:
        result = t.ite(_within(t, ch, ((65, 90),)), t.add(ch, t.int(32)), result)
    return result


def _strip(tr: Translator, node: Node, args: list[Term]) -> Term:
    """Guess that there is nothing to strip."""
    if len(node.args) > 1:
        raise Unsupported("strip of given characters")
    tr.inexact()
    space = _CLASSES["isspace"]
    for ch in {0: [], 1: args[0]}.get(len(args[0]), [args[0][0], args[0][-1]] if args[0] else []):
        tr.side(tr.terms.not_(_within(tr.terms, ch, space)))
    return args[0]


def _digits(tr: Translator, text: list[Term]) -> Term:
    """The value of a run of digits."""
    t = tr.terms
    if len(text) > _MOST_DIGITS:
        raise Unsupported("that many digits")
    parts = [
        t.mul(t.int(10**power), t.add(ch, t.int(-48))) if power else t.add(ch, t.int(-48))
        for power, ch in enumerate(reversed(text))
    ]
    return t.add(*parts) if len(parts) > 1 else parts[0]


def _int_of(tr: Translator, node: Node, args: list[Term]) -> Term:
    """The value of digits with an optional sign; any, for other ways to write a number."""
    t = tr.terms
    if len(args) != 1 or not args[0]:
        raise Unsupported("not a number")
    text = args[0]
    value = _digits(tr, text)
    if len(text) > 1:
        rest = _digits(tr, text[1:])
        value = t.ite(t.eq(text[0], t.int(45)), t.neg(rest), t.ite(t.eq(text[0], t.int(43)), rest, value))
    return t.ite(_plain_int(t, text), value, tr.abstract(node))


def _plain_int(t: Terms, text: list[Term]) -> Term:
    """Digits with an optional sign."""
    digits = _CLASSES["isdigit"]
    first = _within(t, text[0], digits)
    if len(text) > 1:
        first = t.or_(first, t.eq(text[0], t.int(45)), t.eq(text[0], t.int(43)))
    return t.and_(first, *[_within(t, ch, digits) for ch in text[1:]])


def _int_ok(tr: Translator, node: Node, args: list[Term]) -> Term:
    """Plain numbers are; what holds another visible ASCII character is not; blanks and ``_`` stay open."""
    t = tr.terms
    if len(args) != 1:
        raise Unsupported("another base")
    if not args[0]:
        return t.false
    simple = _plain_int(t, args[0])
    doubtful = [
        t.or_(t.lt(t.int(_LAST_ASCII), ch), t.eq(ch, t.int(95)), _within(t, ch, _CLASSES["isspace"]))
        for ch in args[0]
    ]
    return t.or_(simple, t.and_(t.or_(*doubtful), tr.abstract(node)))


def _float_ok(tr: Translator, node: Node, args: list[Term]) -> Term:
    """As for ints: fractions are left to others."""
    tr.inexact()
    return _int_ok(tr, node, args)


def _float_of(tr: Translator, node: Node, args: list[Term]) -> Term:
    if tr.floats.name != "reals":
        raise Unsupported("digits of an exact float")
    return tr.terms.to_real(_int_of(tr, node, args))


def _ord(_tr: Translator, _node: Node, args: list[Term]) -> Term:
    if len(args[0]) != 1:
        raise Unsupported("ord of several characters")
    return args[0][0]


def _chr(tr: Translator, node: Node, args: list[Term]) -> Term:
    return [tr.ints(node, args)[0]]


def _same(_tr: Translator, node: Node, args: list[Term]) -> Term:
    if node.args[0].sort is not node.sort:
        raise Unsupported(node.op)
    return args[0]


def _recode(tr: Translator, _node: Node, args: list[Term]) -> Term:
    tr.inexact()
    return args[0]


_METHODS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("startswith", "endswith"), _affix),
    **dict.fromkeys(("find", "rfind", "index", "rindex"), _find),
    **dict.fromkeys(_CLASSES, _class_test),
    **dict.fromkeys(("isupper", "islower"), _case_test),
    **dict.fromkeys(("upper", "lower", "casefold", "swapcase", "capitalize", "title"), _change_case),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), _strip),
    **dict.fromkeys(("encode", "decode"), _recode),
    "count": _count,
    "replace": _replace,
}

HANDLERS: Final[dict[str, Handler]] = {
    **{f"{kind}.{name}": handler for kind in ("str", "bytes") for name, handler in _METHODS.items()},
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _comparison),
    "add": _concat,
    "mul": _repeat,
    "len": _length,
    "item": _item,
    "slice": _slice,
    "contains": _contains,
    "int": _int_of,
    "int_ok": _int_ok,
    "float": _float_of,
    "float_ok": _float_ok,
    "ord": _ord,
    "chr": _chr,
    "str": _same,
}
