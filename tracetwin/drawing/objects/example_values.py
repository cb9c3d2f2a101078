"""Adds to a plan what examples pass and it can't draw: such values are drawn as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from tracetwin.drawing.objects.encoding import retraced
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import FixedPlan, Plan, one_of
from tracetwin.model import recipes
from tracetwin.model.recipe import Call, Dictionary, Reference, Scalar, Series, children, walk
from tracetwin.model.recipes import Recipe

MOST_VALUES: Final = 3
"""Values of one parameter that are drawn as they are."""

MOST_SHOWN: Final = 60


def with_examples(
    plan: Plan, name: str, calls: Iterable[Mapping[str, Recipe]], *, is_part: bool = False
) -> Plan:
    """The plan, behind it those values in calls that it draws otherwise or not at all.

    `is_part`: it is the plan of one value of ``*name``.
    """
    if is_part:
        given = [part for call in calls if f"*{name}" in call for part in children(call[f"*{name}"])]
    else:
        given = [call[name] for call in calls if name in call]
    strange: list[Recipe] = []
    for recipe in given:
        if recipe not in strange and isinstance(recipe, _WHOLE) and not draws(plan, recipe):
            strange.append(recipe)
    return one_of([plan, *map(as_it_is, strange[:MOST_VALUES])])


def draws(plan: Plan, recipe: Recipe) -> bool:
    """True if some input makes a plan draw exactly what a recipe describes."""
    found = retraced(plan, recipe, "x")
    if found is None or any(isinstance(part, Call) for part in walk(recipe)):
        return found is not None  # whether instances are the same would take making them
    return plan.build(PlainDraw(found), "x")[1] == recipe


def as_it_is(recipe: Recipe) -> FixedPlan:
    """The plan of one value, made anew each time."""
    label = repr(recipe.value) if isinstance(recipe, Scalar) else "a value of an example"
    return FixedPlan(partial(recipes.evaluate, recipe), recipe, label[:MOST_SHOWN])


_WHOLE: Final = (Scalar, Series, Dictionary, Reference, Call)
