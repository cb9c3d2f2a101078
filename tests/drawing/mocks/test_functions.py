"""Functions as arguments: as many kinds of them as the code tells apart."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import UnionPlan

MakeModule = Callable[..., ModuleType]

COUNTING = """
    from inspect import getfullargspec

    def register(hook, name: str):
        return len(getfullargspec(hook).args) == 2
"""

AWAITING = """
    import asyncio
    import typing

    def send(receiver: typing.Callable[..., typing.Any]):
        return asyncio.iscoroutinefunction(receiver)
"""


def functions(module: ModuleType, name: str) -> list[object]:
    """The functions that may be drawn as first argument."""
    planner = Planner(module)
    parameters = planner.parameters(
        vars(module)[name], qualname=name, scope=planner.scope(), skip_first=False
    )
    plan = parameters[0].plan
    assert plan is not None
    parts = plan.plans if isinstance(plan, UnionPlan) else [plan]
    drawn = [part.build(PlainDraw({}), "hook")[0] for part in parts]
    return [value for value in drawn if inspect.isroutine(value)]


def test_code_that_counts_parameters_gets_functions_of_several(make_module: MakeModule) -> None:
    drawn = functions(make_module(COUNTING), "register")
    counts = [len(inspect.getfullargspec(function).args) for function in drawn]
    assert {0, 1, 2, 3} <= set(counts)


def test_code_that_asks_for_coroutine_functions_gets_both_kinds(make_module: MakeModule) -> None:
    drawn = functions(make_module(AWAITING), "send")
    assert {False, True} == set(map(inspect.iscoroutinefunction, drawn))


def test_other_code_gets_one_kind(make_module: MakeModule) -> None:
    plain = AWAITING.replace("asyncio.iscoroutinefunction(receiver)", "receiver(1)")
    assert 1 == len(functions(make_module(plain), "send"))
