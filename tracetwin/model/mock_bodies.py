"""Bodies of mock methods: what to write so that the calls of a run are answered as they were.

The paper's listing 5 is the model: ``if x == 0: return 6``, ``elif x == 10: return 4``, and a last default.
Pure functions over recipes, so that what is built for a replay and what is written in a test agree.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tracetwin.model.recipe import (
    Answer,
    Dictionary,
    MockMember,
    Place,
    Recipe,
    RecordedCall,
    Reference,
    Scalar,
    Series,
    SeriesKind,
)
from tracetwin.support.data import dataclass


class BodyForm(str, enum.Enum):
    """How the answers of a method are told apart."""

    CONSTANT = "constant"
    BY_ARGUMENT = "by argument"
    SUCCESSIVE = "successive"


@dataclass(frozen=True)
class BodyRow:
    """One line of a body by argument: where all arguments equal these, this is the answer."""

    tests: tuple[tuple[Place, Recipe], ...]
    answer: Answer


@dataclass(frozen=True)
class MockBody:
    """The answers of a method.

    Attributes:
        form: how its answers are told apart.
        answers: the only one; the one where no row fits; one for each call in order.
        rows: for a body by argument, in the order in which they are tested.
    """

    form: BodyForm
    answers: tuple[Answer, ...]
    rows: tuple[BodyRow, ...] = ()

    @property
    def default(self) -> Answer:
        """The answer of a call that no row speaks of; of successive ones the last."""
        return self.answers[-1]


NOTHING: Final = Answer(Reference("builtins", "NotImplementedError"), raises=True)
"""What a method does that was never called."""


def body_of(member: MockMember) -> MockBody:
    """The simplest body under which the recorded calls of a member go as they went.

    By argument it can only be when ``==`` tells the arguments apart, as written code compares so: there 1,
    1.0 and True are one. What can't be written down, or isn't equal to itself, is not compared.
    """
    calls = member.calls
    answers = tuple(call.answer for call in calls)
    if len({repr(answer) for answer in answers}) <= 1:
        return MockBody(BodyForm.CONSTANT, answers[:1] or (NOTHING,))
    for places in _telling(calls):
        if (rows := _rows(calls, answers, places)) is not None:
            default = _default(rows)
            shown = repr(default)
            others = tuple(row for row in rows if repr(row.answer) != shown)
            return MockBody(BodyForm.BY_ARGUMENT, (default,), others)
    return MockBody(BodyForm.SUCCESSIVE, answers)


def chosen(
    body: MockBody,
    turn: int,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    evaluate: Callable[[Recipe], Any],
) -> Answer:
    """The answer of a call.

    Raises:
        StopIteration: there are no more successive answers, which are written as an iterator.
    """
    if body.form is BodyForm.SUCCESSIVE:
        if turn >= len(body.answers):
            raise StopIteration
        return body.answers[turn]
    for row in body.rows:
        if all(_equals(args, kwargs, place, evaluate(recipe)) for place, recipe in row.tests):
            return row.answer
    return body.default


def _equals(args: Sequence[Any], kwargs: Mapping[str, Any], place: Place, value: Any) -> bool:
    if isinstance(place, int):
        return place < len(args) and bool(args[place] == value)
    return place in kwargs and bool(kwargs[place] == value)


def _telling(calls: Sequence[RecordedCall]) -> Iterator[tuple[Place, ...]]:
    """Which arguments to compare: each alone first, then all; only those that every call has."""
    given = [call.given() for call in calls]
    kept = [place for place in given[0] if all(_is_comparable(row.get(place)) for row in given)]
    yield from ((place,) for place in kept)
    if len(kept) > 1:
        yield tuple(kept)


def _rows(
    calls: Sequence[RecordedCall], answers: Sequence[Answer], places: tuple[Place, ...]
) -> list[BodyRow] | None:
    """One row for each value of these arguments; None where one value had two answers."""
    found: list[tuple[list[Any], BodyRow]] = []
    for call, answer in zip(calls, answers, strict=True):
        given = call.given()
        tests = tuple((place, recipe) for place in places if (recipe := given[place]) is not None)
        values = [_value(recipe) for _, recipe in tests]
        known = next((row for mine, row in found if mine == values), None)
        if known is None:
            found.append((values, BodyRow(tests, answer)))
        elif repr(known.answer) != repr(answer):
            return None
    return [row for _, row in found]


def _default(rows: Sequence[BodyRow]) -> Answer:
    """The answer that needs no test: rather a result than an exception, of most rows, rather late."""
    shown = [repr(row.answer) for row in rows]
    ranked = [
        (not row.answer.raises, shown.count(text), place)
        for place, (row, text) in enumerate(zip(rows, shown, strict=True))
    ]
    return rows[max(ranked)[2]].answer


def _is_comparable(recipe: Recipe | None) -> bool:
    """True if ``==`` with what the recipe describes finds it again."""
    match recipe:
        case Scalar(value):
            return bool(value == value)  # noqa: PLR0124 - not a NaN
        case Reference():
            return True
        case Dictionary(pairs):
            return all(_is_comparable(part) for pair in pairs for part in pair)
        case Series(_, items):
            return all(map(_is_comparable, items))
        case _:
            return False


_SERIES: Final[dict[SeriesKind, Callable[[list[Any]], Any]]] = {
    SeriesKind.LIST: list,
    SeriesKind.TUPLE: tuple,
    SeriesKind.SET: set,
    SeriesKind.FROZENSET: frozenset,
}


def _value(recipe: Recipe) -> Any:
    """The value of a comparable recipe, as far as equality goes; references stand for what they name."""
    match recipe:
        case Scalar(value):
            return value
        case Dictionary(pairs):
            return {_value(key): _value(item) for key, item in pairs}
        case Series(kind, items):
            return _SERIES[kind]([_value(part) for part in items])
        case _:
            return recipe
