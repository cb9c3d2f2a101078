"""The body of a mock's method: a constant, `if` by argument, one result after the other, effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tracetwin.emit.source.identifiers import Unwritable, checked
from tracetwin.emit.source.layout import Atom, LaidOut, Quoted, call, lay_out
from tracetwin.emit.source.literals import Writer
from tracetwin.model.mock_bodies import BodyForm, BodyRow, MockBody
from tracetwin.model.recipe import (
    NONE,
    Answer,
    Call,
    Dictionary,
    Lambda,
    MockNumber,
    MockRecipe,
    Recipe,
    Scalar,
    Series,
    SeriesKind,
)
from tracetwin.support.data import dataclass

STEP: Final = 4
MOST_YIELDED: Final = 3
"""Items that are yielded one by one."""


@dataclass(frozen=True)
class Names:
    """The names that the body of a function uses.

    Attributes:
        positional: its parameters that are given by position.
        rest: the one that takes all others, "" for none.
        named: the one that takes others by keyword, "" for none.
        turns: what counts the calls, "" where nothing does.
        results: the iterator of results, "" where there is none.
    """

    positional: Sequence[str]
    rest: str = ""
    named: str = ""
    turns: str = ""
    results: str = ""

    def of(self, place: int | str) -> str:
        """The expression of an argument.

        Raises:
            Unwritable: it has none.
        """
        if isinstance(place, int):
            if place < len(self.positional):
                return self.positional[place]
            if self.rest:
                return f"{self.rest}[{place - len(self.positional)}]"
        elif place in self.positional or not self.named:
            return checked(place)
        else:
            return f"{self.named}[{Quoted(place).flat()}]"
        raise Unwritable(f"there is no parameter for argument {place + 1}")


class BodyLines:
    """Writes bodies."""

    def __init__(self, writer: Writer, names: Names, kind: str, indent: int, returns: str = "") -> None:
        self.writer = writer
        self.names = names
        self.kind = kind
        self.indent = indent
        self.returns = returns

    def lines(self, body: MockBody) -> list[str]:
        """The statements; none for a body that does nothing."""
        if body.form is BodyForm.CONSTANT:
            return self._outcome(body.default, self.indent)
        if body.form is BodyForm.BY_ARGUMENT:
            return self._by_argument(body)
        return self._from_iterator() if self.names.results else self._by_turn(body)

    def _by_argument(self, body: MockBody) -> list[str]:
        if len(body.rows) == 1 and _is_truth(body.rows[0].answer) and _is_truth(body.default):
            return self._line_of_truth(body.rows[0])
        lines: list[str] = []
        for row in body.rows:
            lines += [self._line(f"if {self._condition(row)}:"), *self._inside(row.answer)]
        return [*lines, *self._outcome(body.default, self.indent)]

    def _line_of_truth(self, row: BodyRow) -> list[str]:
        """True for some arguments, False for all others, or the other way round."""
        test = self._condition(row)
        if row.answer.recipe == Scalar(True):
            return [self._line(f"return {test}")]
        single = len(row.tests) == 1
        turned = test.replace(" == ", " != ", 1).replace(" is ", " is not ", 1) if single else f"not ({test})"
        return [self._line(f"return {turned}")]

    def _condition(self, row: BodyRow) -> str:
        return " and ".join(self._test(self.names.of(place), recipe) for place, recipe in row.tests)

    def _test(self, name: str, recipe: Recipe) -> str:
        value = self.writer.recipe(recipe).flat()
        single = isinstance(recipe, Scalar) and (recipe.value is None or isinstance(recipe.value, bool))
        return f"{name} {'is' if single else '=='} {value}"

    def _by_turn(self, body: MockBody) -> list[str]:
        turns = self.names.turns
        lines = [self._line(f"{turns} += 1")]
        *before, last = body.answers
        for start, outcome in _runs(before):
            count = sum(one == outcome for one in before[start:_end(before, start)])
            test = f"== {start + 1}" if count == 1 else f"<= {start + count}"
            lines += [self._line(f"if {turns} {test}:"), *self._inside(outcome)]
        return [*lines, *self._outcome(last, self.indent)]

    def _from_iterator(self) -> list[str]:
        taken = f"next({self.names.results})"
        if self.kind == "generator":
            return [self._line(f"yield from {taken}")]
        if self.kind == "asyncgen":
            return [self._line(f"for item in {taken}:"), self._line("    yield item")]
        return [self._line(f"return {taken}")]

    # ---- single outcomes

    def _inside(self, outcome: Answer) -> list[str]:
        """The statements of an outcome in an `if`, which end the function."""
        lines = self._outcome(outcome, self.indent + STEP)
        ends = lines and lines[-1].strip().startswith(("return", "raise")) and "yield" not in lines[0]
        return lines if ends else [*lines, " " * (self.indent + STEP) + "return"]

    def _outcome(self, outcome: Answer, indent: int) -> list[str]:
        lines: list[str] = []
        for place, recipe in outcome.effects:
            lines += self._effect(self.names.of(place), recipe, indent)
        if outcome.raises:
            return [*lines, *lay_out("raise ", self.raised(outcome.recipe), "", indent)]
        if self.kind in ("generator", "asyncgen"):
            return [*lines, *self._yielded(outcome.recipe, indent)]
        if outcome.recipe == NONE:
            explicit = self.returns not in ("", "None")
            return [*lines, *([" " * indent + "return None"] if explicit else [])]
        return [*lines, *lay_out("return ", self.writer.recipe(outcome.recipe), "", indent)]

    def raised(self, recipe: Recipe) -> LaidOut:
        """Return what stands behind `raise`: a class where it is called without arguments."""
        if isinstance(recipe, Call) and not recipe.args and not recipe.kwargs:
            return Atom(self.writer.name(recipe.module, recipe.qualname))
        return self.writer.recipe(recipe)

    def _yielded(self, recipe: Recipe, indent: int) -> list[str]:
        ordered = isinstance(recipe, Series) and recipe.kind.has_order
        parts = recipe.items if isinstance(recipe, Series) and ordered else None
        if parts and len(parts) <= MOST_YIELDED:
            nodes = [self.writer.recipe(part) for part in parts]
            return [line for node in nodes for line in lay_out("yield ", node, "", indent)]
        items = Atom("()") if parts == () else self.writer.recipe(recipe)
        if self.kind == "generator":
            return lay_out("yield from ", items, "", indent)
        return [*lay_out("for item in ", items, ":", indent), " " * (indent + STEP) + "yield item"]

    def _effect(self, name: str, recipe: Recipe, indent: int) -> list[str]:
        """The statements that give a mutable argument its new contents."""
        value = self.writer.recipe(recipe)
        match recipe:
            case Series(SeriesKind.LIST) | Scalar(bytes()):  # bytes fill a bytearray
                return lay_out(f"{name}[:] = ", value, "", indent)
            case Series(SeriesKind.SET, contents) | Dictionary(contents):
                update = lay_out("", call(f"{name}.update", [value]), "", indent) if contents else []
                return [f"{' ' * indent}{name}.clear()", *update]
            case _:
                raise Unwritable(f"no statement changes a {type(recipe).__name__.lower()}")

    def _line(self, text: str) -> str:
        return " " * self.indent + text


def _is_truth(answer: Answer) -> bool:
    plain = isinstance(answer.recipe, Scalar) and isinstance(answer.recipe.value, bool)
    return plain and not answer.raises and not answer.effects


def _end(outcomes: Sequence[Answer], start: int) -> int:
    end = start
    while end < len(outcomes) and outcomes[end] == outcomes[start]:
        end += 1
    return end


def _runs(outcomes: Sequence[Answer]) -> list[tuple[int, Answer]]:
    """Where runs of equal outcomes begin."""
    return [(i, one) for i, one in enumerate(outcomes) if i == 0 or one != outcomes[i - 1]]


def is_uniform(body: MockBody) -> bool:
    """Return whether successive results can come from one iterator, whose items are all of one type."""
    if body.form is not BodyForm.SUCCESSIVE or any(one.raises or one.effects for one in body.answers):
        return False
    kinds = {_type_of(one.recipe) for one in body.answers} - {"NoneType"}
    return len(kinds) == 1 and not any(
        isinstance(one.recipe, (MockRecipe, MockNumber, Lambda)) for one in body.answers
    )


def _type_of(recipe: Recipe) -> str:
    match recipe:
        case Scalar(value):
            return type(value).__name__
        case Call(_, qualname):
            return qualname
        case Series(kind):
            return kind.value
        case _:
            return type(recipe).__name__
