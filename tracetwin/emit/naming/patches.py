"""Patches in words, for the names of tests: `mode_is_production`, `input_raises_eof_error`."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tracetwin.drawing.environment.apply import same
from tracetwin.emit.naming.mocks import name_of
from tracetwin.emit.naming.values import number, recipe_words, slug, snake
from tracetwin.model.case import Case
from tracetwin.model.patch import EnvironPatch, FunctionPatch, Patch, PatchedCall, StdinPatch, Way
from tracetwin.model.recipe import Call, Recipe, Scalar
from tracetwin.support.counting import spelled

_LARGE: Final = 1_000_000
"""Numbers beyond it are moments, which no name can tell apart."""

_LATER: Final = 1
"""How much more an argument says of a test than what is patched."""


def patch_words(case: Case) -> list[tuple[int, str]]:
    """Return what can be said of the patches of a case, with ranks: lower says more."""
    said = [row for patch in case.patches for row in _words(patch)]
    return [(rank + _LATER, word) for rank, word in said]


def _words(patch: Patch) -> Iterator[tuple[int, str]]:
    match patch:
        case EnvironPatch(values, alone):
            yield from _of_variables(values, alone)
        case StdinPatch(text):
            yield from ((rank, f"input_{said}") for rank, said in recipe_words(text))
        case FunctionPatch(place, calls) if same(calls):
            yield from _of_results(slug(place.rpartition(".")[2]), calls[0])
        case _:
            pass


def _of_variables(values: Mapping[str, str], alone: bool) -> Iterator[tuple[int, str]]:
    for name, value in values.items():
        yield 3, f"{slug(name)}_is_set"
        yield from ((rank, f"{slug(name)}_{said}") for rank, said in recipe_words(Scalar(value)))
    if alone and not values:
        yield 0, "environment_is_empty"


def _of_results(name: str, call: PatchedCall) -> Iterator[tuple[int, str]]:
    recipe = call.recipe
    match call.way, recipe:
        case Way.RAISE, _:
            yield 0, f"{name}_raises_{snake(name_of(recipe)) or 'error'}"
        case Way.PICK, Scalar(int(value)):
            yield 1, f"{name}_is_item_{number(value)}"
        case _, Call("datetime", _, args):
            yield from _of_calendar(name, [part.value for part in args if isinstance(part, Scalar)])
        case (Way.NOTHING | Way.SINK), _:
            return
        case _ if not _is_moment(recipe):
            word = "file" if call.way is Way.FILE or name.startswith("read_") else name
            yield from ((rank, f"{word}_{said}") for rank, said in recipe_words(recipe))
        case _:
            pass


def _of_calendar(name: str, parts: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """The hour of a moment says more than its day."""
    year, month, day, *time = parts
    if time:
        yield 0, f"{name}_is_{'at' if not time[1] else 'after'}_{_hour(time[0])}"
    yield 3, f"{name}_is_in_{calendar.month_name[month].lower()}"
    yield 4, f"{name}_is_on_a_{calendar.day_name[calendar.weekday(year, month, day)].lower()}"


def _hour(hour: int) -> str:
    return {0: "midnight", 12: "noon"}.get(hour) or f"{spelled(hour) or hour}_o_clock"


def _is_moment(recipe: Recipe) -> bool:
    number = recipe.value if isinstance(recipe, Scalar) else None
    return isinstance(number, (int, float)) and abs(number) > _LARGE
