"""Ints as bytes and bytes as ints, for both theories of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runtime.expr import Node
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.translate import Translator

_MOST: Final = 32


def octets_of(tr: Translator, node: Node, args: list[Term]) -> list[Term]:
    """The ints that ``n.to_bytes(length, order)`` is made of."""
    t = tr.terms
    length = constant(node.args[1])
    if length is None or not 0 <= length <= _MOST:
        raise Unsupported("that many bytes")
    places = range(length) if node.args[2].data == "little" else range(length - 1, -1, -1)
    return [t.mod(t.div(args[0], t.int(1 << 8 * place)), t.int(256)) for place in places]


def text_of(tr: Translator, node: Node, args: list[Term]) -> Term:
    """The same as a sequence."""
    t = tr.terms
    codes = [t.from_code(octet) for octet in octets_of(tr, node, args)]
    return t.concat(*codes) if len(codes) > 1 else codes[0] if codes else t.text("")


def number_of(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``int.from_bytes(data, order)`` of bytes of known length."""
    t = tr.terms
    octets = list(args[0])
    if len(octets) > _MOST:
        raise Unsupported("that many bytes")
    if node.args[1].data == "big":
        octets.reverse()
    parts = [t.mul(octet, t.int(1 << 8 * place)) if place else octet for place, octet in enumerate(octets)]
    total = t.add(*parts) if len(parts) > 1 else parts[0] if parts else t.int(0)
    if node.args[2].data and octets:
        limit = 1 << 8 * len(octets) - 1
        total = t.ite(t.lt(total, t.int(limit)), total, t.sub(total, t.int(2 * limit)))
    return total
