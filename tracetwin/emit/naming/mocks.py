"""Mocks in words, for the names of tests: `when_poll_returns_none`, `when_bus_raises_timeout_error`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, TypeAlias

from tracetwin.model.mock_bodies import BY_ARGUMENT, CONSTANT, SUCCESSIVE, Outcome, body_of

Said: TypeAlias = list[tuple[int, str]]
Words: TypeAlias = Callable[[Any], Said]
"""What can be said of a value, with ranks."""

_SPECIAL: Final = {
    "__len__": "length", "__call__": "", "__iter__": "", "__aiter__": "", "__getitem__": "item",
    "__enter__": "context", "__aenter__": "context",
}  # fmt: skip
_SHOWN: Final = ("__len__", "__iter__", "__aiter__", "__bool__")
"""Special methods whose result is what the object itself is."""
DEEPEST: Final = 2


def asked(recipe: Any, unused: Collection[tuple[int, str]]) -> Any:
    """A mock without the members whose results nobody uses; anything else as it is."""
    if recipe[0] != "mock" or isinstance(recipe[1], int):
        return recipe
    number = recipe[1]["number"]
    used = {name: one for name, one in recipe[2].items() if (number, name) not in unused or _fails(one)}
    return (*recipe[:2], used)


def _fails(member: Any) -> bool:
    return any(call["outcome"][0] == "raise" for call in member["calls"])


def mock_words(
    recipe: Any, words: Words, snake: Callable[[str], str], name: str = "", depth: int = 0
) -> Said:
    """What can be said of a mock, with ranks: lower says more to a reader.

    Args:
        recipe: that of the mock.
        words: what can be said of a value.
        snake: a name in small letters.
        name: the parameter that the mock is for, which says who raises where only one member is called.
        depth: the mocks around it.
    """
    if isinstance(recipe[1], int):
        return []
    members = recipe[2]
    alone = sum(bool(member["calls"]) for member in members.values()) == 1
    found: Said = [(1, f"{name}_is_{snake(base)}") for _, base in recipe[1]["bases"][1:] if name]
    for member, used in members.items():
        said = _SPECIAL.get(member, snake(member.strip("_")))
        if used["value"] is not None:
            found += [(rank, f"{said}_{word}") for rank, word in words(used["value"])]
        elif used["calls"]:
            found += [
                (rank, f"{(name or said) if way == 'raise' and alone else said or name}_{phrase}".strip("_"))
                for way, rank, phrase in _of_body(used, words, snake, shown=member in _SHOWN)
            ]
            found += _inner(used, words, snake, depth)
    return found


def _of_body(
    member: Any, words: Words, snake: Callable[[str], str], *, shown: bool
) -> Iterator[tuple[str, int, str]]:
    """Phrases about what a member answers, each with the kind of outcome it is about."""
    body = body_of(member)
    if body.form == CONSTANT:
        for rank, phrase in _of_outcome(body.default, words, snake, shown=shown):
            yield body.default.kind, rank, phrase
        return
    first, last = body.outcomes[0], body.outcomes[-1]
    if body.form == SUCCESSIVE:
        for rank, phrase in _of_outcome(first, words, snake):
            yield first.kind, rank + 2, f"first_{phrase}"
        if last != first:
            for rank, phrase in _of_outcome(last, words, snake):
                yield last.kind, rank + 3, f"finally_{phrase}"
        yield "return", 5, f"is_called_{len(body.outcomes)}_times"
    if body.form == BY_ARGUMENT:
        for row in body.rows[:1]:
            for rank, phrase in _of_outcome(row.outcome, words, snake):
                yield row.outcome.kind, rank + 2, phrase
        yield "return", 6, "depends_on_its_argument"


def _of_outcome(
    outcome: Outcome, words: Words, snake: Callable[[str], str], *, shown: bool = False
) -> Said:
    if outcome.kind == "raise":
        return [(0, f"raises_{snake(outcome.recipe[2].rpartition('.')[2]) or 'error'}")]
    if outcome.recipe[0] == "mock":
        return []
    said = words(outcome.recipe)
    if shown:
        return [(rank + 1, word) for rank, word in said]
    return [(rank + 1, _returned(word)) for rank, word in said if _returned(word)]


def _returned(word: str) -> str:
    """What a value is, as what is returned."""
    if word.startswith("is_"):
        return f"returns_{word.removeprefix('is_')}"
    return f"result_{word}"


def _inner(member: Any, words: Words, snake: Callable[[str], str], depth: int) -> Said:
    """Of mocks that a mock hands out."""
    if depth >= DEEPEST:
        return []
    results = [call["outcome"][1] for call in member["calls"] if call["outcome"][1][0] == "mock"]
    said = (mock_words(inner, words, snake, "", depth + 1) for inner in results[:1])
    return [(rank + 1, phrase) for phrases in said for rank, phrase in phrases]
