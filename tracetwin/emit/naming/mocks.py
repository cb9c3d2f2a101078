"""Mocks in words, for the names of tests: `when_poll_returns_none`, `when_bus_raises_timeout_error`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from tracetwin.model.mock_bodies import BodyForm, body_of
from tracetwin.model.recipe import Answer, Call, MockMember, MockNumber, MockRecipe, Recipe, Reference
from tracetwin.support.counting import spelled

Said: TypeAlias = list[tuple[int, str]]
Words: TypeAlias = Callable[[Recipe], Said]
"""What can be said of a value, with ranks."""

_SPECIAL: Final = {
    "__len__": "length", "__call__": "", "__iter__": "", "__aiter__": "", "__getitem__": "item",
    "__enter__": "context", "__aenter__": "context",
}  # fmt: skip
_SHOWN: Final = ("__len__", "__iter__", "__aiter__", "__bool__")
"""Special methods whose result is what the object itself is."""
DEEPEST: Final = 2


def asked(recipe: Recipe, unused: Collection[tuple[int, str]]) -> Recipe:
    """Return a mock without the members whose results nobody uses; anything else as it is."""
    return asked_mock(recipe, unused) if isinstance(recipe, MockRecipe) else recipe


def asked_mock(recipe: MockRecipe, unused: Collection[tuple[int, str]]) -> MockRecipe:
    """Return a mock without the members whose results nobody uses."""
    members = recipe.members.items()
    used = {name: one for name, one in members if (recipe.number, name) not in unused or _fails(one)}
    return replace(recipe, members=used)


def _fails(member: MockMember) -> bool:
    return any(call.answer.raises for call in member.calls)


def mock_words(
    recipe: MockRecipe, words: Words, snake: Callable[[str], str], name: str = "", depth: int = 0
) -> Said:
    """Return what can be said of a mock, with ranks: lower says more to a reader.

    `name` is the parameter that the mock is for, `depth` the mocks around it.
    """
    alone = sum(bool(member.calls) for member in recipe.members.values()) == 1
    found: Said = [(1, f"{name}_is_{snake(base)}") for _, base in recipe.bases[1:] if name]
    for member, used in recipe.members.items():
        said = _SPECIAL.get(member, snake(member.strip("_")))
        if used.value is not None:
            found += [(rank, f"{said}_{word}") for rank, word in words(used.value)]
        elif used.calls:
            found += [
                (rank, f"{(name or said) if raises and alone else said or name}_{phrase}".strip("_"))
                for raises, rank, phrase in _of_body(used, words, snake, shown=member in _SHOWN)
            ]
            found += _inner(used, words, snake, depth)
    return found


def _of_body(
    member: MockMember, words: Words, snake: Callable[[str], str], *, shown: bool
) -> Iterator[tuple[bool, int, str]]:
    """Phrases about what a member answers, each with whether it is about an exception."""
    body = body_of(member)
    if body.form is BodyForm.CONSTANT:
        for rank, phrase in _of_answer(body.default, words, snake, shown=shown):
            yield body.default.raises, rank, phrase
        return
    first, last = body.answers[0], body.answers[-1]
    if body.form is BodyForm.SUCCESSIVE:
        for rank, phrase in _of_answer(first, words, snake):
            yield first.raises, rank + 2, f"first_{phrase}"
        if last != first:
            for rank, phrase in _of_answer(last, words, snake):
                yield last.raises, rank + 3, f"finally_{phrase}"
        yield False, 5, f"is_called_{spelled(len(body.answers)) or 'many'}_times"
    if body.form is BodyForm.BY_ARGUMENT:
        for row in body.rows[:1]:
            for rank, phrase in _of_answer(row.answer, words, snake):
                yield row.answer.raises, rank + 2, phrase
        yield False, 6, "depends_on_its_argument"


def _of_answer(
    answer: Answer, words: Words, snake: Callable[[str], str], *, shown: bool = False
) -> Said:
    if answer.raises:
        return [(0, f"raises_{snake(name_of(answer.recipe)) or 'error'}")]
    if isinstance(answer.recipe, (MockRecipe, MockNumber)):
        return []
    said = words(answer.recipe)
    if shown:
        return [(rank + 1, word) for rank, word in said]
    return [(rank + 1, _returned(word)) for rank, word in said if _returned(word)]


def _returned(word: str) -> str:
    """Return the words for a value as those for a result."""
    if word.startswith("is_"):
        return f"returns_{word.removeprefix('is_')}"
    return f"result_{word}"


def name_of(recipe: Recipe) -> str:
    """Return the last name of what is called or referred to, such as an exception's class; "" for others."""
    return recipe.qualname.rpartition(".")[2] if isinstance(recipe, (Call, Reference)) else ""


def _inner(member: MockMember, words: Words, snake: Callable[[str], str], depth: int) -> Said:
    """Of mocks that a mock hands out."""
    if depth >= DEEPEST:
        return []
    results = [call.answer.recipe for call in member.calls]
    mocks = [recipe for recipe in results if isinstance(recipe, (MockRecipe, MockNumber))]
    said = (mock_words(one, words, snake, "", depth + 1) for one in mocks[:1] if isinstance(one, MockRecipe))
    return [(rank + 1, phrase) for phrases in said for rank, phrase in phrases]
