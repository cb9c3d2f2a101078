"""Plain numbers and texts in the calls on a test's receiver, and others in their places."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tracetwin.model.case import Act, Case, Step
from tracetwin.model.recipe import Scalar, ScalarValue

LARGEST: Final = 1000
"""Numbers beyond it are not changed for others: they mean something."""

LONG_TEXT: Final = 12
"""Letters of a text that is worth reading."""

MOST_FRESH: Final = 10

Place = tuple[int, int, str]
"""A step, an argument of it, and the parameter as method and position."""


def has_receiver(case: Case) -> bool:
    """Return whether it calls a method on what its first step makes."""
    first, last = case.steps[0], case.last
    return last.act is Act.METHOD and first.act is Act.CALL and first.bind == last.place


def on_receiver(case: Case) -> list[Step]:
    """Return the calls before the last one on its receiver whose arguments are all literals, at least one."""
    return [
        step
        for step in case.setup
        if (step.act, step.place) == (Act.METHOD, case.last.place)
        and step.bind is None
        and step.args
        and not step.kwargs
        and all(isinstance(part, Scalar) for part in step.args)
    ]


def dullness(case: Case) -> int:
    """How many of its numbers are 0, negative or given before for the same parameter."""
    places = _places(case, int)
    values = [(place[2], _at(case, place)) for place in places]
    repeated = len(values) - len(set(values))
    return repeated + sum(1 for _, value in values if value <= 0)


def ranked(case: Case, gap: int) -> Iterator[tuple[Step, ...]]:
    """The steps with all numbers replaced by `gap`, 2 * `gap`, ... in order; then fewer parameters."""
    places = _places(case, int)
    if any(abs(_at(case, place)) > LARGEST for place in places):
        return
    parameters = list(dict.fromkeys(place[2] for place in places))
    choices = [parameters]
    if len(parameters) > 1:
        choices += [[one for one in parameters if one != other] for other in parameters]
        choices += [[one] for one in parameters]
    for some in choices:
        chosen = [place for place in places if place[2] in some]
        values = sorted({_at(case, place) for place in chosen})
        new = {value: gap * (number + 1) for number, value in enumerate(values)}
        yield _with(case, {place: new[_at(case, place)] for place in chosen})


def distinct(case: Case) -> Iterator[tuple[Step, ...]]:
    """The steps with the values of one parameter all different, 1, 2, 3 or a, b, c, where some are equal."""
    for kind, make in (
        (int, lambda number: number + 1),
        (str, lambda number: string.ascii_lowercase[number % 26]),
    ):
        places = _places(case, kind)
        for parameter in dict.fromkeys(place[2] for place in places):
            mine = [place for place in places if place[2] == parameter]
            values = [_at(case, place) for place in mine]
            is_long = kind is str and any(len(one) > LONG_TEXT for one in values)
            if len(set(values)) < len(values) or not all(values) or is_long:
                yield _with(case, {place: make(number) for number, place in enumerate(mine)})


def neighbours(case: Case, distances: Sequence[int] = (1,)) -> Iterator[tuple[Step, ...]]:
    """The steps with one number a little larger or smaller."""
    for place in _places(case, int):
        for distance in distances:
            for other in (_at(case, place) + distance, _at(case, place) - distance):
                yield _with(case, {place: other})


def fresh(case: Case, growers: Sequence[Step]) -> Iterator[Step]:
    """Calls like those there are with positive numbers that do not occur yet, those between others first."""
    models: dict[str, Step] = {}
    for step in growers:
        models[step.name] = step
    for model in models.values():
        used = {kind: {_at(case, place) for place in _places(case, kind)} for kind in (int, str)}
        numbers = sorted(one for one in used[int] if abs(one) <= LARGEST) or [0]
        values = list(dict.fromkeys(n for one in numbers for n in (one - 1, one + 1) if n > 0))
        values.sort(key=lambda n: not numbers[0] < n < numbers[-1])  # those between first
        letters = [letter for letter in string.ascii_lowercase if letter not in used[str]]
        for count, value in enumerate([n for n in values if n not in used[int]][:MOST_FRESH]):
            letter = letters[count % len(letters)] if letters else "a"
            yield from _variants(model, value, letter)


def _variants(model: Step, value: int, letter: str) -> Iterator[Step]:
    """The call with fresh values for all arguments, then for its last number only."""
    old = [part.value for part in model.args if isinstance(part, Scalar)]
    new = tuple(Scalar(_like(one, value, letter)) for one in old)
    yield replace(model, args=new)
    numbers = [place for place, one in enumerate(old) if type(one) is int]
    if len(numbers) > 1:
        kept = (part if place != numbers[-1] else new[place] for place, part in enumerate(model.args))
        yield replace(model, args=tuple(kept))


def _like(old: ScalarValue, value: int, letter: str) -> ScalarValue:
    if type(old) is int:
        return value
    return letter if type(old) is str else old


def _places(case: Case, kind: type) -> list[Place]:
    return [
        (number, place, f"{step.name}:{place}")
        for number, step in enumerate(case.steps)
        if (step.act, step.place) == (Act.METHOD, case.last.place)
        for place, part in enumerate(step.args)
        if isinstance(part, Scalar) and type(part.value) is kind
    ]


def _at(case: Case, place: Place) -> Any:
    found = case.steps[place[0]].args[place[1]]
    return found.value if isinstance(found, Scalar) else None


def _with(case: Case, values: Mapping[Place, ScalarValue]) -> tuple[Step, ...]:
    steps = list(case.steps)
    for (number, place, _), value in values.items():
        args = steps[number].args
        steps[number] = replace(steps[number], args=(*args[:place], Scalar(value), *args[place + 1 :]))
    return tuple(steps)
