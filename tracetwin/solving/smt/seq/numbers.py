"""Texts that read as numbers and numbers as texts, in the encoding as sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.seq import regex
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator


def _int_ok(tr: Translator, _node: Node, args: list[Term]) -> Term:
    if len(args) != 1:
        raise Unsupported("another base")
    tr.inexact()
    return tr.terms.matches(args[0], regex.decimal_int(tr.terms))


def _int_of(tr: Translator, _node: Node, args: list[Term]) -> Term:
    """``int(s)`` where `s` is plain digits with an optional sign."""
    t = tr.terms
    if len(args) != 1:
        raise Unsupported("another base")
    tr.inexact()
    text = args[0]
    rest = t.extract(text, t.int(1), t.length(text))
    plain = t.text_to_int(text)
    signed = t.text_to_int(rest)
    unsigned = t.ite(t.prefix(t.text("+"), text), signed, plain)
    return t.ite(t.prefix(t.text("-"), text), t.neg(signed), unsigned)


def _float_ok(tr: Translator, _node: Node, args: list[Term]) -> Term:
    tr.inexact()
    return tr.terms.matches(args[0], regex.decimal_float(tr.terms))


def _float_of(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``float(s)`` where `s` is written as an int; otherwise any number."""
    t = tr.terms
    if not tr.floats.real:
        raise Unsupported("digits of an exact float")
    whole = t.matches(args[0], regex.decimal_int(t))
    return t.ite(whole, t.to_real(_int_of(tr, node, args)), tr.abstract(node))


def _digits(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``str(n)``, and ``str(text)``."""
    t = tr.terms
    if node.op == "str" and node.args[0].sort is node.sort:
        return args[0]
    if node.args[0].sort not in (Sort.INT, Sort.BOOL):
        raise Unsupported("digits of another number")
    if node.args[0].sort is Sort.BOOL:
        return t.ite(args[0], t.text("True"), t.text("False"))
    (a,) = args
    negative = t.concat(t.text("-"), t.int_to_text(t.neg(a)))
    return t.ite(t.lt(a, t.int(0)), negative, t.int_to_text(a))


def _format(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``format(n, spec)`` for the common specs ``""``, ``"d"``, ``"03d"``, ``"5d"``."""
    t = tr.terms
    spec = node.args[1].data
    if node.args[0].sort is not Sort.INT or not isinstance(spec, str):
        raise Unsupported("that format")
    width_text = spec.removesuffix("d")
    if not width_text:
        return _digits(tr, node, args[:1])
    if not (width_text.isdecimal() and width_text.isascii()) or int(width_text) > 64:
        raise Unsupported("that format")
    width, a = int(width_text), args[0]
    zeros = width_text.startswith("0")
    digits = t.int_to_text(t.ite(t.lt(a, t.int(0)), t.neg(a), a))
    sign = t.ite(t.lt(a, t.int(0)), t.text("-"), t.text(""))
    body = digits if zeros else t.concat(sign, digits)
    room = t.sub(t.int(width), t.length(t.concat(sign, digits)))
    padding = t.extract(t.text(("0" if zeros else " ") * width), t.int(0), room)
    return t.concat(sign, padding, body) if zeros else t.concat(padding, body)


HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("str", "repr", "ascii"), _digits),
    "int": _int_of,
    "int_ok": _int_ok,
    "float": _float_of,
    "float_ok": _float_ok,
    "format": _format,
}
