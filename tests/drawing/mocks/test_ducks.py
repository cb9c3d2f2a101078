"""Mocks of what has no class."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.mocks.build import build
from tracetwin.drawing.mocks.ducks import duck_plan
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import IntPlan, StrPlan
from tracetwin.model.recipes import NamedValues, Recipe, evaluate
from tracetwin.model.settled_mocks import Settling

MakeModule = Callable[..., ModuleType]


Made = tuple[Any, Callable[[], Any]]


def built(recipe: Recipe) -> Any:
    return evaluate(recipe, NamedValues(build))


def made(module: ModuleType, attributes: Any, methods: Any, **assignment: Any) -> Made:
    planner = Planner(module)
    draw = PlainDraw(assignment)
    plan = duck_plan(attributes, methods, planner.scope(), planner.resolver)
    value, recipe = plan.build(draw, "x")
    return value, lambda: built(Settling(draw.pool.mocks).recipe(recipe))


def test_attributes_and_methods_answer(make_module: MakeModule):
    module = make_module("def f(x): return x.size + x.get(1)")
    duck, again = made(module, [("size", IntPlan())], [("get", IntPlan())], **{"x.size": 3, "x.get()": 4})
    assert [7, 7] == [module.f(duck), module.f(again())]


def test_the_module_is_asked_what_a_method_gives(make_module: MakeModule):
    module = make_module("""
        def f(x):
            x.start()
            return x.name().upper()
    """)
    duck, again = made(module, [], [("name", None), ("start", None)], **{"x.name()": "a"})
    assert ["A", "A"] == [module.f(duck), module.f(again())]
    assert None is duck.start()


def test_awaited_methods_are_coroutines(make_module: MakeModule):
    module = make_module("""
        async def f(x):
            async with x:
                return [await x.get(), *[item async for item in x.items()]]
    """)
    methods = [("get", IntPlan()), ("items", None), ("__aenter__", None)]
    duck, again = made(module, [], methods, **{"x.get()": 2})
    assert 2 == asyncio.run(module.f(duck))[0]
    assert asyncio.run(module.f(duck)) == asyncio.run(module.f(again()))


def test_what_is_entered_gives_a_context_manager(make_module: MakeModule):
    module = make_module("""
        def f(x):
            with x as y, y.open() as name:
                return name
    """)
    duck, again = made(module, [], [("__enter__", None), ("open", StrPlan())], **{"x.open()()": "n"})
    assert ["n", "n"] == [module.f(duck), module.f(again())]
