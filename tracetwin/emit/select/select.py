"""Chooses the fewest, plainest cases that keep everything that was reached."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any

from tracetwin.emit.select.cover import fewest
from tracetwin.explore.criteria.base import Criterion, Reached
from tracetwin.explore.criteria.branch import CRITERION as BRANCH
from tracetwin.model.case import RESULT, Case
from tracetwin.model.codec import case_key
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import (
    NONE,
    Call,
    Dictionary,
    Lambda,
    MockRecipe,
    Recipe,
    Scalar,
    Series,
    children,
    walk,
)
from tracetwin.model.snapshot import Opaque
from tracetwin.replay.static import Coverable

_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")
_CLUMSY = {("builtins", "TypeError"), ("builtins", "AttributeError")}


def select(
    cases: Sequence[Case],
    observations: Sequence[Observation],
    coverable: Coverable,
    criteria: Sequence[Criterion] = (BRANCH,),
    first: Collection[int] = (),
    judged: Collection[int] = (),
) -> list[int]:
    """The positions of the chosen cases, in their order.

    What has to be kept is for the criteria to say. Cases that neither returned nor raised are not chosen.

    Cases at the positions `first` are chosen whatever they reach. Those at the positions `judged` need not be
    kept for what only their twins saw, but for the kinds of results: it is known which mutants they notice.
    Where a case's twin did not run, that is the kind which another showed that returned the same.
    """
    goals: dict[int, AbstractSet[Any]] = {}
    preference: dict[int, tuple[int, ...]] = {}
    for position, (case, seen) in enumerate(zip(cases, observations, strict=True)):
        if not seen.outcome.is_answer:
            continue
        reached = goals_of(case, seen, coverable, criteria)
        goals[position] = _judged(reached, case, seen) if position in judged else reached
        cost = coverable.remembered((case, seen), "cost", partial(_cost, case, seen))
        preference[position] = (*cost, position)
    alike = {at: (cases[at].target, observations[at].value) for at in goals if at in judged}
    shared: dict[object, set[Any]] = {}
    for at, told in alike.items():
        shared.setdefault(told, set()).update(goal for goal in goals[at] if goal[0] == "shown")
    goals.update((at, goals[at] | shared[told]) for at, told in alike.items() if not cases[at].shows)
    settled = [position for position in goals if position in first]
    met: set[Any] = set().union(*(goals.pop(position) for position in settled))
    return sorted([*settled, *fewest({at: reached - met for at, reached in goals.items()}, preference)])


def _judged(goals: AbstractSet[Any], case: Case, seen: Observation) -> set[Any]:
    kept = {goal for goal in goals if goal[0] != "shown" or _is_kind_of_result(goal[1], case)}
    if not _is_handed_on(case, seen):
        return kept
    return {goal for goal in kept if goal[0] != "shown"} | {("shown", f"{RESULT}{case.target}:handed on")}


def _is_handed_on(case: Case, seen: Observation) -> bool:
    """Return whether what comes back is what a mock has answered: the code does not decide its kind."""
    value = seen.value
    if isinstance(value, Scalar) and (value.value is None or isinstance(value.value, bool)):
        return False
    mocks = (part for recipe in case.given() for part in walk(recipe) if isinstance(part, MockRecipe))
    calls = (call for mock in mocks for member in mock.members.values() for call in member.calls)
    return any(not call.answer.raises and call.answer.recipe == value for call in calls)


def _is_kind_of_result(entry: object, case: Case) -> bool:
    """Return whether it tells the kind of what the target returned: true or false, a dict or an empty one."""
    return isinstance(entry, str) and entry.startswith(f"{RESULT}{case.target}:")


def goals_of(
    case: Case,
    seen: Observation,
    coverable: Coverable,
    criteria: Sequence[Criterion] = (BRANCH,),
) -> frozenset[Any]:
    """Return what a case reaches that a suite has to keep, and that may be reached by no other."""
    names = tuple(criterion.name for criterion in criteria)
    subject = (case, seen, coverable.met)
    return coverable.remembered(subject, names, lambda: _goals(case, seen, coverable, criteria))


def _goals(
    case: Case, seen: Observation, coverable: Coverable, criteria: Sequence[Criterion]
) -> frozenset[Any]:
    reached, met = _reached(case, seen, coverable), coverable.met
    return frozenset(
        goal
        for criterion in criteria
        for goal in criterion.select(reached)
        if met is None
        or not (met.meets(goal) or (met.is_enough_for(case.target) and not criterion.is_reported(goal)))
    )


def unseen_goals(
    case: Case, seen: Observation, coverable: Coverable, criteria: Sequence[Criterion]
) -> set[Any]:
    """Return the goals that a case meets which no run of the original shows: of operands, of borders."""
    return {
        goal
        for one in criteria
        for goal in goals_of(case, seen, coverable, [one])
        if goal[0] == "shown" and one.is_reported(goal)
    }


def _reached(case: Case, seen: Observation, coverable: Coverable) -> Reached:
    lines, arcs = coverable.covered(seen.lines, seen.arcs)
    own_lines, own_arcs = coverable.covered(seen.own_lines, seen.own_arcs)
    # Plain lines of constructors show in every test of what was made.
    made = [one for one in coverable.functions if one.qualname.rpartition(".")[2] in _CONSTRUCTORS]
    kind = None if seen.raised is None else seen.raised.place
    raised_at = seen.raised_at if kind else None
    return Reached(
        (case.module, case.target),
        lines,
        arcs,
        own_lines.difference(*(function.lines for function in made)),
        own_arcs,
        case.shows,
        (seen.outcome.value, kind, raised_at),
    )


def _cost(case: Case, seen: Observation) -> tuple[int, ...]:
    """Less is better for a reader."""
    raised = seen.raised is not None
    clumsy = seen.raised is not None and seen.raised.place in _CLUMSY
    recipes = [part for step in case.steps for part in step.given]
    vague = not raised and isinstance(seen.value, Opaque)
    # A test of an effect says more than one of nothing.
    idle = not raised and seen.value == NONE and not seen.touched and not seen.stdout
    return (raised, clumsy, vague, idle, 12 * len(case.steps) + sum(weight(recipe) for recipe in recipes))


def weight(recipe: Recipe) -> int:
    """Return how much there is to read in an argument."""
    match recipe:
        case Scalar(value):
            return _literal_weight(value)
        case Series(_, items):
            return 2 + sum(2 + weight(part) for part in items)
        case Dictionary(pairs):
            return 3 + sum(3 + weight(key) + weight(value) for key, value in pairs)
        case Call():
            return 6 + sum(2 + weight(part) for part in children(recipe))
        case Lambda(_, result):
            return 8 + weight(result)
        case MockRecipe():
            calls = sum(3 + len(member.calls) for member in recipe.members.values())
            return 8 + 4 * len(recipe.bases) + calls + sum(map(weight, children(recipe)))
        case _:
            return 3


def _literal_weight(value: object) -> int:
    if value is None or isinstance(value, bool):
        return 1
    if isinstance(value, (int, float, complex)):
        text = repr(value)
        return len(text) + (1 if text.startswith("-") else 0) + (0 if isinstance(value, int) else 1)
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if isinstance(value, str):
        return 2 + sum(
            1 if letter.isalnum() and letter.isascii() else 2 if letter.isascii() else 4 for letter in value
        )
    return 9


def without_repetitions(cases: Sequence[Case]) -> list[Case]:
    """Return each call once: the first of those that differ in nothing but where they came from."""
    kept: dict[tuple[str, str, str, bytes], Case] = {}
    for case in cases:
        kept.setdefault((case.module, case.target, case.kind, case_key(case)), case)
    return list(kept.values())
