"""Numbers in texts of code points: `int(s)`, `float(s)`, and the digits of ints and rounded floats."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.chars.classes import DIGITS, LAST_ASCII, space_of
from tracetwin.solving.smt.chars.rewrites import quoted
from tracetwin.solving.smt.chars.vectors import Code, Logic, Text, Truth, fixed
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_MOST_DIGITS: Final = 18
_MOST_WRITTEN: Final = {10: 12, 16: 8, 2: 16, 8: 10}
_MINUS: Final = 45
_PLUS: Final = 43
_DOT: Final = 46
_UNDERSCORE: Final = 95
_SPEC: Final = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>^=]))?(?P<sign>[-+ ])?(?P<alt>#)?(?P<zero>0)?(?P<width>\d+)?"
    r"(?P<comma>[,_])?(?:\.(?P<precision>\d+))?(?P<type>[a-zA-Z%])?",
    re.DOTALL,
)
_BASES: Final = {"d": 10, "b": 2, "o": 8, "x": 16, "X": 16, "": 10}
_PREFIXES: Final = {"hex": "0x", "oct": "0o", "bin": "0b"}


def _logic(tr: Translator) -> Logic:
    return tr.text.logic  # type: ignore[attr-defined, no-any-return]


def _digit(logic: Logic, code: Code, base: int) -> tuple[Truth, Code]:
    """Return whether a character is a digit in a base, and its value then."""
    number = logic.plus(code, -48)
    if base <= 10:
        return logic.within(code, ((48, 47 + base),)), number
    last = base - 11
    upper, lower = ((65, 65 + last),), ((97, 97 + last),)
    is_upper, is_lower = logic.within(code, upper), logic.within(code, lower)
    letter = logic.choose(is_upper, logic.plus(code, -55), logic.plus(code, -87))
    is_digit = logic.within(code, DIGITS)
    return logic.any((is_digit, is_upper, is_lower)), logic.choose(is_digit, number, letter)


def _weighed(tr: Translator, values: Sequence[Code], base: int) -> Code:
    """The number with these digits."""
    t = tr.terms
    logic = _logic(tr)
    if len(values) > _MOST_DIGITS:
        raise Unsupported("that many digits")
    known = sum(v * base**p for p, v in enumerate(reversed(values)) if isinstance(v, int))
    parts = [
        t.mul(t.int(base**power), value) if power else value
        for power, value in enumerate(reversed(values))
        if not isinstance(value, int)
    ]
    if not parts:
        return known
    return logic.plus(t.add(*parts) if len(parts) > 1 else parts[0], known)


def _signed(tr: Translator, codes: Sequence[Code], base: int) -> tuple[Truth, Code]:
    """Return whether a text is digits with an optional sign, and the number."""
    logic = _logic(tr)
    if not codes:
        return False, 0
    digits = [_digit(logic, code, base) for code in codes]
    first_ok, _ = digits[0]
    value = _weighed(tr, [v for _, v in digits], base)
    if len(codes) > 1:
        rest = _weighed(tr, [v for _, v in digits[1:]], base)
        minus, plus = logic.same(codes[0], _MINUS), logic.same(codes[0], _PLUS)
        negative = -rest if isinstance(rest, int) else tr.terms.neg(rest)
        value = logic.choose(minus, negative, logic.choose(plus, rest, value))
        first_ok = logic.any((first_ok, minus, plus))
    return logic.all([first_ok, *[ok for ok, _ in digits[1:]]]), value


def _base(node: Node) -> int:
    base = constant(node.args[1]) if len(node.args) > 1 else 10
    if base is None or not 2 <= base <= 36:
        raise Unsupported("that base")
    return base


def _int_of(tr: Translator, node: Node, args: list[Any]) -> Term:
    """The value of digits with an optional sign; any, for other ways to write a number."""
    logic = _logic(tr)
    base = _base(node)
    found = [(guard, *_signed(tr, codes, base)) for guard, codes in args[0].cases]
    tr.text.guess(logic.any(logic.all((guard, plain)) for guard, plain, _ in found))  # type: ignore[attr-defined]
    result: Code = tr.abstract(node)
    for guard, plain, value in found:
        result = logic.choose(logic.all((guard, plain)), value, result)
    return logic.term(result)


def _int_ok(tr: Translator, node: Node, args: list[Any]) -> Term:
    """Plain numbers are; what holds another visible ASCII character is not; blanks and ``_`` stay open."""
    logic = _logic(tr)
    base = _base(node)
    blank = space_of(node.args[0].sort)
    marks = {_UNDERSCORE, *(map(ord, "xXbBoO") if base in (2, 8, 16) else ())}

    def doubtful(code: Code) -> Truth:
        other = logic.below(LAST_ASCII, code)
        return logic.any((other, logic.one_of(code, marks), logic.within(code, blank)))

    plain = logic.condition(args[0], lambda codes: _signed(tr, codes, base)[0])
    odd = logic.condition(args[0], lambda codes: logic.any(map(doubtful, codes)))
    return logic.truth(logic.any((plain, _open(tr, node, odd))))


def _open(tr: Translator, node: Node, doubtful: Truth) -> Truth:
    """Any answer where it is in doubt."""
    return False if doubtful is False else _logic(tr).all((doubtful, tr.abstract(node)))


def _decimals(tr: Translator, codes: Sequence[Code]) -> list[tuple[Truth, Code, int]]:
    """The ways to read a text as a number with a point: condition, digits without it, digits behind it."""
    logic = _logic(tr)
    ways = [(*_signed(tr, codes, 10), 0)]
    for dot, code in enumerate(codes):
        rest = [*codes[:dot], *codes[dot + 1 :]]
        plain, value = _signed(tr, rest, 10)
        if dot == 0 and rest:
            plain = logic.all((plain, logic.within(rest[0], DIGITS)))
        ways.append((logic.all((logic.same(code, _DOT), plain)), value, len(codes) - dot - 1))
    return ways


def _float_of(tr: Translator, node: Node, args: list[Any]) -> Term:
    """The value of digits with a point; any, for other ways to write a number."""
    t = tr.terms
    logic = _logic(tr)
    if not tr.floats.real:
        raise Unsupported("digits of an exact float")
    result = tr.abstract(node)
    ways = [(guard, way) for guard, codes in args[0].cases for way, _, _ in _decimals(tr, codes)]
    tr.text.guess(logic.any(map(logic.all, ways)))  # type: ignore[attr-defined]
    for guard, codes in args[0].cases:
        for plain, value, places in _decimals(tr, codes):
            real = t.to_real(logic.term(value))
            if places:
                real = t.div(real, t.to_real(t.int(10**places)))
            result = t.ite(logic.truth(logic.all((guard, plain))), real, result)
    return result


def _float_ok(tr: Translator, node: Node, args: list[Any]) -> Term:
    """Numbers with a point are; texts with letters and other signs stay open."""
    logic = _logic(tr)

    wrong = ((36, 42), (47, 47), (58, 64), (91, 94))
    plain = logic.condition(args[0], lambda codes: logic.any(way for way, _, _ in _decimals(tr, codes)))
    odd = logic.condition(
        args[0],
        lambda codes: bool(codes) and logic.no(logic.any(logic.within(code, wrong) for code in codes)),
    )
    return logic.truth(logic.any((plain, _open(tr, node, odd))))


def _written(
    tr: Translator, number: Term, base: int, upper: bool = False
) -> list[tuple[Truth, tuple[Code, ...]]]:
    """The digits of the absolute value of an int, for each number of digits."""
    t = tr.terms
    logic = _logic(tr)
    most = _MOST_WRITTEN[base]
    digits = [tr.auxiliary(t.int_sort) for _ in range(most)]
    size = t.ite(t.lt(number, t.int(0)), t.neg(number), number)
    tr.inexact()  # greater numbers are left out
    tr.side(t.and_(*[t.and_(t.le(t.int(0), d), t.le(d, t.int(base - 1))) for d in digits]))
    tr.side(t.eq(size, t.add(*[t.mul(t.int(base**p), d) if p else d for p, d in enumerate(digits)])))
    letters = 55 if upper else 87
    codes = [
        logic.plus(d, 48)
        if base <= 10
        else logic.choose(t.le(d, t.int(9)), logic.plus(d, 48), logic.plus(d, letters))
        for d in digits
    ]
    cases: list[tuple[Truth, tuple[Code, ...]]] = []
    for count in range(1, most + 1):
        low = t.le(t.int(base ** (count - 1)), size) if count > 1 else True
        guard = logic.all((low, t.lt(size, t.int(base**count))))
        cases.append((guard, tuple(reversed(codes[:count]))))
    return cases


def _integer(tr: Translator, node: Node, args: list[Any]) -> Term:
    if node.args[0].sort not in (Sort.INT, Sort.BOOL):
        raise Unsupported("digits of that")
    return tr.ints(node, args)[0]


def _with_sign(
    tr: Translator,
    number: Term,
    base: int,
    dress: Callable[[str, tuple[Code, ...]], tuple[Code, ...]],
    upper: bool = False,
) -> Text:
    """The digits of an int, given a sign and padding by `dress`."""
    t = tr.terms
    logic = _logic(tr)
    negative = t.lt(number, t.int(0))
    cases = []
    for guard, codes in _written(tr, number, base, upper):
        cases.append((logic.all((negative, guard)), dress("-", codes)))
        cases.append((logic.all((logic.no(negative), guard)), dress("", codes)))
    return logic.merged(cases)


def _codes(text: str) -> tuple[Code, ...]:
    return tuple(map(ord, text))


def _as_text(tr: Translator, node: Node, args: list[Any]) -> Term:
    """``str(n)``; of a text, the text."""
    if node.args[0].sort is node.sort and node.op == "str":
        return args[0]
    if node.args[0].sort is Sort.BOOL:
        return tr.text.choice(args[0], fixed(_codes("True")), fixed(_codes("False")))
    if node.args[0].sort is Sort.STR and node.op in ("repr", "ascii"):
        return quoted(tr, args[0])
    number = _integer(tr, node, args)
    return _with_sign(tr, number, 10, lambda sign, codes: (*_codes(sign), *codes))


def _in_base(tr: Translator, node: Node, args: list[Any]) -> Term:
    """``hex(n)``, ``oct(n)``, ``bin(n)``."""
    prefix = _PREFIXES[node.op]
    number = _integer(tr, node, args)
    return _with_sign(tr, number, _BASES[prefix[1]], lambda sign, codes: (*_codes(sign + prefix), *codes))


def _format(tr: Translator, node: Node, args: list[Any]) -> Term:
    """``format(value, spec)`` with a constant spec."""
    spec = node.args[1].data if node.args[1].op == "const" else None
    found = _SPEC.fullmatch(spec) if isinstance(spec, str) else None
    if found is None:
        raise Unsupported("that format")
    match node.args[0].sort:
        case Sort.STR if found["type"] in (None, "s") and not found["zero"]:
            return _padded_text(tr, args[0], found)
        case Sort.INT if (found["type"] or "") in _BASES and found["precision"] is None:
            number = args[0]
            base, upper = _BASES[found["type"] or ""], found["type"] == "X"
            return _with_sign(tr, number, base, lambda sign, codes: _dressed(found, sign, codes, base), upper)
        case Sort.FLOAT if found["type"] in ("f", "F") and tr.floats.real:
            return _rounded(tr, args[0], found)
    raise Unsupported("that format")


def _padded_text(tr: Translator, text: Text, found: re.Match[str]) -> Text:
    if found["sign"] or found["alt"] or found["comma"] or found["align"] == "=":
        raise Unsupported("that format")
    cut = int(found["precision"]) if found["precision"] is not None else None
    return _logic(tr).mapped(
        text,
        lambda codes: fixed(
            _aligned(codes[:cut], int(found["width"] or 0), found["fill"], found["align"] or "<")
        ),
    )


def _aligned(codes: tuple[Code, ...], width: int, fill: str | None, align: str) -> tuple[Code, ...]:
    room = max(width - len(codes), 0)
    left = {"<": 0, ">": room, "^": room // 2}[align]
    pad = ord(fill or " ")
    return (*[pad] * left, *codes, *[pad] * (room - left))


def _dressed(
    found: re.Match[str], sign: str, codes: tuple[Code, ...], base: int, fraction: tuple[Code, ...] = ()
) -> tuple[Code, ...]:
    """Sign, prefix, grouping and padding around digits."""
    if not sign and found["sign"] in ("+", " "):
        sign = found["sign"]
    if found["alt"] and base != 10:
        sign += "0" + (found["type"] or "")
    group = 3 if base == 10 else 4
    width = int(found["width"] or 0)
    align = found["align"] or ("=" if found["zero"] else ">")
    fill = found["fill"] or ("0" if found["zero"] else " ")
    if found["comma"] and align == "=" and width:
        raise Unsupported("padding of grouped digits")
    if found["comma"]:
        codes = _grouped(codes, ord(found["comma"]), group)
    codes = (*codes, *fraction)
    if align == "=":
        room = max(width - len(sign) - len(codes), 0)
        return (*_codes(sign), *_codes(fill) * room, *codes)
    return _aligned((*_codes(sign), *codes), width, fill, align)


def _grouped(codes: tuple[Code, ...], mark: int, group: int) -> tuple[Code, ...]:
    whole = list(codes)
    for place in range(len(whole) - group, 0, -group):
        whole.insert(place, mark)
    return tuple(whole)


def _rounded(tr: Translator, value: Term, found: re.Match[str]) -> Text:
    """A real with a fixed number of decimals; what lies half-way may be rounded either way."""
    t = tr.terms
    places = int(found["precision"]) if found["precision"] is not None else 6
    if places > 6 or found["alt"] or (found["comma"] and found["zero"]):
        raise Unsupported("that format")
    number = tr.auxiliary(t.int_sort)
    scaled = t.mul(value, t.to_real(t.int(2 * 10**places)))
    twice = t.to_real(t.mul(t.int(2), number))
    one = t.to_real(t.int(1))
    tr.side(t.and_(t.le(t.sub(twice, one), scaled), t.le(scaled, t.add(twice, one))))
    tr.text.guess(t.eq(scaled, twice))  # type: ignore[attr-defined]
    tr.inexact()

    def dress(sign: str, codes: tuple[Code, ...]) -> tuple[Code, ...]:
        digits = (*[48] * max(places + 1 - len(codes), 0), *codes)
        fraction = (_DOT, *digits[-places:]) if places else ()
        return _dressed(found, sign, digits[:-places] if places else digits, 10, fraction)

    return _with_sign(tr, number, 10, dress)


def _bytes_of(tr: Translator, node: Node, args: list[Any]) -> Term:
    return fixed(
        [
            constant(n) if constant(n) is not None else a
            for n, a in zip(node.args, tr.ints(node, args), strict=True)
        ]
    )


def _from_bytes(tr: Translator, node: Node, args: list[Any]) -> Term:
    """``int.from_bytes(b, order, signed)``."""
    logic = _logic(tr)
    order, is_signed = (arg.data for arg in node.args[1:3])

    def each(codes: tuple[Code, ...]) -> Code:
        if not codes:
            return 0
        value = _weighed(tr, codes if order == "big" else codes[::-1], 256)
        top = codes[0] if order == "big" else codes[-1]
        return (
            logic.choose(logic.at_most(128, top), logic.plus(value, -(256 ** len(codes))), value)
            if is_signed
            else value
        )

    return logic.term(logic.number(args[0], each))


def _to_bytes(tr: Translator, node: Node, args: list[Any]) -> Term:
    """``n.to_bytes(size, order, signed)``."""
    t = tr.terms
    size, order, _ = (arg.data for arg in node.args[1:4])
    if not isinstance(size, int) or not 0 <= size <= 16:
        raise Unsupported("that many bytes")
    number = _integer(tr, node, args)
    codes = [t.mod(t.div(number, t.int(256**p)) if p else number, t.int(256)) for p in range(size)]
    return fixed(codes if order == "little" else codes[::-1])


HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("str", "repr", "ascii"), _as_text),
    **dict.fromkeys(_PREFIXES, _in_base),
    "int": _int_of,
    "int_ok": _int_ok,
    "float": _float_of,
    "float_ok": _float_ok,
    "format": _format,
    "bytes_of": _bytes_of,
    "from_bytes": _from_bytes,
    "to_bytes": _to_bytes,
}
