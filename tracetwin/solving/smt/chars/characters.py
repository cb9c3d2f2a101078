"""Texts of bounded lengths as lists of code points: fast where characters are calculated with.

A term of this theory is a `Text`. The lengths of the inputs are guesses, so a proof counts only if the
conditions allow no others. Tests of characters are exact for ASCII and leave others open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.smt.chars import base64, classes, encodings, numbers, pieces, rewrites
from tracetwin.solving.smt.chars.spots import HANDLERS as _SPOTS
from tracetwin.solving.smt.chars.vectors import Code, Logic, Text, Truth, fixed
from tracetwin.solving.smt.encoding import TextEncoding
from tracetwin.solving.smt.terms import Term, Terms, Unsupported

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator

_HIGHEST: Final = 0x10FFFF
_MOST_REPEATED: Final = 200
_MOST_TIMES: Final = 20


class Characters(TextEncoding):
    """The encoding, for given bounds on the lengths of the input variables."""

    name = "characters"

    def __init__(self, terms: Terms, lengths: Mapping[str, tuple[int, int]]) -> None:
        super().__init__(terms)
        self.lengths = lengths
        self.handlers = HANDLERS
        self.logic = Logic(terms)

    def constant(self, value: Any) -> Text:
        return fixed(map(ord, value) if isinstance(value, str) else value)

    def variable(self, name: str, sort: Sort) -> Text:
        """One int variable per character, and one for the length where that is open."""
        t = self.terms
        low, high = self.lengths[name.removeprefix("v.")]
        chars = [t.variable(f"{name}[{i}]", t.int_sort) for i in range(high)]
        highest = t.int(255 if sort is Sort.BYTES else _HIGHEST)
        self.facts += [t.and_(t.le(t.int(0), ch), t.le(ch, highest)) for ch in chars]
        self.guesses += [t.and_(t.le(t.int(32), ch), t.le(ch, t.int(126))) for ch in chars]
        if low == high:
            return fixed(chars)
        size = t.variable(f"len {name}", t.int_sort)
        self.facts.append(t.and_(t.le(t.int(low), size), t.le(size, t.int(high))))
        return Text(tuple((t.eq(size, t.int(n)), tuple(chars[:n])) for n in range(low, high + 1)))

    def fresh(self, hint: str, sort: Sort) -> Term:
        """A text of unknown length has no term."""
        raise Unsupported("a text of unknown length")

    def guess(self, condition: Truth) -> None:
        """Something to be tried first: that what is left open is not needed."""
        if not isinstance(condition, bool):
            self.guesses.append(condition)

    def equal(self, left: Text, right: Text) -> Term:
        """Same length and same characters."""
        logic = self.logic
        others = {len(codes): (guard, codes) for guard, codes in right.cases}
        ways = []
        for guard, codes in left.cases:
            other = others.get(len(codes))
            if other is not None:
                ways.append(logic.all((guard, other[0], logic.equal(codes, other[1]))))
        return logic.truth(logic.any(ways))

    def choice(self, condition: Term, then: Text, otherwise: Text) -> Text:
        logic = self.logic
        cases = [(logic.all((condition, guard)), codes) for guard, codes in then.cases]
        other = logic.no(condition)
        return logic.merged(cases + [(logic.all((other, guard)), codes) for guard, codes in otherwise.cases])

    def prefix(self, prefix: Text, text: Text) -> Term:
        """Return whether `text` starts with `prefix`."""
        logic = self.logic
        return logic.truth(
            logic.any(
                logic.all((guard, logic.equal(a[: len(b)], b))) for guard, a, b in logic.pairs(text, prefix)
            )
        )

    def suffix(self, suffix: Text, text: Text) -> Term:
        """Return whether `text` ends with `suffix`."""
        logic = self.logic
        return logic.truth(
            logic.any(
                logic.all((guard, logic.equal(a[len(a) - len(b) :], b)))
                for guard, a, b in logic.pairs(text, suffix)
                if len(b) <= len(a)
            )
        )

    def made_of(
        self,
        translator: Translator,
        text: Text,
        ranges: Sequence[tuple[int, int]],
        *,
        complete: bool,
        empty: bool,
    ) -> Term:
        """Each character by itself: known for ASCII, and for the others where the ranges are complete."""
        logic = self.logic

        def each(codes: tuple[Code, ...]) -> Truth:
            if not codes:
                return empty
            return logic.all(classes.tested(translator, code, ranges, complete=complete) for code in codes)

        return logic.truth(logic.condition(text, each))

    def value(self, model: Any, term: Text, sort: Sort) -> object:
        """The Python text in a model."""
        for guard, chars in term.cases:
            if guard is True or str(model.eval(guard, model_completion=True)) == "True":
                codes = [self.terms.int_value(model.eval(ch, model_completion=True)) for ch in chars]
                return bytes(codes) if sort is Sort.BYTES else "".join(map(chr, codes))
        raise Unsupported("a text without a length")


def _logic(tr: Translator) -> Logic:
    return tr.text.logic  # type: ignore[attr-defined, no-any-return]


def _concat(tr: Translator, _node: Node, args: list[Any]) -> Term:
    return _logic(tr).joined(args[0], args[1])


def _repeat(tr: Translator, node: Node, args: list[Any]) -> Term:
    logic = _logic(tr)
    text, count = (0, 1) if node.args[1].sort in (Sort.INT, Sort.BOOL) else (1, 0)
    times = node.args[count].data if node.args[count].op == "const" else None
    if isinstance(times, int):
        if times * max(len(codes) for _, codes in args[text].cases) > _MOST_REPEATED:
            raise Unsupported("that many repetitions")
        return logic.mapped(args[text], lambda codes: fixed(codes * times))
    number = tr.ints(node, args)[count]
    tr.inexact()  # more repetitions than these are left out
    tr.side(tr.terms.le(number, tr.terms.int(_MOST_TIMES)))
    cases: list[tuple[Truth, tuple[Code, ...]]] = [(logic.at_most(number, 0), ())]
    for guard, codes in args[text].cases:
        cases += [(logic.all((guard, logic.same(number, n))), codes * n) for n in range(1, _MOST_TIMES + 1)]
    return logic.merged(cases)


def _length(tr: Translator, _node: Node, args: list[Any]) -> Term:
    logic = _logic(tr)
    return logic.term(logic.number(args[0], len))


def _comparison(tr: Translator, node: Node, args: list[Any]) -> Term:
    orders = (partial(_less, tr, equal=equal) for equal in (False, True))
    return tr.terms.compare_texts(node, args, tr.text.equal, *orders)


def _less(tr: Translator, left: Text, right: Text, *, equal: bool) -> Term:
    logic = _logic(tr)
    return logic.truth(
        logic.any(
            logic.all((guard, _ordered(logic, a, b, equal=equal))) for guard, a, b in logic.pairs(left, right)
        )
    )


def _ordered(logic: Logic, a: tuple[Code, ...], b: tuple[Code, ...], *, equal: bool) -> Truth:
    """Lexicographic order, built from the last character backwards."""
    result: Truth = len(a) < len(b) or (len(a) == len(b) and equal)
    for place in range(min(len(a), len(b)) - 1, -1, -1):
        same = logic.all((logic.same(a[place], b[place]), result))
        result = logic.any((logic.below(a[place], b[place]), same))
    return result


def _ord(tr: Translator, _node: Node, args: list[Any]) -> Term:
    logic = _logic(tr)
    return logic.term(logic.number(args[0], lambda codes: codes[0] if len(codes) == 1 else None))


def _chr(tr: Translator, node: Node, args: list[Any]) -> Term:
    return fixed([tr.ints(node, args)[0]])


HANDLERS: Final[dict[str, Handler]] = {
    **_SPOTS,
    **base64.HANDLERS,
    **classes.HANDLERS,
    **encodings.HANDLERS,
    **numbers.HANDLERS,
    **pieces.HANDLERS,
    **rewrites.HANDLERS,
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _comparison),
    "add": _concat,
    "mul": _repeat,
    "len": _length,
    "ord": _ord,
    "chr": _chr,
}
