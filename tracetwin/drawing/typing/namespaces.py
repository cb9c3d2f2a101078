"""Namespaces, such as the options of a command line: with the attributes that the code asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeGuard

from tracetwin.analysis.scopes import Scope
from tracetwin.drawing.plans.plans import FixedPlan, Plan
from tracetwin.drawing.typing.guesses import DuckGuess, DuckPlan, Guess, plan_guess
from tracetwin.model.recipe import Call, Recipe

_NAMESPACES: Final = (("argparse", "Namespace"), ("types", "SimpleNamespace"))


def is_namespace(plan: Plan) -> TypeGuard[FixedPlan]:
    """Whether a plan makes an empty namespace."""
    return isinstance(plan, FixedPlan) and _place(plan.recipe) in _NAMESPACES


def _place(recipe: Recipe) -> tuple[str, str] | None:
    """What a recipe calls."""
    return (recipe.module, recipe.qualname) if isinstance(recipe, Call) else None


def namespace_plan(plan: FixedPlan, found: Sequence[Guess], resolver: Any, scope: Scope, depth: int) -> Plan:
    """The plan of a namespace with the attributes that a guess speaks of; the empty one without such a guess.

    Args:
        plan: that of an empty one.
        found: guesses for the parameter.
        resolver: plans annotations.
        scope: where they are read.
        depth: objects around it.
    """
    guess = next((item for item in found if isinstance(item, DuckGuess) and item.attributes), None)
    place = _place(plan.recipe)
    if guess is None or place is None:
        return plan
    made = plan_guess(DuckGuess(guess.attributes), resolver, scope, depth)
    module, qualname = place
    return replace(made, module=module, qualname=qualname) if isinstance(made, DuckPlan) else plan
