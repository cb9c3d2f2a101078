"""Base64 in code points: four characters for three bytes, canonical text only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node
from tracetwin.solving.smt.chars.spots import logic_of
from tracetwin.solving.smt.chars.vectors import Code, Logic, Text, Truth, fixed
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_ALPHABET: Final = ((65, 90, -65), (97, 122, -71), (48, 57, 4), (43, 43, 19), (47, 47, 16))
"""First and last character of each range, and what is to be added for the number it stands for."""

_PAD: Final = 61


def _number(logic: Logic, code: Code) -> tuple[Truth, Code]:
    """Return whether a character is one of the alphabet, and its number then."""
    known = logic.within(code, [(low, high) for low, high, _ in _ALPHABET])
    number: Code = logic.plus(code, _ALPHABET[-1][2])
    for low, high, shift in _ALPHABET[:-1]:
        number = logic.choose(logic.within(code, ((low, high),)), logic.plus(code, shift), number)
    return known, number


def _character(logic: Logic, number: Code) -> Code:
    result = logic.plus(number, -_ALPHABET[-1][2])
    for low, high, shift in _ALPHABET[:-1]:
        result = logic.choose(
            logic.within(number, ((low + shift, high + shift),)), logic.plus(number, -shift), result
        )
    return result


def _ways(logic: Logic, codes: Sequence[Code]) -> list[tuple[Truth, list[Code]]]:
    """The canonical readings of a text, by how many marks fill it up: condition and bytes."""
    if len(codes) % 4:
        return []
    if not codes:
        return [(True, [])]
    t = logic.t
    read = [_number(logic, code) for code in codes]
    ways = []
    for pads in range(3):
        solid = len(codes) - pads
        marks = [logic.same(code, _PAD) for code in codes[solid:]]
        condition = logic.all([*[ok for ok, _ in read[:solid]], *marks])
        numbers = [logic.term(number) for _, number in read[:solid]] + [t.int(0)] * pads
        octets: list[Code] = []
        for a, b, c, d in zip(*[iter(numbers)] * 4, strict=True):
            octets += [
                t.add(t.mul(t.int(4), a), t.div(b, t.int(16))),
                t.add(t.mul(t.int(16), t.mod(b, t.int(16))), t.div(c, t.int(4))),
                t.add(t.mul(t.int(64), t.mod(c, t.int(4))), d),
            ]
        ways.append((condition, octets[: len(octets) - pads]))
    return ways


def _decode(tr: Translator, _node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    tr.inexact()
    cases: list[tuple[Truth, list[Code]]] = []
    canonical = []
    for guard, codes in args[0].cases:
        for way, octets in _ways(logic, codes):
            cases.append((logic.all((guard, way)), octets))
            canonical.append(cases[-1][0])
    if not cases:
        raise Unsupported("a text that fills no group of four")
    tr.side(logic.truth(logic.any(canonical)))
    return logic.merged(cases)


def _decode_ok(tr: Translator, node: Node, args: list[Any]) -> Term:
    """Canonical text is; other text stays open."""
    logic = logic_of(tr)
    plain = logic.condition(args[0], lambda codes: logic.any(way for way, _ in _ways(logic, codes)))
    return logic.truth(logic.any((plain, tr.abstract(node))))


def _encode(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    t = tr.terms
    end = (10,) if len(node.args) < 2 or constant(node.args[1]) else ()

    def encoded(codes: tuple[Code, ...]) -> Text:
        result: list[Code] = []
        for place in range(0, len(codes), 3):
            group = [logic.term(code) for code in codes[place : place + 3]]
            a, b, c = [*group, t.int(0), t.int(0)][:3]
            numbers = [
                t.div(a, t.int(4)),
                t.add(t.mul(t.int(16), t.mod(a, t.int(4))), t.div(b, t.int(16))),
                t.add(t.mul(t.int(4), t.mod(b, t.int(16))), t.div(c, t.int(64))),
                t.mod(c, t.int(64)),
            ]
            shown = [_character(logic, number) for number in numbers[: len(group) + 1]]
            result += [*shown, *[_PAD] * (4 - len(shown))]
        return fixed((*result, *end))

    return logic.mapped(args[0], encoded)


HANDLERS: Final[dict[str, Handler]] = {
    "binascii.a2b_base64": _decode,
    "binascii.a2b_base64_ok": _decode_ok,
    "binascii.b2a_base64": _encode,
}
