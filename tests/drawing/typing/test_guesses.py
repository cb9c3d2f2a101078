"""Guesses as values, and their plans."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tracetwin.drawing.discovery.planner import Planner

MakeModule = Callable[..., ModuleType]


def test_a_name_that_is_called_and_mentioned_is_one_attribute(make_module: MakeModule) -> None:
    module = make_module("def f(p): return p.random() if p.random else p.seed")
    planner = Planner(module)
    (parameter,) = planner.parameters(module.f, qualname="f", scope=planner.scope(), skip_first=False)
    assert parameter.plan is not None
    assert sorted(parameter.plan.members) == ["random", "seed"]  # type: ignore[attr-defined]
    assert parameter.plan.members["random"].is_called  # type: ignore[attr-defined]
