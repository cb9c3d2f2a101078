"""Texts of code points taken to pieces: split, partition, splitlines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.chars.classes import space_of
from tracetwin.solving.smt.chars.spots import logic_of, matches, taken
from tracetwin.solving.smt.chars.vectors import Code, Logic, Text, Truth
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.objects import Parts
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_MOST_PARTS: Final = 6
_BREAKS: Final = ((10, 13), (28, 30), (0x85, 0x85), (0x2028, 0x2029))
_BYTES_BREAKS: Final = ((10, 10), (13, 13))

Labels = tuple[list[Truth], list[Code], Code]
"""For each place whether it belongs to a piece, and to which; and how many pieces there are."""


def _parts(tr: Translator, text: Text, label: Callable[[tuple[Code, ...]], Labels]) -> Parts:
    """The pieces that the places of a text are labelled with."""
    logic = logic_of(tr)
    labelled = [(guard, codes, label(codes)) for guard, codes in text.cases]
    count: Code = 0
    for guard, _, (_, _, number) in labelled:
        count = logic.choose(guard, number, count)
    most = min(_MOST_PARTS, max(len(codes) for _, codes in text.cases) + 1)

    def piece(wanted: Callable[[Code], Code]) -> Text:
        return logic.merged(
            (logic.all((guard, inner)), kept)
            for guard, codes, (inside, places, number) in labelled
            for inner, kept in logic.kept(
                codes,
                [
                    logic.all((within, logic.same(place, wanted(number))))
                    for within, place in zip(inside, places, strict=True)
                ],
            ).cases
        )

    first = tuple(piece(lambda _, i=i: i) for i in range(most))  # type: ignore[misc]
    last = tuple(piece(lambda number, i=i: logic.plus(number, -1 - i)) for i in range(min(most, 2)))  # type: ignore[misc]
    return Parts(first, logic.term(count), last)


def _between(logic: Logic, codes: Sequence[Code], here: Sequence[Truth], size: int) -> Labels:
    """The pieces between separators that begin `here`."""
    inside: list[Truth] = []
    places: list[Code] = []
    before: Code = 0
    for place in range(len(codes)):
        covering = [here[p] for p in range(max(place - size + 1, 0), place + 1) if p < len(here)]
        inside.append(logic.no(logic.any(covering)))
        places.append(before)
        if place < len(here):
            before = logic.plus(before, logic.choose(here[place], 1, 0))
    return inside, places, logic.plus(before, 1)


def _split(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    limit = constant(node.args[2]) if len(node.args) > 2 else -1
    if limit is None:
        raise Unsupported("split a variable number of times")
    if len(node.args) == 1 or node.args[1].sort is Sort.OBJ:
        if len(node.args) > 1 and (node.args[1].op != "const" or node.args[1].data is not None):
            raise Unsupported("that separator")
        return _words(tr, node, args[0], limit)
    separator = args[1].only
    if not separator:
        raise Unsupported("a separator of several lengths")
    backwards = node.op.endswith("rsplit")

    def label(codes: tuple[Code, ...]) -> Labels:
        found = matches(logic, codes, separator)
        here = taken(logic, found, len(separator), limit, backwards=backwards)
        return _between(logic, codes, here, len(separator))

    return _parts(tr, args[0], label)


def _words(tr: Translator, node: Node, text: Text, limit: int) -> Term:
    """Pieces between blanks."""
    if limit >= 0:
        raise Unsupported("a limited number of words")
    logic = logic_of(tr)
    blank = space_of(node.args[0].sort)

    def label(codes: tuple[Code, ...]) -> Labels:
        inside = [logic.no(logic.within(code, blank)) for code in codes]
        places: list[Code] = []
        word: Code = -1
        for place, solid in enumerate(inside):
            begins = logic.all((solid, place == 0 or logic.no(inside[place - 1])))
            word = logic.plus(word, logic.choose(begins, 1, 0))
            places.append(word)
        return inside, places, logic.plus(word, 1)

    return _parts(tr, text, label)


def _lines(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    keep = constant(node.args[1]) if len(node.args) > 1 else 0
    if keep is None:
        raise Unsupported("ends of lines that may be kept")
    breaks = _BYTES_BREAKS if node.args[0].sort is Sort.BYTES else _BREAKS

    def label(codes: tuple[Code, ...]) -> Labels:
        ends: list[Truth] = [logic.within(code, breaks) for code in codes]
        # a line feed behind a carriage return belongs to it, and the line ends with it
        pairs = [
            logic.all((logic.same(codes[p], 13), logic.same(codes[p + 1], 10)))
            if p + 1 < len(codes)
            else False
            for p in range(len(codes))
        ]
        inside: list[Truth] = [True if keep else logic.no(end) for end in ends]
        places: list[Code] = []
        line: Code = 0
        for place, end in enumerate(ends):
            places.append(line)
            line = logic.plus(line, logic.choose(logic.all((end, logic.no(pairs[place]))), 1, 0))
        rest = logic.choose(ends[-1], 0, 1) if codes else 0
        return inside, places, logic.plus(line, rest)

    return _parts(tr, args[0], label)


def _partition(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = logic_of(tr)
    separator = args[1].only
    if not separator:
        raise Unsupported("a separator of several lengths")
    backwards = node.op.endswith("rpartition")
    whole: list[tuple[Truth, tuple[Code, ...]]] = []
    missing: list[Truth] = []
    heads: list[tuple[Truth, tuple[Code, ...]]] = []
    tails: list[tuple[Truth, tuple[Code, ...]]] = []
    for guard, codes in args[0].cases:
        here = taken(logic, matches(logic, codes, separator), 1, 1, backwards=backwards)
        absent = logic.all((guard, logic.no(logic.any(here))))
        missing.append(absent)
        whole.append((absent, codes))
        for place, found in enumerate(here):
            heads.append((logic.all((guard, found)), codes[:place]))
            tails.append((logic.all((guard, found)), codes[place + len(separator) :]))
    none = logic.any(missing)
    middle = logic.merged([(logic.no(none), separator), (none, ())])
    if backwards:
        three = (logic.merged([*heads, (none, ())]), middle, logic.merged([*tails, *whole]))
    else:
        three = (logic.merged([*heads, *whole]), middle, logic.merged([*tails, (none, ())]))
    return Parts(three, tr.terms.int(3), three[::-1])


_METHODS: Final[dict[str, Handler]] = {
    **dict.fromkeys(("split", "rsplit"), _split),
    **dict.fromkeys(("partition", "rpartition"), _partition),
    "splitlines": _lines,
}

HANDLERS: Final[dict[str, Handler]] = {
    f"{kind}.{name}": handler for kind in ("str", "bytes") for name, handler in _METHODS.items()
}
