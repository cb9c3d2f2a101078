"""Tests of letter case and identifiers: exact for ASCII and for bytes, left open for other characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.chars.vectors import Code, Logic, Truth
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

Ranges = tuple[tuple[int, int], ...]

DIGITS: Final[Ranges] = ((48, 57),)
UPPER: Final[Ranges] = ((65, 90),)
LOWER: Final[Ranges] = ((97, 122),)
LETTERS: Final[Ranges] = (*UPPER, *LOWER)
SPACE: Final[Ranges] = ((9, 13), (28, 32))
BYTES_SPACE: Final[Ranges] = ((9, 13), (32, 32))
OTHER_SPACE: Final[Ranges] = (
    (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip
LAST_ASCII: Final = 127

def _logic(tr: Translator) -> Logic:
    return tr.text.logic  # type: ignore[attr-defined, no-any-return]


def space_of(sort: Sort) -> Ranges:
    """All that `strip` and `split` take for blank."""
    return BYTES_SPACE if sort is Sort.BYTES else (*SPACE, *OTHER_SPACE)


def tested(tr: Translator, code: Code, ranges: Sequence[tuple[int, int]], *, complete: bool) -> Truth:
    """Return whether a character is in some ranges: open beyond ASCII unless they are complete."""
    logic = _logic(tr)
    known = logic.within(code, ranges)
    if complete or (isinstance(code, int) and code <= LAST_ASCII):
        return known
    ascii_only = logic.at_most(code, LAST_ASCII)
    other = tr.auxiliary(tr.terms.bool_sort)
    return logic.any((logic.all((ascii_only, known)), logic.all((logic.no(ascii_only), other))))


def _tested(tr: Translator, node: Node, code: Code, ranges: Ranges) -> Truth:
    return tested(tr, code, ranges, complete=node.args[0].sort is Sort.BYTES)


def _case_test(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = _logic(tr)
    has, lacks = (UPPER, LOWER) if node.op.endswith("isupper") else (LOWER, UPPER)

    def each(codes: tuple[Code, ...]) -> Truth:
        some = logic.any([_tested(tr, node, code, has) for code in codes])
        return logic.all((some, *[logic.no(_tested(tr, node, code, lacks)) for code in codes]))

    return logic.truth(logic.condition(args[0], each))


def _is_title(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = _logic(tr)
    if node.args[0].sort is Sort.STR:
        tr.inexact()

    def each(codes: tuple[Code, ...]) -> Truth:
        before: Truth = False
        wrong: list[Truth] = []
        some: list[Truth] = []
        for code in codes:
            upper, lower = logic.within(code, UPPER), logic.within(code, LOWER)
            wrong += [logic.all((upper, before)), logic.all((lower, logic.no(before)))]
            before = logic.any((upper, lower))
            some.append(before)
        return logic.all((logic.any(some), logic.no(logic.any(wrong))))

    return logic.truth(logic.condition(args[0], each))


def _is_identifier(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = _logic(tr)
    if node.args[0].sort is not Sort.STR:
        raise Unsupported(node.op)
    first = (*LETTERS, (95, 95))

    def each(codes: tuple[Code, ...]) -> Truth:
        if not codes:
            return False
        tests = [
            _tested(tr, node, code, first if not place else (*first, *DIGITS))
            for place, code in enumerate(codes)
        ]
        return logic.all(tests)

    return logic.truth(logic.condition(args[0], each))


_METHODS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("isupper", "islower"), _case_test),
    "istitle": _is_title,
    "isidentifier": _is_identifier,
}

HANDLERS: Final[dict[str, Handler]] = {
    f"{kind}.{name}": handler for kind in ("str", "bytes") for name, handler in _METHODS.items()
}
