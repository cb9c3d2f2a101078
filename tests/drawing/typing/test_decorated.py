"""Guesses for functions that hand on what they get: of decorators, and those that call others in turn."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import ModuleType

from tracetwin.drawing.discovery.planner import Planner

MakeModule = Callable[..., ModuleType]

DECORATORS = """
    def walked(kind):
        def wrap(function):
            def inner({names}):
                for part in {first}.parts():
                    inner(part)
                function({names})
            return inner
        return wrap
"""

TARGET = """
    from PACKAGE.decorators import walked
    class Tree:
        def __init__(self, size: int) -> None: self.size = size
        def parts(self): return []
        def grow(self, by): self.size += by
    @walked(int)
    def f(tree, by):
        if tree.size < 9:
            tree.grow(by)
        return by * 2
"""


_numbers = itertools.count()


def _guessed(make_module: MakeModule, names: str) -> dict[str, list[str]]:
    package = f"wrapping{next(_numbers)}"
    make_module("", name=f"{package}.__init__")
    decorators = DECORATORS.format(names=names, first=names.partition(",")[0])
    make_module(decorators, name=f"{package}.decorators")
    module = make_module(TARGET.replace("PACKAGE", package), name=f"{package}.target")
    found = Planner(module).usage.guesses("f", module.f)
    return {name: list(map(str, guesses)) for name, guesses in found.items()}


def test_a_decorated_function_gets_what_its_definition_uses(make_module: MakeModule) -> None:
    found = _guessed(make_module, "tree, by")
    assert "Tree" == found["tree"][0]
    assert "int" == found["by"][0]


def test_parameters_of_other_names_are_handed_on_by_their_places(make_module: MakeModule) -> None:
    found = _guessed(make_module, "node, number")
    assert "Tree" == found["node"][0]
    assert "int" == found["number"][0]


def test_a_wrapper_that_takes_something_else_keeps_its_own(make_module: MakeModule) -> None:
    assert "tree" not in _guessed(make_module, "node, *rest")


def test_functions_that_are_called_in_turn_tell_of_what_they_get(make_module: MakeModule) -> None:
    source = """
    def strip(text): return text.strip()
    def upper(text): return text.upper()
    STEPS = [strip, upper]
    def f(value):
        for step in [strip, upper]:
            value = step(value)
        return value
    def g(value):
        for step in STEPS:
            step(value)
    """
    module = make_module(source)
    usage = Planner(module).usage
    for name in ("f", "g"):
        assert ["str"] == list(map(str, usage.guesses(name, getattr(module, name))["value"]))[:1]
