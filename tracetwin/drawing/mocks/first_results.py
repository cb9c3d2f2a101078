"""First results of a mock: what was answered before, or what lets loops end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from tracetwin.drawing.plans.plans import NONE, BoolPlan, FloatPlan, IntPlan, Plan, UnionPlan
from tracetwin.model import recipes
from tracetwin.model.recipe import Dictionary, Reference, Scalar, Series, walk
from tracetwin.model.recipes import Recipe

_EMPTY: Final[tuple[Any, ...]] = ("", b"", [], {}, set())


def as_before(plan: Plan, outcome: Recipe) -> Plan:
    """The plan whose first value is what another call returned, where that is a plain value."""
    return plan.starting_at(recipes.evaluate(outcome)) or plan if _is_plain(outcome) else plan


def ending(plan: Plan, outcome: Recipe | None) -> Plan:
    """The plan whose first value ends a loop that waits for another answer.

    None where it may be that, emptiness, the other truth value, zero; of zero, one.
    """
    last = recipes.evaluate(outcome) if outcome is not None and _is_plain(outcome) else None
    if isinstance(plan, UnionPlan):
        if NONE in plan.plans and last is not None:
            return replace(plan, default=plan.plans.index(NONE))
        parts = list(plan.plans)
        parts[plan.default] = ending(parts[plan.default], outcome)
        return replace(plan, plans=tuple(parts))
    if isinstance(plan, BoolPlan):
        return replace(plan, default=not last)
    if isinstance(plan, (IntPlan, FloatPlan)):
        return replace(plan, default=0 if last else 1)
    for value in _EMPTY:
        if (started := plan.starting_at(value)) is not None:
            return started
    return plan


def _is_plain(recipe: Recipe) -> bool:
    """True if a recipe describes a plain value, whose evaluation runs no code of others."""
    return all(isinstance(part, (Scalar, Reference, Dictionary, Series)) for part in walk(recipe))
