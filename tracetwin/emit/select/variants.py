"""Variants of a case: its call with other plain values, of which some may show what the values hide.

Adding 0 looks like not adding, multiplying by 1 like dividing, and 0 and 81 leave open where too hot begins.
So numbers become distinct small ones, those of the function's own text and their neighbours; texts and lists
become longer, other, or turned round.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from tracetwin.emit.select.literal_places import has_receiver
from tracetwin.emit.select.plainer_mocks import changed_step
from tracetwin.emit.select.telling.constants import LONGEST, TextConstants
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.codec import step_key
from tracetwin.model.recipe import MockRecipe, Recipe, Scalar, ScalarValue, Series, walk

MOST_EXCHANGED: Final = 8
"""Variants of a text by what the code knows of its parts."""

VARIANT: Final = "variant"
"""The origin of cases that no run on the twin has shown."""

MOST_STEPS: Final = 8
"""Steps of a case with others behind it."""

_SEPARATORS: Final = ";,|=:"

_DIGITS: Final = re.compile(r"[0-9]{1,9}")

_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)
_PARTS = (2.5, 1.5, 3.25, 7.5, 5.75)
_TEXTS = ("fig", "Red box", "item-1", "plum", "Q")


def variants(case: Case, constants: TextConstants, most: int) -> Iterator[Case]:
    """Give variants of a case, each once, at most so many: first all values at once, then one by one."""
    known = {_key(case.steps)}
    given = 0
    for steps in _variants(case, constants):
        mark = _key(steps)
        if mark in known:
            continue
        known.add(mark)
        yield replace(case, steps=steps, origin=VARIANT, shows=())
        given += 1
        if given >= most:
            return


def followed(case: Case, others: Sequence[Case]) -> Iterator[Case]:
    """Give a case with the calls of another behind it: what it did to the receiver may show only there."""
    if not has_receiver(case):
        return
    maker = case.steps[0]
    for other in others:
        first, *later = other.steps
        alike = (first.place, first.name) == (maker.place, maker.name) and has_receiver(other)
        if alike and not other.patches and all(step.bind is None for step in later):
            moved = [replace(step, place=case.last.place) for step in later if step.place == first.bind]
            if not moved or len(moved) != len(later):
                continue
            for some in (moved[-1:], moved) if len(moved) > 1 else (moved,):
                steps = (*case.steps, *some)
                if len(steps) <= MOST_STEPS:
                    yield replace(other, steps=steps, patches=case.patches, origin=VARIANT, shows=())


def varied_call(case: Case) -> Case:
    """Return a case with other numbers and texts in its last call."""
    args = tuple(map(_another, case.last.args))
    kwargs = tuple((name, _another(value)) for name, value in case.last.kwargs)
    return replace(case, steps=(*case.setup, replace(case.last, args=args, kwargs=kwargs)))


def _another(given: Recipe) -> Recipe:
    match given:
        case Scalar(int() | float() as number) if not isinstance(number, bool):
            return Scalar(number + 1)
        case Scalar(str(text)):
            return Scalar(f"{text}b")
        case _:
            return given


def preceded(case: Case, others: Sequence[Case]) -> Iterator[Case]:
    """Give a case behind calls that change what the module holds: what it does there may show only then."""
    for other in others:
        for before in (varied_call(other), other):
            steps = (*before.setup, replace(before.last, bind=None), *case.steps)
            if len(steps) <= MOST_STEPS:
                yield replace(case, steps=steps, origin=VARIANT, shows=())


def made_otherwise(case: Case, others: Sequence[Case]) -> Iterator[Case]:
    """Give the call of a method on objects that others of the class make: a default hides what is in one."""
    if not has_receiver(case):
        return
    maker, *later = case.steps
    known = {step_key(maker)}
    for other in others:
        made = replace(other.steps[0], bind=maker.bind)
        alike = (made.act, made.place, made.name) == (maker.act, maker.place, maker.name)
        mocks = any(isinstance(part, MockRecipe) for recipe in made.given for part in walk(recipe))
        if alike and not mocks and not other.patches and step_key(made) not in known:
            known.add(step_key(made))
            yield replace(case, steps=(made, *later), origin=VARIANT, shows=())


def _key(steps: Sequence[Step]) -> bytes:
    return b"".join(map(step_key, steps))


def _variants(case: Case, constants: TextConstants) -> Iterator[tuple[Step, ...]]:
    leaves = [part for step in case.steps for recipe in step.given for part in walk(recipe)]
    places = [place for place, part in enumerate(leaves) if isinstance(part, Scalar)]
    lively = {place: new for place, new in _lively(leaves, places) if new is not None}
    if lively:
        yield with_parts(case, lively)
    per_place = [iter(_others(leaves[place], constants)) for place in reversed(places)]
    series = [place for place, part in enumerate(leaves) if isinstance(part, Series)]
    per_place += [iter(_other_series(leaves[place])) for place in series]
    marks = [*reversed(places), *series]
    while per_place:  # one of each place in turn: the last arguments first, which are the target's own
        for number in range(len(per_place) - 1, -1, -1):
            new = next(per_place[number], None)
            if new is None:
                del per_place[number], marks[number]
                continue
            yield with_parts(case, {marks[number]: new})


def _lively(leaves: Sequence[Recipe], places: Sequence[int]) -> Iterator[tuple[int, Recipe | None]]:
    """For each plain value that hides what is done with it, another one, all of them different."""
    numbers = 0
    for place in places:
        part = leaves[place]
        value = part.value if isinstance(part, Scalar) else None
        if type(value) is int and abs(value) <= 1:
            yield place, Scalar(_PRIMES[numbers % len(_PRIMES)])
        elif type(value) is float and (value in (0.0, 1.0, -1.0)):
            yield place, Scalar(_PARTS[numbers % len(_PARTS)])
        elif type(value) is str and len(value) <= 1:
            others = tuple(map(str, _PRIMES)) if value.isdecimal() else _TEXTS
            yield place, Scalar(others[numbers % len(others)])
        else:
            continue
        numbers += 1


def _others(part: Recipe, constants: TextConstants) -> Iterator[Recipe]:
    value = part.value if isinstance(part, Scalar) else None
    for other in other_values(value, constants):
        yield Scalar(other)


def other_values(value: ScalarValue, constants: TextConstants) -> Iterator[ScalarValue]:
    """Give other values of the same type, some of them like those that the code knows."""
    if type(value) is bool:
        yield not value
    elif type(value) is int:
        yield from (value + 1, value - 1)
        yield from (near for one in constants.ints for near in (one, one + 1, one - 1))
        yield from (2, 3, 7, 10, -1, -3, 2 * value)
    elif type(value) is float:
        yield from (value + 1.0, value - 0.5, 2 * value)
        yield from constants.floats
        yield from (float(one) for one in constants.ints)
        yield from (1.5, -2.5)
        yield from (math.nextafter(one, math.inf) for one in (value, *constants.floats))
    elif type(value) is str and len(value) <= LONGEST:
        yield from _documents(value)
        if _NUMBER.fullmatch(value):  # of a Decimal, most likely
            yield from (str(near) for one in constants.ints for near in (one, one + 1, one - 1))
        yield from _exchanged(value, constants.texts)
        yield from _spaced(value)
        yield from (value + "Bed", "a" + value, value.swapcase(), value[::-1], f" {value} ", value + value)
        yield from constants.texts
        yield from (f"{value}{one}" for one in constants.texts)
        yield from ("Red box", value[:-1], value[1:], "red,blue", "12")
    elif type(value) is bytes and len(value) <= LONGEST:
        yield from (value + b"b", b"a" + value, value[::-1])


def _exchanged(value: str, texts: Sequence[str]) -> Iterator[str]:
    """A text in which what the code knows, or a number, is something else of its kind; and both of them."""
    found = [value.replace(old, new, 1) for old in texts if old in value for new in texts if new != old]
    found = found[:MOST_EXCHANGED]
    yield from found
    yield from (value + other for other in found)
    numbers = list(_DIGITS.finditer(value))[:MOST_EXCHANGED]
    larger = [str(int(number[0]) + 1) for number in numbers]
    if len(numbers) > 1:
        yield _DIGITS.sub(lambda number: str(int(number[0]) + 1), value)
    for number, new in zip(numbers, larger, strict=True):
        yield value[: number.start()] + new + value[number.end() :]


def _spaced(value: str) -> Iterator[str]:
    """A text with spaces around what separates its parts."""
    for mark in _SEPARATORS:
        if mark in value:
            yield value.replace(mark, f" {mark} ")


def _documents(value: str) -> Iterator[str]:
    """A JSON document with other plain values in it, all of them different: texts for texts, then numbers."""
    if value[:1] not in ("{", "["):
        return
    try:
        found = json.loads(value)
    except ValueError:
        return
    for texts in (_TEXTS, _PRIMES):
        yield json.dumps(_filled(found, itertools.cycle(texts), itertools.cycle(_PRIMES)))


def _filled(part: object, texts: Iterator[str | int], numbers: Iterator[int]) -> object:
    match part:
        case dict():
            return {key: _filled(inner, texts, numbers) for key, inner in part.items()}
        case list():
            return [_filled(inner, texts, numbers) for inner in part]
        case str():
            return next(texts)
        case bool() | None:
            return part
        case _:
            return next(numbers)


def _other_series(part: Recipe) -> Iterator[Recipe]:
    """A list or tuple with an item more, another order, or one item twice."""
    if not isinstance(part, Series) or not part.items or len(part.items) > LONGEST:
        return
    items = part.items
    last = items[-1]
    value = last.value if isinstance(last, Scalar) else None
    more = [Scalar(one) for one in _next_values(value)]
    yield from (Series(part.kind, (*items, one)) for one in more)
    yield from (Series(part.kind, (one, *items)) for one in more)
    if part.kind.has_order:
        yield Series(part.kind, items[::-1])
        yield Series(part.kind, (*items, last))


def _next_values(value: ScalarValue) -> Sequence[ScalarValue]:
    if type(value) is int:
        return (value + 1, value + 3)
    if type(value) is float:
        return (value + 1.5,)
    return (value + "s",) if type(value) is str else ()


def without_call(case: Case, place: int) -> Case | None:
    """Return a case without a call of a method; None where there is none, or others need what it returns."""
    step = case.setup[place] if 0 <= place < len(case.setup) else None
    if (
        step is None
        or step.act is not Act.METHOD
        or any(one.mentions(step.bind) for one in case.steps[place + 1 :])
    ):
        return None
    return replace(case, steps=(*case.steps[:place], *case.steps[place + 1 :]))


def with_parts(case: Case, new: dict[int, Recipe]) -> tuple[Step, ...]:
    """Return the steps with some of their parts, counted from left to right, replaced."""
    place = -1

    def change(part: Recipe) -> Recipe:
        nonlocal place
        place += 1
        found = new.get(place)
        if found is None:
            return part
        place += sum(1 for _ in walk(part)) - 1  # what is inside of it is gone
        return found

    return tuple(changed_step(step, change) for step in case.steps)
