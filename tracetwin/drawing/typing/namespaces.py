"""Namespaces, such as the options of a command line: with the attributes that the code asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeGuard

from tracetwin.analysis.scopes import Scope
from tracetwin.drawing.plans.plans import FixedPlan, Plan
from tracetwin.drawing.typing.guesses import DuckGuess, DuckPlan, Guess, plan_guess

_NAMESPACES: Final = (("argparse", "Namespace"), ("types", "SimpleNamespace"))


def is_namespace(plan: Plan) -> TypeGuard[FixedPlan]:
    """True if a plan makes an empty namespace."""
    return isinstance(plan, FixedPlan) and plan.recipe[0] == "call" and plan.recipe[1:3] in _NAMESPACES


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
    if guess is None:
        return plan
    made = plan_guess(DuckGuess(guess.attributes), resolver, scope, depth)
    module, qualname = plan.recipe[1:3]
    return replace(made, module=module, qualname=qualname) if isinstance(made, DuckPlan) else plan
