"""Objects of the module as arguments."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.drawing.plans.plans import UnionPlan
from tracetwin.model.recipe import Reference

MakeModule = Callable[..., ModuleType]


def test_a_sentinel_that_the_code_asks_for_is_passed(make_module: MakeModule) -> None:
    module = make_module("MISSING = object()\ndef f(x, n: int): return 0 if x is MISSING else x + n")
    (found,) = discover(module)
    plan = found.parameters[0].plan
    assert isinstance(plan, UnionPlan)
    made = build_arguments(PlainDraw({"x?": len(plan.plans) - 1}), found.parameters)
    assert made.args[0] is vars(module)["MISSING"]
    assert made.arg_recipes[0] == Reference(module.__name__, "MISSING")
