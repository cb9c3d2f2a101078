"""What every adapter has to keep; an adapter's own tests call `conforms` with classes that it owns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tracetwin.drawing.adapters.interface import Adapter
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import FixedPlan, IntPlan, Plan
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable


def conforms(adapter: Adapter, things: Iterable[Any], refused: Iterable[Any] = ()) -> None:
    """Check an adapter.

    Args:
        adapter: what is checked.
        things: classes, or functions in their place, that it owns.
        refused: those of them that it says to have no values of.
    """
    assert adapter.name
    assert not adapter.owns(object)
    assert not adapter.owns(type("Plain", (), {}))
    refusals = list(refused)
    for thing in things:
        assert adapter.owns(thing), thing
        try:
            plan = adapter.plan(thing)
        except Unbuildable:
            assert thing in refusals, thing
            continue
        assert thing not in refusals, thing
        if plan is not None:
            rebuilds(plan)
        elif isinstance(thing, type):
            restores(adapter, thing)


def rebuilds(plan: Plan) -> None:
    """The value that is drawn first, and the one that its recipe makes, are of one class and one text."""
    drawn, recipe = plan.build(PlainDraw({}), "x")
    again = recipes.evaluate(recipe)
    assert type(again) is type(drawn), plan.describe()
    assert plan.describe()
    if not isinstance(plan, FixedPlan) and " at 0x" not in repr(drawn):
        assert repr(again) == repr(drawn)


def restores(adapter: Adapter, cls: type) -> None:
    """Fields that are restored come from parameters that the constructor has."""
    parameters = adapter.parameters(cls, _any_plan)
    names = None if parameters is None else {item.name for item in parameters}
    for field, parameter in adapter.restored(cls).items():
        assert isinstance(field, str)
        assert names is None or parameter in names


def _any_plan(_annotation: Any) -> Plan:
    return IntPlan()
