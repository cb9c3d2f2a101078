"""Texts of code points changed place by place: case, strip, replace, padding, translate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.chars.classes import LETTERS, LOWER, UPPER, space_of
from tracetwin.solving.smt.chars.spots import logic_of, matches, taken
from tracetwin.solving.smt.chars.vectors import Code, Logic, Output, Text, Truth, fixed
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_MOST_ENTRIES: Final = 128
_WIDEST_KNOWN: Final = 80
_WIDEST: Final = 16
_TAB: Final = 9


def _shifted(logic: Logic, code: Code, *, up: Truth = False, down: Truth = False) -> Code:
    """The character in upper or lower case, as the conditions say."""
    result = code
    if up is not False:
        lifts = logic.all((up, logic.within(code, LOWER)))
        result = logic.choose(lifts, logic.plus(code, -32), result)
    if down is not False:
        drops = logic.all((down, logic.within(code, UPPER)))
        result = logic.choose(drops, logic.plus(code, 32), result)
    return result


def _change_case(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    if node.args[0].sort is Sort.STR:
        tr.inexact()  # other characters than ASCII may change their number
    name = node.op.partition(".")[2]
    up, down = name in ("upper", "swapcase"), name in ("lower", "casefold", "swapcase")

    def changed(codes: tuple[Code, ...]) -> Text:
        return fixed(_shifted(logic, code, up=up, down=down) for code in codes)

    return logic.mapped(args[0], changed)


def _title(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    if node.args[0].sort is Sort.STR:
        tr.inexact()
    words = node.op.endswith("title")

    def changed(codes: tuple[Code, ...]) -> Text:
        result: list[Code] = []
        first: Truth = True
        for code in codes:
            result.append(_shifted(logic, code, up=first, down=logic.no(first)))
            first = logic.no(logic.within(code, LETTERS)) if words else False
        return fixed(result)

    return logic.mapped(args[0], changed)


def _strip(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    margin: Callable[[Code], Truth]
    if len(node.args) > 1 and not (node.args[1].op == "const" and node.args[1].data is None):
        chars = args[1].only
        if chars is None:
            raise Unsupported("strip of a variable number of characters")

        def margin(code: Code) -> Truth:
            return logic.any(logic.same(code, each) for each in chars)
    else:
        blank = space_of(node.args[0].sort)

        def margin(code: Code) -> Truth:
            return logic.within(code, blank)

    name = node.op.partition(".")[2]

    def stripped(codes: tuple[Code, ...]) -> Text:
        edge = [margin(code) for code in codes]
        left = _all_before(logic, edge) if name != "rstrip" else [False] * len(codes)
        right = _all_before(logic, edge[::-1])[::-1] if name != "lstrip" else [False] * len(codes)
        return logic.kept(codes, [logic.no(logic.any(both)) for both in zip(left, right, strict=True)])

    return logic.mapped(args[0], stripped)


def _all_before(logic: Logic, tests: Sequence[Truth]) -> list[Truth]:
    """For each place whether the tests hold up to and with it."""
    result: list[Truth] = []
    for test in tests:
        result.append(logic.all((result[-1], test)) if result else test)
    return result


def _replace(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    old, new = args[1].only, args[2].only
    most = constant(node.args[3]) if len(node.args) > 3 else -1
    if not old or new is None or most is None:
        raise Unsupported("replace of texts of several lengths")

    def replaced(codes: tuple[Code, ...]) -> Text:
        here = taken(logic, matches(logic, codes, old), len(old), most)

        def outputs(place: int, _: int) -> list[Output]:
            begins = here[place] if place < len(here) else False
            inside = logic.any(here[max(place - len(old) + 1, 0) : place])
            return [
                (begins, new),
                (inside, ()),
                (logic.no(logic.any((begins, inside))), (codes[place],)),
            ]

        return logic.rewritten(codes, outputs)

    return logic.mapped(args[0], replaced)


def _remove_affix(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    at_end = node.op.endswith("suffix")
    cases: list[tuple[Truth, tuple[Code, ...]]] = []
    for guard, codes, affix in logic.pairs(args[0], args[1]):
        rest = len(codes) - len(affix)
        there: Truth = False
        if affix and rest >= 0:
            there = logic.equal(codes[rest:] if at_end else codes[: len(affix)], affix)
            cases.append((logic.all((guard, there)), codes[:rest] if at_end else codes[len(affix) :]))
        cases.append((logic.all((guard, logic.no(there))), codes))
    return logic.merged(cases)


def _pad(tr: Translator, node: Node, args: list[Any]) -> Term:
    """`center`, `ljust`, `rjust`, `zfill`."""
    logic = logic_of(tr)
    fill = args[2].only if len(args) > 2 else (32,)
    if fill is None or len(fill) != 1:
        raise Unsupported("padding with a variable character")
    name = node.op.partition(".")[2]

    def padded(codes: tuple[Code, ...], width: int) -> Text:
        room = max(width - len(codes), 0)
        if name == "zfill":
            return _zero_filled(logic, codes, room)
        # as CPython does: of an odd room, the left gets more where the width is odd
        left = {"ljust": 0, "rjust": room, "center": room // 2 + (room & width & 1)}[name]
        return fixed((*fill * left, *codes, *fill * (room - left)))

    widths = _widths(tr, node, args)
    return logic.merged(
        (logic.all((guard, here, inner)), result)
        for guard, codes in args[0].cases
        for here, width in widths
        for inner, result in padded(codes, width).cases
    )


def _widths(tr: Translator, node: Node, args: list[Any]) -> list[tuple[Truth, int]]:
    """Return the widths that are possible; great ones are left out where it is open."""
    logic = logic_of(tr)
    width = constant(node.args[1])
    if width is not None:
        if width > _WIDEST_KNOWN:
            raise Unsupported("padding to that width")
        return [(True, width)]
    number = tr.ints(node, args)[1]
    tr.inexact()
    tr.side(tr.terms.le(number, tr.terms.int(_WIDEST)))
    return [(logic.at_most(number, 0), 0), *[(logic.same(number, n), n) for n in range(1, _WIDEST + 1)]]


def _zero_filled(logic: Logic, codes: tuple[Code, ...], room: int) -> Text:
    zeros = (48,) * room
    if not codes or not room:
        return fixed((*zeros, *codes))
    sign = logic.one_of(codes[0], (43, 45))
    return logic.merged([(sign, (codes[0], *zeros, *codes[1:])), (logic.no(sign), (*zeros, *codes))])


def _expand_tabs(tr: Translator, node: Node, args: list[Any]) -> Term:
    """Of texts of one line."""
    logic = logic_of(tr)
    size = constant(node.args[1]) if len(node.args) > 1 else 8
    if size is None:
        raise Unsupported("tabs of variable size")
    tr.inexact()

    def expanded(codes: tuple[Code, ...]) -> Text:
        for code in codes:
            tr.side(logic.truth(logic.no(logic.one_of(code, (10, 13)))))

        def outputs(place: int, start: int) -> list[Output]:
            is_tab = logic.same(codes[place], _TAB)
            spaces = (32,) * (size - start % size) if size > 0 else ()
            return [(is_tab, spaces), (logic.no(is_tab), (codes[place],))]

        return logic.rewritten(codes, outputs)

    return logic.mapped(args[0], expanded)


def _translate(tr: Translator, node: Node, args: list[Any]) -> Term:
    """With a constant table."""
    logic = logic_of(tr)
    table = _table(node)

    def translated(codes: tuple[Code, ...]) -> Text:
        def outputs(place: int, _: int) -> list[Output]:
            code = codes[place]
            if isinstance(code, int):
                return [(True, table.get(code, (code,)))]
            grouped: dict[tuple[int, ...], list[int]] = {}
            for key, output in table.items():
                grouped.setdefault(output, []).append(key)
            found = [(logic.one_of(code, keys), output) for output, keys in grouped.items()]
            return [*found, (logic.no(logic.any(guard for guard, _ in found)), (code,))]

        return logic.rewritten(codes, outputs)

    return logic.mapped(args[0], translated)


def _table(node: Node) -> dict[int, tuple[int, ...]]:
    """Return what each changed character becomes."""
    if any(arg.op != "const" for arg in node.args[1:]):
        raise Unsupported("a variable table")
    given = node.args[1].data
    table: dict[int, tuple[int, ...]] = {}
    if isinstance(given, dict):
        for key, value in given.items():
            table[key] = (
                tuple(map(ord, value)) if isinstance(value, str) else () if value is None else (value,)
            )
    elif isinstance(given, bytes):
        table = {code: (new,) for code, new in enumerate(given) if new != code}
    elif given is not None:
        raise Unsupported("that table")
    if len(node.args) > 2:
        table.update((code, ()) for code in node.args[2].data)  # type: ignore[attr-defined]
    if len(table) > _MOST_ENTRIES:
        raise Unsupported("a table of that size")
    return table


_ESCAPED: Final = {10: 110, 13: 114, 9: 116, 92: 92}
"""Characters that `repr` writes as a backslash and a letter."""

_SHOWN: Final = ((9, 10), (13, 13), (32, 126))


def quoted(tr: Translator, text: Text) -> Text:
    """``repr(s)`` of ASCII that is printable or has a short escape."""
    logic = logic_of(tr)
    tr.inexact()
    tr.side(
        logic.truth(logic.condition(text, lambda codes: logic.all(logic.within(c, _SHOWN) for c in codes)))
    )

    def shown(codes: tuple[Code, ...], mark: int) -> Text:
        def outputs(place: int, _: int) -> list[Output]:
            code = codes[place]
            special = {**_ESCAPED, mark: mark}
            found: list[Output] = [(logic.same(code, key), (92, new)) for key, new in special.items()]
            return [*found, (logic.no(logic.any(guard for guard, _ in found)), (code,))]

        return logic.rewritten(codes, outputs)

    def marked(codes: tuple[Code, ...]) -> Text:
        single, double = (logic.any(logic.same(code, mark) for code in codes) for mark in (39, 34))
        other = logic.all((single, logic.no(double)))
        return logic.merged(
            (logic.all((way, guard)), (mark, *inner, mark))
            for way, mark in ((other, 34), (logic.no(other), 39))
            for guard, inner in shown(codes, mark).cases
        )

    return logic.mapped(text, marked)


_METHODS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("upper", "lower", "casefold", "swapcase"), _change_case),
    **dict.fromkeys(("title", "capitalize"), _title),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), _strip),
    **dict.fromkeys(("removeprefix", "removesuffix"), _remove_affix),
    **dict.fromkeys(("center", "ljust", "rjust", "zfill"), _pad),
    "replace": _replace,
    "expandtabs": _expand_tabs,
    "translate": _translate,
}

HANDLERS: Final[dict[str, Handler]] = {
    f"{kind}.{name}": handler for kind in ("str", "bytes") for name, handler in _METHODS.items()
}
