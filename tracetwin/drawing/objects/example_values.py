"""Adds to a plan what examples pass and it can't draw: such values are drawn as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from tracetwin.drawing.objects.encoding import retraced
from tracetwin.drawing.plans.draw import Draw, PlainDraw
from tracetwin.drawing.plans.plans import Built, FixedPlan, Plan, SetupFailed, one_of, told
from tracetwin.drawing.plans.reuse import hint_for
from tracetwin.model import recipes
from tracetwin.model.recipe import (
    Call,
    Dictionary,
    PreparedObject,
    PreparingCall,
    Reference,
    Scalar,
    Series,
    children,
    replace,
    walk,
)
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
    return with_values(plan, given)


def with_values(plan: Plan, given: Iterable[Recipe]) -> Plan:
    """The plan, behind it those values that it draws otherwise or not at all."""
    strange: list[Recipe] = []
    for recipe in given:
        if recipe not in strange and isinstance(recipe, _WHOLE) and not draws(plan, recipe):
            strange.append(recipe)
    return one_of([plan, *map(as_it_is, strange[:MOST_VALUES])])


def draws(plan: Plan, recipe: Recipe) -> bool:
    """True if some input makes a plan draw exactly what a recipe describes."""
    found = retraced(plan, recipe, "x")
    if found is None:
        return False
    if any(isinstance(part, Call) for part in walk(recipe)):  # comparing instances would take making them
        told = [part.value for part in walk(recipe) if isinstance(part, Scalar) and part.value]
        return all(value in found.values() for value in told)
    return plan.build(PlainDraw(found), "x")[1] == recipe


def as_it_is(recipe: Recipe) -> FixedPlan:
    """The plan of one value, made anew each time."""
    made = any(isinstance(part, (Call, PreparedObject)) for part in walk(recipe))
    label = repr(recipe.value) if isinstance(recipe, Scalar) else "a value of an example"
    return (ShownPlan if made else FixedPlan)(partial(recipes.evaluate, recipe), recipe, label[:MOST_SHOWN])


class ShownPlan(FixedPlan):
    """A value of an example with objects in it, which calls make; some have numbers of the example."""

    def build(self, draw: Draw, name: str) -> Built:
        recipe = replace(self.recipe, partial(_renumbered, draw, hint_for(name, object)))
        try:
            return recipes.evaluate(recipe), recipe
        except Exception as error:
            raise SetupFailed(f"an example raised {type(error).__name__}: {told(error)}") from error


def _renumbered(draw: Draw, hint: str, recipe: Recipe) -> Recipe:
    """The recipe, where it is of an object, as that of an object of the input."""
    if not isinstance(recipe, PreparedObject):
        return recipe
    change = partial(_renumbered, draw, hint)
    construction = replace(recipe.construction, change)
    calls = [
        PreparingCall(
            call.name,
            tuple(replace(part, change) for part in call.args),
            tuple((name, replace(part, change)) for name, part in call.kwargs),
        )
        for call in recipe.calls
    ]
    return PreparedObject(draw.pool.number(), hint, construction, calls)


_WHOLE: Final = (Scalar, Series, Dictionary, Reference, Call, PreparedObject)
