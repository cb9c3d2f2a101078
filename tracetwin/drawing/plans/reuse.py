"""Reuse of what exists as an argument: results of earlier calls, and one container under two names.

Objects of the module's classes are drawn by their plans (`prepared.py`), which offer all that exist. Here are
the others: tokens, iterators and numbers that a call returned and another wants back, and lists, dicts and
sets, of which two arguments of one type may be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tracetwin.drawing.plans.containers import DictPlan, ListPlan, SetPlan
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import Built, Plan
from tracetwin.model.flatten import variable_name
from tracetwin.model.recipe import CallResult, PreparedObject
from tracetwin.model.recipes import Recipe

_SCALARS = (int, str, bytes)


def earlier_result(draw: Draw, plan: Plan, name: str, *, annotated: bool) -> Built | None:
    """The result of an earlier call as an argument, when there is one that fits and the input says so.

    `annotated`: the parameter's type is known; else it takes any object. The choice is ``name@result``.
    """
    if draw.pool.nesting:
        return None

    def fits(value: Any) -> bool:
        anything = not annotated and type(value) not in _SCALARS and not plan.shares(value)
        return anything or plan.takes(value)

    known = draw.pool.results(fits)
    if not known:
        return None
    chosen = draw.choice(f"{name}@result", len(known) + 1)
    if not chosen:
        return None
    held = known[chosen - 1]
    return held.value, named(held.recipe, name, type(held.value))


def same_container(draw: Draw, plan: Plan, name: str, earlier: Sequence[tuple[Plan, Built]]) -> int | None:
    """The earlier argument that a list, dict or set is, when the input says that it is one of them."""
    sort = _sort_of(plan)
    if sort is None or draw.pool.nesting or draw.pool.closed:
        return None
    alike = [place for place, (other, _) in enumerate(earlier) if _sort_of(other) == sort]
    if not alike:
        return None
    chosen = draw.choice(f"{name}@", len(alike) + 1)
    return alike[chosen - 1] if chosen else None


def shared(draw: Draw, built: Built, name: str) -> Built:
    """A container that is used twice: its recipe stands for one object."""
    value, recipe = built
    if isinstance(recipe, PreparedObject):
        return built
    return value, PreparedObject(draw.pool.number(), hint_for(name, type(value)), recipe)


def _sort_of(plan: Plan) -> tuple[Any, ...] | None:
    """A key that the plans of two containers share when their values could be one."""
    if isinstance(plan, (ListPlan, SetPlan)):
        return (type(plan), plan.element)
    return (type(plan), plan.key, plan.value) if isinstance(plan, DictPlan) else None


def hint_for(name: str, cls: type) -> str:
    """A name for a variable: that of the parameter, else after the class."""
    last = name.rpartition(".")[2].partition("|")[0]
    return last if last.isidentifier() else variable_name(cls.__name__)


def named(recipe: Recipe, name: str, cls: type) -> Recipe:
    """The recipe with a hint for the variable that a result gets."""
    return replace(recipe, hint=hint_for(name, cls)) if isinstance(recipe, CallResult) else recipe
