"""Mocks without what a test does not need: answers that nobody asked for, further calls, effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from tracetwin.model import recipe as recipes
from tracetwin.model.case import Case, Step
from tracetwin.model.mock_bodies import BodyForm, body_of
from tracetwin.model.observation import MockCall, Observation
from tracetwin.model.recipe import (
    Change,
    MockMember,
    MockNumber,
    MockRecipe,
    Recipe,
    RecordedCall,
    Scalar,
    walk,
)
from tracetwin.model.snapshot import Snapshot

FEW: Final = 3
"""Calls from which on fewer are plainer: two with different results tell more than one."""

MOST_DROPPED: Final = 5
"""Calls of a member of which each is tried without."""

_Members: TypeAlias = Mapping[str, MockMember]


def changed_step(step: Step, change: Change) -> Step:
    """Return a step with its arguments changed, as `recipe.replace` does."""
    args = tuple(recipes.replace(part, change) for part in step.args)
    kwargs = tuple((name, recipes.replace(part, change)) for name, part in step.kwargs)
    return replace(step, args=args, kwargs=kwargs)


# ---- what nobody asked for


def trimmed(case: Case, seen: Observation) -> Case:
    """Return the case with mocks that answer what they were asked when it was replayed; it runs as before.

    A case may come from another one that went further.
    """
    if not seen.outcome.is_answer or seen.reads is None:
        return case
    made: dict[tuple[int, str], list[MockCall]] = {}
    for call in seen.calls:
        made.setdefault((call.number, call.member), []).append(call)
    reads = set(seen.reads)

    def change(part: Recipe) -> Recipe:
        if not isinstance(part, MockRecipe):
            return part
        members = {}
        for name, member in part.members.items():
            if member.calls:
                calls = _asked(member, made.get((part.number, name), []))
                members.update({name: replace(member, calls=calls)} if calls else {})
            elif member.value is None or (part.number, name) in reads:
                members[name] = member
        # A new one only where something went: inside of what stays there may be others.
        if members == part.members:
            return part
        return recipes.replace_children(
            replace(part, members=members), lambda inner: recipes.replace(inner, change)
        )

    steps = tuple(changed_step(step, change) for step in case.steps)
    return case if steps == case.steps else replace(case, steps=steps)


def _asked(member: MockMember, made: Sequence[MockCall]) -> tuple[RecordedCall, ...]:
    """The calls of a member that are enough to answer those that were made."""
    calls = member.calls
    if not made:
        return ()
    body = body_of(member)
    if body.form is BodyForm.SUCCESSIVE:
        return calls[: len(made)]
    if body.form is not BodyForm.BY_ARGUMENT:
        return calls
    found = [[i for i, call in enumerate(calls) if _is_like(call, one)] for one in made]
    if not all(found):
        return calls  # what no call tells of was answered by default
    return tuple(calls[i] for i in sorted({i for like in found for i in like}))


def _is_like(call: RecordedCall, made: MockCall) -> bool:
    """Return whether a call of the recipe has the arguments of one that was made."""
    names, others = [name for name, _ in call.kwargs], [name for name, _ in made.kwargs]
    if len(call.args) != len(made.args) or names != others:
        return False
    given = [*call.args, *(part for _, part in call.kwargs)]
    snaps = [*made.args, *(snap for _, snap in made.kwargs)]
    return all(part is None or _looks_like(part, snap) for part, snap in zip(given, snaps, strict=True))


def _looks_like(recipe: Recipe, snap: Snapshot) -> bool:
    if isinstance(recipe, Scalar) and isinstance(snap, Scalar):
        return recipe.value == snap.value and type(recipe.value) is type(snap.value)
    return not isinstance(recipe, Scalar) and not isinstance(snap, Scalar)


# ---- what may change nothing


def with_simpler_mocks(steps: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """Yield the steps with one mock simpler wherever it stands."""
    mocks: dict[int, MockRecipe] = {}
    for step in steps:
        for recipe in step.given:
            for part in walk(recipe):
                if isinstance(part, MockRecipe):
                    mocks.setdefault(part.number, part)
    *setup, last = steps
    if last.args and isinstance(last.args[-1], (MockRecipe, MockNumber)) and not last.kwargs:
        yield (*setup, replace(last, args=last.args[:-1]))
    for mock in mocks.values():
        for members in _simpler(mock.members):
            yield tuple(_with(step, replace(mock, members=members)) for step in steps)


def _with(step: Step, mock: MockRecipe) -> Step:
    def change(part: Recipe) -> Recipe:
        return mock if isinstance(part, MockRecipe) and part.number == mock.number else part

    return changed_step(step, change)


def _simpler(members: _Members) -> Iterator[_Members]:
    """Those of members with many calls."""
    for name, member in members.items():
        for calls in _fewer(member.calls):
            yield {**members, name: replace(member, calls=calls)}
        if any(call.answer.effects for call in member.calls):
            plain = (replace(call, answer=replace(call.answer, effects=())) for call in member.calls)
            yield {**members, name: replace(member, calls=tuple(plain))}


def _fewer(calls: tuple[RecordedCall, ...]) -> Iterator[tuple[RecordedCall, ...]]:
    """Some of the calls: the last ones, the later half, all but one; each costs a replay."""
    count = len(calls)
    if count < FEW:
        return
    for left in dict.fromkeys((1, 2, count // 2)):
        yield calls[count - left :]
    if count <= MOST_DROPPED:
        yield from ((*calls[:dropped], *calls[dropped + 1 :]) for dropped in range(count))


LEFT: Final = (1, 2, 3)
"""Last answers of which a call by itself may need as many."""


def with_last_answers(steps: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """Yield steps whose mocks answer at once what they answered last: the first answers were for others."""
    for left in LEFT:
        yield tuple(changed_step(step, partial(_with_last, left)) for step in steps)


def _with_last(left: int, part: Recipe) -> Recipe:
    if not isinstance(part, MockRecipe):
        return part
    members = {name: replace(member, calls=member.calls[-left:]) for name, member in part.members.items()}
    return part if members == part.members else replace(part, members=members)
