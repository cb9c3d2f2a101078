"""The mocks and patches of a case in words: which calls are answered how, and what is patched."""

from __future__ import annotations

from collections.abc import Iterator

from tracetwin.explore.summaries.wording import recipe_text
from tracetwin.model.case import Case
from tracetwin.model.patch import (
    AwakePatch,
    ClassPatch,
    EnvironPatch,
    FunctionPatch,
    Patch,
    PatchedCall,
    StdinPatch,
    Way,
)
from tracetwin.model.recipe import Answer, MockMember, MockRecipe, Recipe, RecordedCall, walk
from tracetwin.model.written_test import MOCK, PATCH, StandIn

LONGEST = 120
"""Characters of one value."""

_WAYS = {
    Way.RETURN: "returns {}", Way.RAISE: "raises {}", Way.FILE: "opens a file with {}",
    Way.SINK: "opens a file to write", Way.PICK: "picks the item at {}",
    Way.NOTHING: "returns nothing of use",
}  # fmt: skip


def stand_ins(case: Case) -> tuple[StandIn, ...]:
    """Return what stands in for something else while the steps of a case are performed."""
    recipes = (inner for recipe in case.given() for inner in walk(recipe))
    mocks = {inner.number: inner for inner in recipes if isinstance(inner, MockRecipe)}
    found = [told for mock in mocks.values() for told in _mock(mock)]
    found += (told for patch in case.patches for told in _patch(patch))
    return tuple(dict.fromkeys(found))


def _mock(mock: MockRecipe) -> Iterator[StandIn]:
    if not mock.members:
        yield StandIn(MOCK, mock.name, "", "is never asked for anything")
    for name, member in mock.members.items():
        yield from _member(mock.name if mock.is_function else f"{mock.name}.{name}", member)


def _member(name: str, member: MockMember) -> Iterator[StandIn]:
    if member.value is not None:
        yield StandIn(MOCK, name, "", f"is {_words(member.value)}")
    for call in member.calls:
        yield StandIn(MOCK, name, _asked(call), _answered(call.answer))


def _asked(call: RecordedCall) -> str:
    given = [_argument(part) for part in call.args]
    given += [f"{name}={_argument(part)}" for name, part in call.kwargs]
    return f"({', '.join(given)})"


def _argument(recipe: Recipe | None) -> str:
    return "…" if recipe is None else _words(recipe)


def _answered(answer: Answer) -> str:
    words = f"{'raises' if answer.raises else 'returns'} {_words(answer.recipe)}"
    changes = (f"sets argument {place} to {_words(recipe)}" for place, recipe in answer.effects)
    return "; ".join([words, *changes])


def _patch(patch: Patch) -> Iterator[StandIn]:
    match patch:
        case FunctionPatch():
            yield from (StandIn(PATCH, patch.place, "", _called(call)) for call in patch.calls)
            if not patch.calls:
                yield StandIn(PATCH, patch.place, "", "is not called")
        case EnvironPatch():
            for name, value in patch.values.items():
                yield StandIn(PATCH, patch.place, name, f"is {_short(repr(value))}")
            if patch.alone:
                yield StandIn(PATCH, patch.place, "", "has no other variables")
        case StdinPatch():
            yield StandIn(PATCH, patch.place, "", f"gives {_words(patch.text)}")
        case ClassPatch():
            yield StandIn(PATCH, patch.place, "", "is a subclass of it whose methods can be patched")
        case AwakePatch():
            return


def _called(call: PatchedCall) -> str:
    return _WAYS[call.way].format(_words(call.recipe))


def _words(recipe: Recipe) -> str:
    if isinstance(recipe, MockRecipe):
        return f"a mock of {recipe.name}"
    return _short(recipe_text(recipe))


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
