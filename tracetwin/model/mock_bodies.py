"""Bodies of mock methods: what to write so that the calls of a run are answered as they were.

The paper's listing 5 is the model: ``if x == 0: return 6``, ``elif x == 10: return 4``, and a last default.
Pure functions over recipes, so that what is built for a replay and what is written in a test agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tracetwin.model.recipes import Recipe

CONSTANT: Final = "constant"
BY_ARGUMENT: Final = "by argument"
SUCCESSIVE: Final = "successive"

Place: TypeAlias = int | str
"""Which argument of a call: its position, or its keyword."""

Call: TypeAlias = Mapping[str, Any]
"""One recorded call: args, kwargs, outcome, effects."""


@dataclass(frozen=True)
class Outcome:
    """What one call does.

    Attributes:
        kind: ``"return"`` or ``"raise"``.
        recipe: of the result; of a generator's, the list of what it gives; of the exception or its class.
        effects: new contents of mutable arguments.
    """

    kind: str
    recipe: Recipe
    effects: tuple[tuple[Place, Recipe], ...] = ()


@dataclass(frozen=True)
class Row:
    """One line of a body by argument: where all arguments equal these, this is the outcome."""

    tests: tuple[tuple[Place, Recipe], ...]
    outcome: Outcome


@dataclass(frozen=True)
class Body:
    """What a method does.

    Attributes:
        form: one of the constants above.
        outcomes: the only one; the one where no row fits; one for each call in order.
        rows: for a body by argument, in the order in which they are tested.
    """

    form: str
    outcomes: tuple[Outcome, ...]
    rows: tuple[Row, ...] = ()

    @property
    def default(self) -> Outcome:
        """The outcome of a call that no row speaks of; of successive ones the last."""
        return self.outcomes[-1]


NOTHING: Final = Outcome("raise", ("ref", "builtins", "NotImplementedError"))
"""What a method does that was never called."""


def body_of(member: Mapping[str, Any]) -> Body:
    """The simplest body under which the recorded calls of a member go as they went.

    By argument it can only be when ``==`` tells the arguments apart, as written code compares so: there 1,
    1.0 and True are one. What can't be written down, or isn't equal to itself, is not compared.
    """
    calls = member["calls"]
    outcomes = tuple(map(outcome_of, calls))
    if len({repr(outcome) for outcome in outcomes}) <= 1:
        return Body(CONSTANT, outcomes[:1] or (NOTHING,))
    for places in _telling(calls):
        if (rows := _rows(calls, outcomes, places)) is not None:
            default = _default(rows)
            shown = repr(default)
            return Body(BY_ARGUMENT, (default,), tuple(row for row in rows if repr(row.outcome) != shown))
    return Body(SUCCESSIVE, outcomes)


def outcome_of(call: Call) -> Outcome:
    """The outcome of a recorded call."""
    kind, recipe = call["outcome"]
    return Outcome(kind, recipe, tuple((place, contents) for place, contents in call["effects"]))


def chosen(
    body: Body,
    turn: int,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    evaluate: Callable[[Recipe], Any],
) -> Outcome:
    """The outcome of a call.

    Args:
        body: of the method.
        turn: how many calls there were before.
        args: what it is called with.
        kwargs: the same, by keyword.
        evaluate: the value of a recipe.

    Raises:
        StopIteration: there are no more successive outcomes, which are written as an iterator.
    """
    if body.form == SUCCESSIVE:
        if turn >= len(body.outcomes):
            raise StopIteration
        return body.outcomes[turn]
    for row in body.rows:
        if all(_equals(args, kwargs, place, evaluate(recipe)) for place, recipe in row.tests):
            return row.outcome
    return body.default


def _equals(args: Sequence[Any], kwargs: Mapping[str, Any], place: Place, value: Any) -> bool:
    if isinstance(place, int):
        return place < len(args) and bool(args[place] == value)
    return place in kwargs and bool(kwargs[place] == value)


def _telling(calls: Sequence[Call]) -> Iterator[tuple[Place, ...]]:
    """Which arguments to compare: each alone first, then all; only those that every call has."""
    given = [_places(call) for call in calls]
    kept = [place for place in given[0] if all(_is_comparable(row.get(place)) for row in given)]
    yield from ((place,) for place in kept)
    if len(kept) > 1:
        yield tuple(kept)


def _places(call: Call) -> dict[Place, Recipe | None]:
    """The arguments of a call by their places."""
    found: dict[Place, Recipe | None] = dict(enumerate(call["args"]))
    found.update(call["kwargs"])
    return found


def _rows(
    calls: Sequence[Call], outcomes: Sequence[Outcome], places: tuple[Place, ...]
) -> list[Row] | None:
    """One row for each value of these arguments; None where one value had two outcomes."""
    found: list[tuple[list[Any], Row]] = []
    for call, outcome in zip(calls, outcomes, strict=True):
        given = _places(call)
        tests = tuple((place, recipe) for place in places if (recipe := given[place]) is not None)
        values = [_value(recipe) for _, recipe in tests]
        known = next((row for mine, row in found if mine == values), None)
        if known is None:
            found.append((values, Row(tests, outcome)))
        elif repr(known.outcome) != repr(outcome):
            return None
    return [row for _, row in found]


def _default(rows: Sequence[Row]) -> Outcome:
    """The outcome that needs no test: rather a result than an exception, of most rows, rather late."""
    shown = [repr(row.outcome) for row in rows]
    ranked = [
        (row.outcome.kind == "return", shown.count(text), place)
        for place, (row, text) in enumerate(zip(rows, shown, strict=True))
    ]
    return rows[max(ranked)[2]].outcome


_SERIES: Final[dict[str, Callable[[list[Any]], Any]]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}


def _is_comparable(recipe: Recipe | None) -> bool:
    """Whether ``==`` with what the recipe describes finds it again."""
    if recipe is None:
        return False
    match recipe[0]:
        case "lit":
            return bool(recipe[1] == recipe[1])
        case "ref":
            return True
        case "dict":
            return all(_is_comparable(part) for pair in recipe[1] for part in pair)
        case kind if kind in _SERIES:
            return all(map(_is_comparable, recipe[1]))
        case _:
            return False


def _value(recipe: Recipe) -> Any:
    """What a comparable recipe describes, as far as equality goes; names stand for what they name."""
    match recipe[0]:
        case "lit":
            return recipe[1]
        case "dict":
            return {_value(key): _value(item) for key, item in recipe[1]}
        case kind if kind in _SERIES:
            return _SERIES[kind]([_value(part) for part in recipe[1]])
        case _:
            return _Named(recipe[1], recipe[2])


@dataclass(frozen=True)
class _Named:
    """A class, function or member of an enum."""

    module: str
    qualname: str
