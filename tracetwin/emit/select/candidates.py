"""Candidates for the place of a case: the same with fewer steps before the call, or plainer arguments."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from tracetwin.emit.naming.history import is_enter, is_leave
from tracetwin.emit.select.plainer_mocks import changed_step, with_last_answers, with_simpler_mocks
from tracetwin.emit.select.select import weight
from tracetwin.model import recipe as recipes
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.codec import key, step_key
from tracetwin.model.patch import FunctionPatch
from tracetwin.model.recipe import (
    NONE,
    Call,
    Dictionary,
    Recipe,
    Scalar,
    ScalarValue,
    Series,
    SeriesKind,
    walk,
)
from tracetwin.support.data import dataclass
from tracetwin.support.minimize import chunks, pairs, shorter_run

MOST_PAIRED = 10
"""Steps of which every two are dropped together: what one does another may undo."""

HEAVY = 30
"""Weight of an argument that is tried without, or with less inside."""

NEW_EACH_TIME = {"uuid1", "uuid4"}
"""Functions that a test need not patch where it ends alike without: one answer is as good as another."""

LONG_NUMBER = 3
LONG_TEXT = 4
LONG_LIST = 2

Item = TypeVar("Item")


@dataclass(frozen=True)
class Candidate:
    """A case that might do as well.

    Attributes:
        fewer: whether steps were dropped; else only arguments differ.
        alike: whether it must be seen to end exactly as the longer one.
    """

    case: Case
    fewer: bool = False
    alike: bool = False


def candidates(case: Case, fixed: Container[object] = ()) -> list[Candidate]:
    """Return candidates in the order of how much they save, each once, and none like the case itself."""
    seen = {_mark(case.steps)}
    found: list[Candidate] = []

    def add(steps: Sequence[Step], *, fewer: bool = False, alike: bool = False) -> None:
        if (mark := _mark(steps)) not in seen:
            seen.add(mark)
            found.append(Candidate(replace(case, steps=tuple(steps)), fewer, alike))

    found += [Candidate(without, alike=True) for without in _without_patches(case)]
    for kept in _shorter(case.setup, case.last):
        add([*(case.steps[i] for i in kept), case.last], fewer=True)
    if len(alone := _without_calls(case.steps)) < len(case.steps):
        for shorter in with_last_answers(alone):
            add(shorter, fewer=True)
    found.sort(key=lambda candidate: len(candidate.case.steps))
    for steps in chain(_lighter(case.steps), with_simpler_mocks(case.steps)):
        add(steps)
    for steps, alike in _plainer(case.steps, fixed):
        add(steps, alike=alike)
    for setup in _within_contexts(case.setup, case.last):
        add([*setup, case.last], alike=True)
    return found


def _without_patches(case: Case) -> Iterator[Case]:
    """Give the case without each patch of a function whose answers are new, and nothing else."""
    for place, patch in enumerate(case.patches):
        if isinstance(patch, FunctionPatch) and patch.place.rpartition(".")[2] in NEW_EACH_TIME:
            yield replace(case, patches=(*case.patches[:place], *case.patches[place + 1 :]))


def _mark(steps: Sequence[Step]) -> bytes:
    return b"".join(map(step_key, steps))


# ---- fewer steps


def _shorter(setup: Sequence[Step], last: Step) -> Iterator[list[int]]:
    """The positions of the steps that are kept."""
    everything = range(len(setup))
    users = _users([*setup, last])
    # The call itself speaks of the others.
    free = [i for i in everything if len(setup) not in _with_users([i], users)]
    parts = [[free[i] for i in part] for part in [*chunks(len(free)), *pairs(len(free), MOST_PAIRED)]]
    for dropped in [*_of_runs(setup), *parts]:
        closed = _with_users(dropped, users)
        if len(setup) not in closed:
            yield [i for i in everything if i not in closed]


def _without_calls(steps: Sequence[Step]) -> list[Step]:
    """The steps without the calls of methods that nothing afterwards speaks of."""
    users = _users(steps)
    called = [at for at, step in enumerate(steps[:-1]) if step.act is Act.METHOD]
    free = [at for at in called if len(steps) - 1 not in _with_users([at], users)]
    closed = _with_users(free, users)
    return [step for at, step in enumerate(steps) if at not in closed]


def _of_runs(setup: Sequence[Step]) -> Iterator[range]:
    """Parts of runs of equal steps: a run of 60 is bisected, not worn down call by call."""
    start = 0
    while start < len(setup):
        end = start + 1
        while end < len(setup) and step_key(setup[end]) == step_key(setup[start]):
            end += 1
        for left in shorter_run(end - start):
            yield range(start + left, end)
        start = end


def _users(steps: Sequence[Step]) -> list[set[int]]:
    """For each step the later ones that speak of what it binds."""
    return [
        {later for later in range(i + 1, len(steps)) if steps[later].mentions(step.bind)}
        for i, step in enumerate(steps)
    ]


def _with_users(dropped: Sequence[int], users: Sequence[set[int]]) -> set[int]:
    closed: set[int] = set()
    left = list(dropped)
    while left:
        position = left.pop()
        if position not in closed:
            closed.add(position)
            left += sorted(users[position])
    return closed


# ---- other words for the same


def _within_contexts(setup: Sequence[Step], last: Step) -> Iterator[list[Step]]:
    """The steps with a context that is left at the end of the test in the place of one that stays open."""
    for i, step in enumerate(setup):
        if not is_enter(step):
            continue
        later = [*setup[i:], last]
        if not any(is_leave(one) and one.place == step.place for one in later):
            yield [*setup[:i], Step(Act.WITH, step.place, "", bind=step.bind), *setup[i + 1 :]]


def _lighter(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps with None, or with an object inside it, in the place of a large object."""
    for i, step in enumerate(steps):
        for a, part in enumerate(step.args):
            for lighter in _lighter_recipes(part):
                args = (*step.args[:a], lighter, *step.args[a + 1 :])
                yield [*steps[:i], replace(step, args=args), *steps[i + 1 :]]


def _lighter_recipes(recipe: Recipe) -> list[Recipe]:
    if weight(recipe) < HEAVY:
        return []
    large = [part for part in walk(recipe) if isinstance(part, Call) and weight(part) >= HEAVY // 2]
    found: list[Recipe] = []
    if isinstance(recipe, Call):
        alike = (recipe.module, recipe.qualname)
        found = [NONE, *(part for part in large[1:] if (part.module, part.qualname) == alike)]
    return found + [_without_part(recipe, part) for part in large[1:]]


def _without_part(recipe: Recipe, part: Recipe) -> Recipe:
    """The recipe with None in the place of an argument inside, but of no item and of no answer."""
    mark = key(part)

    def given(one: Recipe) -> Recipe:
        return NONE if key(one) == mark else one

    def change(one: Recipe) -> Recipe:
        changed = recipes.replace_children(one, given) if isinstance(one, Call) else one
        return one if changed == one else changed

    return recipes.replace(recipe, change)


# ---- plainer arguments


def _plainer(steps: Sequence[Step], fixed: Container[object]) -> Iterator[tuple[list[Step], bool]]:
    """The steps with one literal plainer wherever it stands, or with an argument less before the call."""
    *setup, last = steps
    for old in _literals(setup):
        if isinstance(old, str) and old in fixed:
            continue
        for new in _plainer_values(old):
            pair = Scalar(old), Scalar(new)
            plainer = [_replaced(step, *pair) for step in setup]
            yield [*plainer, _replaced(last, *pair)], False
            yield [*plainer, last], False
    for i, step in enumerate(setup):
        for fewer in _less_given(step):
            yield [*setup[:i], fewer, *setup[i + 1 :], last], True


def _literals(setup: Sequence[Step]) -> list[ScalarValue]:
    given = (part for step in setup for recipe in step.given for part in walk(recipe))
    found: dict[bytes, ScalarValue] = {}
    for part in given:
        if isinstance(part, Scalar):
            found.setdefault(key(part), part.value)
    return list(found.values())


def _plainer_values(value: ScalarValue) -> Sequence[ScalarValue]:
    """In the place of a literal that is long; short ones stay, however small others are."""
    if isinstance(value, int):
        sign = 1 if value > 0 else -1
        long = value.bit_length() < 1000 and len(str(abs(value))) >= LONG_NUMBER
        return [sign, 2 * sign, 10 * sign] if long and not isinstance(value, bool) else []
    if isinstance(value, float) and len(repr(value)) > LONG_TEXT and math.isfinite(value):
        return [1.5, -1.5] if abs(value) < 1e15 else [1e9]
    if isinstance(value, str) and len(value) > LONG_TEXT:
        return ["a", "b", value[:1], value[:2]]
    if isinstance(value, bytes) and len(value) > LONG_TEXT:
        return [b"a", value[:1], value[:2]]
    return []


def _replaced(step: Step, old: Scalar, new: Scalar) -> Step:
    mark = key(old)
    return changed_step(step, lambda leaf: new if isinstance(leaf, Scalar) and key(leaf) == mark else leaf)


def _less_given(step: Step) -> Iterator[Step]:
    """A step without its last argument, and with shorter lists."""
    if step.kwargs:
        yield replace(step, kwargs=step.kwargs[:-1])
    elif step.args and step.act is not Act.SET and not step.name.endswith("__"):
        yield replace(step, args=step.args[:-1])
    for i, part in enumerate(step.args):
        for shorter in _shorter_containers(part):
            yield replace(step, args=(*step.args[:i], shorter, *step.args[i + 1 :]))


def _shorter_containers(recipe: Recipe) -> Iterator[Recipe]:
    """A list, tuple, set or dict with fewer items."""
    if isinstance(recipe, Series) and recipe.kind is not SeriesKind.FROZENSET:
        yield from (Series(recipe.kind, items) for items in _parts(recipe.items))
    elif isinstance(recipe, Dictionary):
        yield from (Dictionary(items) for items in _parts(recipe.pairs))


def _parts(items: tuple[Item, ...]) -> list[tuple[Item, ...]]:
    return [items[: len(items) // 2], items[:-1], items[1:]] if len(items) > LONG_LIST else []
