"""Text taken to pieces in the sequence theory: split, partition, strip, groups of a pattern, case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.objects import Parts
from tracetwin.solving.smt.seq import regex
from tracetwin.solving.smt.terms import Term, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.seq.regex import Language
    from tracetwin.solving.smt.translate import Translator

_MOST_PARTS: Final = 5


def split(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``s.split(sep)``, ``s.split(sep, n)``, ``s.split()`` into up to five known parts and a rest."""
    separator = node.args[1] if len(node.args) > 1 else None
    if separator is None or (separator.op == "const" and separator.data is None):
        return _split_words(tr, node, args)
    if separator.op != "const" or separator.sort is not node.args[0].sort or not separator.data:
        raise Unsupported("split by a variable text")
    limit = constant(node.args[2]) if len(node.args) > 2 else -1
    if limit is None:
        raise Unsupported("split a variable number of times")
    backwards = node.op.endswith("rsplit") and limit >= 0
    most = _MOST_PARTS if limit < 0 else min(limit + 1, _MOST_PARTS)
    return _split_by(tr, args[0], args[1], most, free_last=0 <= limit < _MOST_PARTS, backwards=backwards)


def _split_by(tr: Translator, text: Term, sep: Term, most: int, free_last: bool, backwards: bool) -> Parts:
    """Name the parts and say that they make up the text, case by case of their number.

    With several characters in the separator this allows a few decompositions that Python would not
    choose: more models, never fewer.
    """
    t = tr.terms
    parts = [tr.auxiliary(t.text_sort) for _ in range(most)]
    count = tr.auxiliary(t.int_sort)
    cases = []
    for number in range(1, most + 1):
        chosen = parts[:number]
        whole = t.eq(text, _joined(tr, chosen[::-1] if backwards else chosen, sep))
        last = number == most and free_last
        pure = [t.not_(t.contains(part, sep)) for part in (chosen[:-1] if last else chosen)]
        cases.append(t.and_(t.eq(count, t.int(number)), whole, *pure))
    if not free_last:
        rest = tr.auxiliary(t.text_sort)
        pure = [t.not_(t.contains(part, sep)) for part in parts]
        cases.append(t.and_(t.lt(t.int(most), count), t.eq(text, _joined(tr, [*parts, rest], sep)), *pure))
    tr.side(t.or_(*cases))
    if backwards:
        return Parts((), count, tuple(parts))
    return Parts(tuple(parts), count)


def _joined(tr: Translator, parts: list[Term], sep: Term) -> Term:
    pieces = [parts[0]]
    for part in parts[1:]:
        pieces += [sep, part]
    return tr.terms.concat(*pieces)


def _split_words(tr: Translator, node: Node, args: list[Term]) -> Term:
    """Words separated by one blank each: a part of the truth."""
    if len(node.args) > 2:
        raise Unsupported("a limited number of words")
    tr.inexact()
    t = tr.terms
    lang = regex.languages(t)
    word = lang.repeat(lang.ranges(((33, 126),)), 1, None)
    count = tr.auxiliary(t.int_sort)
    parts = [tr.auxiliary(t.text_sort) for _ in range(_MOST_PARTS)]
    blank = t.text(" ")
    cases = [t.and_(t.eq(count, t.int(0)), t.matches(args[0], lang.repeat(lang.word(" "), 0, None)))]
    for number in range(1, _MOST_PARTS + 1):
        chosen = parts[:number]
        words = [t.matches(part, word) for part in chosen]
        cases.append(t.and_(t.eq(count, t.int(number)), t.eq(args[0], _joined(tr, chosen, blank)), *words))
    tr.side(t.or_(*cases))
    return Parts(tuple(parts), count)


def partition(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``s.partition(sep)``: exact."""
    t = tr.terms
    text, sep = args
    if node.args[1].op == "const" and not node.args[1].data:
        raise Unsupported("an empty separator")
    backwards = node.op.endswith("rpartition")
    where = t.last_index(text, sep) if backwards else t.index(text, sep, t.int(0))
    missing = t.lt(where, t.int(0))
    empty = t.text("")
    head = t.extract(text, t.int(0), where)
    tail = t.extract(text, t.add(where, t.length(sep)), t.length(text))
    middle = t.ite(missing, empty, sep)
    if backwards:
        three = (t.ite(missing, empty, head), middle, t.ite(missing, text, tail))
    else:
        three = (t.ite(missing, text, head), middle, t.ite(missing, empty, tail))
    return Parts(three, t.int(3), three[::-1])


def strip(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``s.strip()``: what remains between the longest margins; exact."""
    t = tr.terms
    sort = node.args[0].sort
    chars = None
    if len(node.args) > 1:
        given = node.args[1]
        if given.op != "const":
            raise Unsupported("strip of variable characters")
        if given.data is not None:
            chars = given.data if isinstance(given.data, str) else given.data.decode("latin-1")  # type: ignore[attr-defined]
    if chars == "":
        return args[0]
    margin = regex.spaces(t, sort, chars)
    margins = regex.languages(t).repeat(margin, 0, None)
    result = tr.abstract(node)
    name = node.op.partition(".")[2]
    pieces = [result]
    last = t.sub(t.length(result), t.int(1))
    if name != "rstrip":
        left = tr.auxiliary(t.text_sort)
        pieces.insert(0, left)
        tr.side(t.matches(left, margins))
        tr.side(t.not_(t.matches(t.at(result, t.int(0)), margin)))
    if name != "lstrip":
        right = tr.auxiliary(t.text_sort)
        pieces.append(right)
        tr.side(t.matches(right, margins))
        tr.side(t.not_(t.matches(t.at(result, last), margin)))
    tr.side(t.eq(args[0], t.concat(*pieces)))
    return result


def changed_case(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``s.upper()``: some text; only bytes surely keep their length (the capital of ``ß`` is ``SS``)."""
    t = tr.terms
    result = tr.abstract(node)
    if node.sort is Sort.BYTES:
        tr.side(t.eq(t.length(result), t.length(args[0])))
    return result


def group_spans(
    tr: Translator, text: Term, found: Term, language: Language
) -> tuple[tuple[Term, Term] | None, ...]:
    """Terms for start and end of the groups on the outermost level of a pattern.

    The text is cut into one part per piece of the pattern. Python prefers some cuts over others; here
    any cut will do, and the evaluator has the last word.
    """
    spans: list[tuple[Term, Term] | None] = [None] * (language.groups + 1)
    if not language.groups or all(piece.group is None for piece in language.pieces):
        return tuple(spans)
    t = tr.terms
    parts = [tr.auxiliary(t.text_sort) for _ in language.pieces]
    cut = [t.matches(part, piece.term) for part, piece in zip(parts, language.pieces, strict=True)]
    tr.side(t.or_(t.not_(found), t.and_(t.eq(text, t.concat(*parts)), *cut)))
    position: Any = t.int(0)
    for part, piece in zip(parts, language.pieces, strict=True):
        after = t.add(position, t.length(part))
        if piece.group is not None:
            spans[piece.group] = (position, after)
        position = after
    return tuple(spans)
