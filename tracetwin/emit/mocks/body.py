"""The body of a mock's method: a constant, `if` by argument, one result after the other, effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tracetwin.emit.source.identifiers import Unwritable, checked
from tracetwin.emit.source.layout import Atom, Node, Text, call, lay_out
from tracetwin.emit.source.literals import Writer
from tracetwin.model.mock_bodies import BY_ARGUMENT, CONSTANT, SUCCESSIVE, Body, Outcome, Row

STEP: Final = 4
MOST_YIELDED: Final = 3
"""Items that are yielded one by one."""


@dataclass(frozen=True)
class Names:
    """What the body of a function calls things.

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
            return f"{self.named}[{Text(place).flat()}]"
        raise Unwritable(f"there is no parameter for argument {place + 1}")


class BodyLines:
    """Writes bodies.

    Args:
        writer: writes their values.
        names: what the arguments are called.
        kind: that of the member.
        indent: columns before the body.
        returns: the annotation of the result, "" where there is none.
    """

    def __init__(self, writer: Writer, names: Names, kind: str, indent: int, returns: str = "") -> None:
        self.writer = writer
        self.names = names
        self.kind = kind
        self.indent = indent
        self.returns = returns

    def lines(self, body: Body) -> list[str]:
        """The statements; none for a body that does nothing."""
        if body.form == CONSTANT:
            return self._outcome(body.default, self.indent)
        if body.form == BY_ARGUMENT:
            return self._by_argument(body)
        return self._from_iterator() if self.names.results else self._by_turn(body)

    def _by_argument(self, body: Body) -> list[str]:
        if len(body.rows) == 1 and _is_truth(body.rows[0].outcome) and _is_truth(body.default):
            return self._line_of_truth(body.rows[0])
        lines: list[str] = []
        for row in body.rows:
            lines += [self._line(f"if {self._condition(row)}:"), *self._inside(row.outcome)]
        return [*lines, *self._outcome(body.default, self.indent)]

    def _line_of_truth(self, row: Row) -> list[str]:
        """True for some arguments, False for all others, or the other way round."""
        test = self._condition(row)
        if row.outcome.recipe[1]:
            return [self._line(f"return {test}")]
        single = len(row.tests) == 1
        turned = test.replace(" == ", " != ", 1).replace(" is ", " is not ", 1) if single else f"not ({test})"
        return [self._line(f"return {turned}")]

    def _condition(self, row: Row) -> str:
        return " and ".join(self._test(self.names.of(place), recipe) for place, recipe in row.tests)

    def _test(self, name: str, recipe: Any) -> str:
        value = self.writer.recipe(recipe).flat()
        single = recipe == ("lit", None) or (recipe[0] == "lit" and isinstance(recipe[1], bool))
        return f"{name} {'is' if single else '=='} {value}"

    def _by_turn(self, body: Body) -> list[str]:
        turns = self.names.turns
        lines = [self._line(f"{turns} += 1")]
        *before, last = body.outcomes
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

    def _inside(self, outcome: Outcome) -> list[str]:
        """The statements of an outcome in an `if`, which end the function."""
        lines = self._outcome(outcome, self.indent + STEP)
        ends = lines and lines[-1].strip().startswith(("return", "raise")) and "yield" not in lines[0]
        return lines if ends else [*lines, " " * (self.indent + STEP) + "return"]

    def _outcome(self, outcome: Outcome, indent: int) -> list[str]:
        lines: list[str] = []
        for place, recipe in outcome.effects:
            lines += self._effect(self.names.of(place), recipe, indent)
        if outcome.kind == "raise":
            return [*lines, *lay_out("raise ", self.raised(outcome.recipe), "", indent)]
        if self.kind in ("generator", "asyncgen"):
            return [*lines, *self._yielded(outcome.recipe, indent)]
        if outcome.recipe == ("lit", None):
            explicit = self.returns not in ("", "None")
            return [*lines, *([" " * indent + "return None"] if explicit else [])]
        return [*lines, *lay_out("return ", self.writer.recipe(outcome.recipe), "", indent)]

    def raised(self, recipe: Any) -> Node:
        """What stands behind `raise`: a class where it is called without arguments."""
        if recipe[0] == "call" and not recipe[3] and not recipe[4]:
            return Atom(self.writer.name(recipe[1], recipe[2]))
        return self.writer.recipe(recipe)

    def _yielded(self, recipe: Any, indent: int) -> list[str]:
        parts = recipe[1] if recipe[0] in ("list", "tuple") else None
        if parts and len(parts) <= MOST_YIELDED:
            nodes = [self.writer.recipe(part) for part in parts]
            return [line for node in nodes for line in lay_out("yield ", node, "", indent)]
        items = Atom("()") if parts == [] else self.writer.recipe(recipe)
        if self.kind == "generator":
            return lay_out("yield from ", items, "", indent)
        return [*lay_out("for item in ", items, ":", indent), " " * (indent + STEP) + "yield item"]

    def _effect(self, name: str, recipe: Any, indent: int) -> list[str]:
        """The statements that give a mutable argument its new contents."""
        kind = recipe[0]
        value = self.writer.recipe(recipe)
        if kind == "list" or (kind == "lit" and isinstance(recipe[1], bytes)):  # bytes fill a bytearray
            return lay_out(f"{name}[:] = ", value, "", indent)
        if kind not in ("dict", "set"):
            raise Unwritable(f"no statement changes a {kind}")
        lines = [f"{' ' * indent}{name}.clear()"]
        return [*lines, *(lay_out("", call(f"{name}.update", [value]), "", indent) if recipe[1] else [])]

    def _line(self, text: str) -> str:
        return " " * self.indent + text


def _is_truth(outcome: Outcome) -> bool:
    plain = outcome.kind == "return" and not outcome.effects and outcome.recipe[0] == "lit"
    return plain and isinstance(outcome.recipe[1], bool)


def _end(outcomes: Sequence[Outcome], start: int) -> int:
    end = start
    while end < len(outcomes) and outcomes[end] == outcomes[start]:
        end += 1
    return end


def _runs(outcomes: Sequence[Outcome]) -> list[tuple[int, Outcome]]:
    """Where runs of equal outcomes begin."""
    return [(i, one) for i, one in enumerate(outcomes) if i == 0 or one != outcomes[i - 1]]


def is_uniform(body: Body) -> bool:
    """Whether successive results can come from one iterator, whose items type checkers take for one type."""
    if body.form != SUCCESSIVE or any(one.kind != "return" or one.effects for one in body.outcomes):
        return False
    kinds = {_type_of(one.recipe) for one in body.outcomes} - {"NoneType"}
    return len(kinds) == 1 and not any(one.recipe[0] in ("mock", "lambda") for one in body.outcomes)


def _type_of(recipe: Any) -> str:
    if recipe[0] == "lit":
        return type(recipe[1]).__name__
    return str(recipe[2]) if recipe[0] == "call" else str(recipe[0])
