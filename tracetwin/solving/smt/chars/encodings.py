"""Texts of code points as bytes and back: UTF-8, ASCII, Latin-1, and hexadecimal digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node
from tracetwin.solving.smt.chars.classes import DIGITS, LAST_ASCII
from tracetwin.solving.smt.chars.spots import logic_of
from tracetwin.solving.smt.chars.vectors import Code, Logic, Output, Text, Truth, fixed
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_CONTINUATION: Final = ((0x80, 0xBF),)


def _encoding(node: Node) -> str:
    if any(arg.op != "const" for arg in node.args[1:]):
        raise Unsupported("a variable encoding")
    name = str(node.args[1].data).lower().replace("_", "-") if len(node.args) > 1 else "utf-8"
    if len(node.args) > 2 and node.args[2].data != "strict":
        raise Unsupported("errors that are not raised")
    known = {
        "utf8": "utf-8",
        "u8": "utf-8",
        "us-ascii": "ascii",
        "latin1": "latin-1",
        "iso-8859-1": "latin-1",
    }
    name = known.get(name, name)
    if name not in ("utf-8", "ascii", "latin-1"):
        raise Unsupported("that encoding")
    return name


_LAST: Final = {"ascii": LAST_ASCII, "latin-1": 255}


def _encode(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    if _encoding(node) in _LAST:
        return args[0]
    t = tr.terms

    def bytes_of(code: Code) -> list[Output]:
        if isinstance(code, int):
            return [(True, tuple(chr(code).encode("utf-8", "surrogatepass")))]
        low = [logic.plus(t.mod(t.div(code, t.int(64**p)) if p else code, t.int(64)), 0x80) for p in range(3)]
        top = [t.div(code, t.int(64**p)) for p in range(1, 4)]
        return [
            (logic.at_most(code, 0x7F), (code,)),
            (logic.within(code, ((0x80, 0x7FF),)), (logic.plus(top[0], 0xC0), low[0])),
            (logic.within(code, ((0x800, 0xFFFF),)), (logic.plus(top[1], 0xE0), low[1], low[0])),
            (logic.at_most(0x10000, code), (logic.plus(top[2], 0xF0), low[2], low[1], low[0])),
        ]

    return logic.mapped(
        args[0], lambda codes: logic.rewritten(codes, lambda place, _: bytes_of(codes[place]))
    )


def _encode_ok(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    name = _encoding(node)

    def fits(code: Code) -> Truth:
        if name in _LAST:
            return logic.at_most(code, _LAST[name])
        return logic.no(logic.within(code, ((0xD800, 0xDFFF),)))

    return logic.truth(logic.condition(args[0], lambda codes: logic.all(map(fits, codes))))


def _starts(logic: Logic, codes: Sequence[Code]) -> list[list[tuple[Truth, int, Code]]]:
    """For each place the characters of UTF-8 that may begin there: condition, number of bytes, code point."""
    tails = [logic.within(code, _CONTINUATION) for code in codes]

    def combined(place: int, size: int, mark: int) -> Code:
        value: Code = 0
        for offset in range(size):
            code = logic.plus(codes[place + offset], -(0x80 if offset else mark))
            value = logic.plus(_times(logic, value, 64), code)
        return value

    found: list[list[tuple[Truth, int, Code]]] = []
    for place, code in enumerate(codes):
        here: list[tuple[Truth, int, Code]] = [(logic.at_most(code, 0x7F), 1, code)]
        for size, first, last, mark, ranges in (
            (2, 0xC2, 0xDF, 0xC0, ((0x80, 0x7FF),)),
            (3, 0xE0, 0xEF, 0xE0, ((0x800, 0xD7FF), (0xE000, 0xFFFF))),
            (4, 0xF0, 0xF4, 0xF0, ((0x10000, 0x10FFFF),)),
        ):
            if place + size <= len(codes):
                value = combined(place, size, mark)
                lead = logic.within(code, ((first, last),))
                whole = logic.all((lead, *tails[place + 1 : place + size], logic.within(value, ranges)))
                here.append((whole, size, value))
        found.append(here)
    return found


def _times(logic: Logic, value: Code, factor: int) -> Code:
    return value * factor if isinstance(value, int) else logic.t.mul(logic.t.int(factor), value)


def _decode(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    if _encoding(node) in _LAST:
        return args[0]

    def decoded(codes: tuple[Code, ...]) -> Text:
        starts = _starts(logic, codes)

        def outputs(place: int, _: int) -> list[Output]:
            begins = logic.any(guard for guard, _, _ in starts[place])
            return [*[(guard, (value,)) for guard, _, value in starts[place]], (logic.no(begins), ())]

        return logic.rewritten(codes, outputs)

    return logic.mapped(args[0], decoded)


def _decode_ok(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    name = _encoding(node)

    def fits(codes: tuple[Code, ...]) -> Truth:
        if name in _LAST:
            return logic.all(logic.at_most(code, _LAST[name]) for code in codes)
        starts = _starts(logic, codes)
        good = []
        for place in range(len(codes)):
            ways = [guard for guard, _, _ in starts[place]]
            for back in range(1, min(place, 3) + 1):
                ways += [guard for guard, size, _ in starts[place - back] if size > back]
            good.append(logic.any(ways))
        return logic.all(good)

    return logic.truth(logic.condition(args[0], fits))


def _hex(tr: Translator, node: Node, args: list[Any]) -> Term:
    """``b.hex()``."""
    if len(node.args) > 1:
        raise Unsupported("a separator")
    logic = logic_of(tr)
    t = tr.terms

    def digit(value: Code) -> Code:
        letter = logic.plus(value, 87)
        return logic.choose(logic.at_most(value, 9), logic.plus(value, 48), letter)

    def shown(codes: tuple[Code, ...]) -> Text:
        result: list[Code] = []
        for code in codes:
            high, low = (
                divmod(code, 16)
                if isinstance(code, int)
                else (t.div(code, t.int(16)), t.mod(code, t.int(16)))
            )
            result += [digit(high), digit(low)]
        return fixed(result)

    return logic.mapped(args[0], shown)


def _nibble(logic: Logic, code: Code) -> Code:
    letter = logic.choose(logic.at_most(97, code), logic.plus(code, -87), logic.plus(code, -55))
    return logic.choose(logic.at_most(code, 57), logic.plus(code, -48), letter)


def _is_hex(logic: Logic, codes: Sequence[Code]) -> Truth:
    digits = (*DIGITS, (65, 70), (97, 102))
    return len(codes) % 2 == 0 and logic.all(logic.within(code, digits) for code in codes)


def _from_hex(tr: Translator, _node: Node, args: list[Any]) -> Term:
    """Of digits without blanks between them."""
    logic = logic_of(tr)
    tr.inexact()

    def read(codes: tuple[Code, ...]) -> Text:
        pairs = zip(codes[::2], codes[1::2], strict=False)
        return fixed(logic.plus(_times(logic, _nibble(logic, a), 16), _nibble(logic, b)) for a, b in pairs)

    return logic.mapped(args[0], read)


def _from_hex_ok(tr: Translator, _node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    tr.inexact()
    return logic.truth(logic.condition(args[0], lambda codes: _is_hex(logic, codes)))


HANDLERS: Final[dict[str, Handler]] = {
    "str.encode": _encode,
    "str.encode_ok": _encode_ok,
    "bytes.decode": _decode,
    "bytes.decode_ok": _decode_ok,
    **dict.fromkeys(("bytes.hex", "binascii.hexlify"), _hex),
    **dict.fromkeys(("bytes.fromhex", "binascii.unhexlify"), _from_hex),
    **dict.fromkeys(("bytes.fromhex_ok", "binascii.unhexlify_ok"), _from_hex_ok),
}
