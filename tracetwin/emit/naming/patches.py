"""What is patched, in words, for the names of tests: `mode_is_production`, `input_raises_eof_error`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tracetwin.drawing.environment.apply import same
from tracetwin.emit.naming.values import recipe_words, slug, snake

_LARGE: Final = 1_000_000
"""Numbers beyond it are moments, which no name can tell apart."""

_LATER: Final = 1
"""How much more an argument says of a test than what is patched."""


def patch_words(case: dict[str, Any]) -> list[tuple[int, str]]:
    """What can be said of the patches of a case, with ranks: lower says more."""
    said = [row for patch in case.get("patches") or () for row in _words(*patch)]
    return [(rank + _LATER, word) for rank, word in said]


def _words(place: str, how: str, what: Any) -> Iterator[tuple[int, str]]:
    if how == "environ":
        yield from _of_variables(*what)
    elif how == "stdin":
        yield from ((rank, f"input_{said}") for rank, said in recipe_words(what))
    elif how in ("results", "told") and same(what):
        yield from _of_results(slug(place.rpartition(".")[2]), what)


def _of_variables(values: dict[str, str], alone: bool) -> Iterator[tuple[int, str]]:
    for name, value in values.items():
        yield 3, f"{slug(name)}_is_set"
        yield from ((rank, f"{slug(name)}_{said}") for rank, said in recipe_words(("lit", value)))
    if alone and not values:
        yield 0, "environment_is_empty"


def _of_results(name: str, outcomes: Sequence[tuple[str, Any]]) -> Iterator[tuple[int, str]]:
    how, recipe = outcomes[0]
    if how == "raise":
        yield 0, f"{name}_raises_{snake(_class_of(recipe)) or 'error'}"
    elif how == "pick":
        yield 1, f"{name}_is_item_{recipe[1]}"
    elif recipe[:2] == ("call", "datetime"):
        yield from _of_calendar(name, [part[1] for part in recipe[3]])
    elif how not in ("nothing", "sink") and not _is_moment(recipe):
        word = "file" if how == "file" or name.startswith("read_") else name
        yield from ((rank, f"{word}_{said}") for rank, said in recipe_words(recipe))


def _of_calendar(name: str, parts: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The hour of a moment says more than its day."""
    year, month, day, *time = parts
    if time:
        yield 1, f"{name}_is_at_{time[0]}_{time[1]:02}"
    yield 2, f"{name}_is_{year}_{month:02}_{day:02}"


def _class_of(recipe: Any) -> str:
    """The class of an exception that is written as itself or as a call of it."""
    return str(recipe[2]).rpartition(".")[2] if recipe[0] in ("ref", "call") else ""


def _is_moment(recipe: Any) -> bool:
    return recipe[0] == "lit" and isinstance(recipe[1], (int, float)) and abs(recipe[1]) > _LARGE
