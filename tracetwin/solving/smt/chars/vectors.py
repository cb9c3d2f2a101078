"""Texts as vectors of code points, one per length that they may have, and what can be done with them.

Code points are Python ints where they are known and z3 ints else; conditions are True, False or z3 bools. All
that is known is worked out here, so that z3 is told of the rest only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from tracetwin.solving.smt.terms import Term, Terms, Unsupported
from tracetwin.support.data import dataclass

Code: TypeAlias = Any  # int or a z3 int
Truth: TypeAlias = Any  # bool or a z3 bool
Output: TypeAlias = tuple[Truth, Sequence[Code]]

_MOST_CODES: Final = 4000
_MOST_PAIRS: Final = 400


@dataclass(frozen=True, eq=False)
class Text:
    """A text of one of several lengths.

    Attributes:
        cases: for each length the condition under which it is that long, and its code points then. The
            conditions exclude each other, and one of them holds.
    """

    cases: tuple[tuple[Truth, tuple[Code, ...]], ...]

    @property
    def only(self) -> tuple[Code, ...] | None:
        """The code points, if there is one length only."""
        return self.cases[0][1] if len(self.cases) == 1 else None


def fixed(codes: Iterable[Code]) -> Text:
    """A text of one length."""
    return Text(((True, tuple(codes)),))


class Logic:
    """Conditions and code points, of which some are known."""

    def __init__(self, terms: Terms) -> None:
        self.t = terms

    def term(self, code: Code) -> Term:
        """A code point for z3."""
        return self.t.int(code) if isinstance(code, int) else code

    def truth(self, condition: Truth) -> Term:
        return self.t.bool(condition) if isinstance(condition, bool) else condition

    def all(self, conditions: Iterable[Truth]) -> Truth:
        return self._joined(conditions, True, self.t.and_)

    def any(self, conditions: Iterable[Truth]) -> Truth:
        return self._joined(conditions, False, self.t.or_)

    def _joined(self, conditions: Iterable[Truth], neutral: bool, join: Callable[..., Term]) -> Truth:
        kept: list[Term] = []
        for condition in conditions:
            if condition is not True and condition is not False:
                kept.append(condition)
            elif condition is not neutral:
                return condition
        return join(*kept) if len(kept) > 1 else kept[0] if kept else neutral

    def no(self, condition: Truth) -> Truth:
        return (not condition) if isinstance(condition, bool) else self.t.not_(condition)

    def same(self, a: Code, b: Code) -> Truth:
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        return True if a is b else self.t.eq(self.term(a), self.term(b))

    def at_most(self, a: Code, b: Code) -> Truth:
        if isinstance(a, int) and isinstance(b, int):
            return a <= b
        return self.t.le(self.term(a), self.term(b))

    def below(self, a: Code, b: Code) -> Truth:
        """Strict order of numbers."""
        return self.no(self.at_most(b, a))

    def plus(self, a: Code, b: Code) -> Code:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        return self.t.add(self.term(a), self.term(b))

    def choose(self, condition: Truth, then: Code, otherwise: Code) -> Code:
        if isinstance(condition, bool):
            return then if condition else otherwise
        if then is otherwise or (isinstance(then, int) and isinstance(otherwise, int) and then == otherwise):
            return then
        return self.t.ite(condition, self.term(then), self.term(otherwise))

    def within(self, code: Code, ranges: Iterable[tuple[int, int]]) -> Truth:
        """Return whether a code point is in one of some ranges."""
        return self.any(
            self.same(code, low)
            if low == high
            else self.all((self.at_most(low, code), self.at_most(code, high)))
            for low, high in ranges
        )

    def one_of(self, code: Code, codes: Iterable[int]) -> Truth:
        """Return whether a code point is one of these."""
        return self.within(code, runs(codes))

    # texts

    def equal(self, left: Sequence[Code], right: Sequence[Code]) -> Truth:
        """Return whether two vectors are the same."""
        if len(left) != len(right):
            return False
        return self.all(self.same(a, b) for a, b in zip(left, right, strict=True))

    def merged(self, cases: Iterable[tuple[Truth, Sequence[Code]]]) -> Text:
        """A text out of cases that exclude each other; those of one length become one."""
        by_length: dict[int, list[tuple[Truth, Sequence[Code]]]] = {}
        total = 0
        for condition, codes in cases:
            if condition is not False:
                by_length.setdefault(len(codes), []).append((condition, codes))
                total += len(codes) + 1
        if total > _MOST_CODES or not by_length:
            raise Unsupported("a text of too many forms")
        return Text(tuple(self._one_length(same) for _, same in sorted(by_length.items())))

    def _one_length(self, cases: list[tuple[Truth, Sequence[Code]]]) -> tuple[Truth, tuple[Code, ...]]:
        result = tuple(cases[-1][1])
        for condition, codes in reversed(cases[:-1]):
            result = tuple(self.choose(condition, a, b) for a, b in zip(codes, result, strict=True))
        return self.any(condition for condition, _ in cases), result

    def mapped(self, text: Text, function: Callable[[tuple[Code, ...]], Text]) -> Text:
        """A text made of each case of another."""
        if text.only is not None:
            return function(text.only)
        return self.merged(
            (self.all((outer, inner)), codes)
            for outer, whole in text.cases
            for inner, codes in function(whole).cases
        )

    def number(self, text: Text, function: Callable[[tuple[Code, ...]], Code | None]) -> Code:
        """A number worked out for each case; None where the case has none."""
        found = [(guard, function(codes)) for guard, codes in text.cases]
        found = [(guard, value) for guard, value in found if value is not None]
        if not found:
            raise Unsupported("a value outside its domain")
        result = found[-1][1]
        for guard, value in reversed(found[:-1]):
            result = self.choose(guard, value, result)
        return result

    def condition(self, text: Text, function: Callable[[tuple[Code, ...]], Truth]) -> Truth:
        """A condition worked out for each case."""
        if text.only is not None:
            return function(text.only)
        return self.any(self.all((guard, function(codes))) for guard, codes in text.cases)

    def pairs(self, left: Text, right: Text) -> list[tuple[Truth, tuple[Code, ...], tuple[Code, ...]]]:
        """Both texts, case by case."""
        if len(left.cases) * len(right.cases) > _MOST_PAIRS:
            raise Unsupported("texts of too many lengths")
        return [(self.all((p, q)), a, b) for p, a in left.cases for q, b in right.cases]

    def joined(self, left: Text, right: Text) -> Text:
        return self.merged((guard, a + b) for guard, a, b in self.pairs(left, right))

    def rewritten(self, codes: Sequence[Code], outputs: Callable[[int, int], Sequence[Output]]) -> Text:
        """Return the text in which each place of another gives some code points."""
        begins: dict[int, Truth] = {0: True}
        written: dict[int, list[tuple[Truth, Code]]] = {}
        for place in range(len(codes)):
            after: dict[int, list[Truth]] = {}
            for start, here in begins.items():
                for condition, output in outputs(place, start):
                    guard = self.all((here, condition))
                    if guard is False:
                        continue
                    after.setdefault(start + len(output), []).append(guard)
                    for offset, code in enumerate(output):
                        written.setdefault(start + offset, []).append((guard, code))
            begins = {start: self.any(guards) for start, guards in after.items()}
            if sum(map(len, written.values())) > _MOST_CODES:
                raise Unsupported("a text of too many forms")
        chars = [self._first_of(written.get(place, [(True, 0)])) for place in range(max(begins, default=0))]
        return Text(tuple((guard, tuple(chars[:size])) for size, guard in sorted(begins.items())))

    def _first_of(self, choices: list[tuple[Truth, Code]]) -> Code:
        result = choices[-1][1]
        for condition, code in reversed(choices[:-1]):
            result = self.choose(condition, code, result)
        return result

    def kept(self, codes: Sequence[Code], keep: Sequence[Truth]) -> Text:
        """The text without some of its places."""
        return self.rewritten(
            codes, lambda place, _: ((keep[place], (codes[place],)), (self.no(keep[place]), ()))
        )


def runs(codes: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as ranges."""
    found: list[tuple[int, int]] = []
    for code in sorted(set(codes)):
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found
