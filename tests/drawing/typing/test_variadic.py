"""What is passed as ``*args`` and ``**kwargs`` at first."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from runtime import trace
from runtime.inputs import Inputs
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments

MakeModule = Callable[..., ModuleType]


@pytest.mark.parametrize(
    ("source", "count", "names"),
    [
        ("def f(*rest): return sum(rest)", 2, []),
        ("def f(*rest):\n  for one in rest: print(one)", 2, []),
        ("def f(*rest: int) -> int: return rest[0]", 2, []),
        ("def f(function, *rest): return function(*rest)", 1, []),
        ("def f(**more): return {key: value for key, value in more.items()}", 0, ["name", "value"]),
        ("def f(**more): return more.get('size', 3)", 0, []),
        ("def f(function, **more): return function(**more)", 1, []),
    ],
)
def test_where_the_code_goes_over_them_two_are_passed(
    source: str, count: int, names: list[str], make_module: MakeModule
) -> None:
    (found,) = discover(make_module(source))
    given = build_arguments(PlainDraw(), found.parameters)
    assert (count, names) == (len(given.args), [*given.kwargs])


@pytest.mark.parametrize(
    "loop",
    ["for key in more:", "for key in more.keys():", "for key, value in more.items():"],
)
def test_keys_are_passed_that_the_code_looks_for_as_it_goes_over_them(
    loop: str, make_module: MakeModule
) -> None:
    body = "if key == 'size' or key not in KNOWN or key in ('no key', 'shape'): return more[key]"
    module = make_module(f"KNOWN = {{'color': 1}}\ndef f(**more):\n  {loop}\n    {body}\n")
    (found,) = discover(module)
    assert found.parameters[0].keywords[:3] == ("size", "color", "shape")


def test_two_of_them_read_better_than_none(make_module: MakeModule) -> None:
    (found,) = discover(make_module("def f(*rest, **more): return [sum(rest), *more.items()]"))
    trace.start()
    inputs = Inputs({"rest#": 3})
    given: Any = build_arguments(inputs, found.parameters)
    assert len(given.args) == 3
    assert inputs.homes == {"rest#": 2, "more.name?in": 1, "more.value?in": 1}


NAMED = """
    SIDES = {'left': 1, 'right': 2}

    class Table:
        NAMES = ("colour", "not a name")

        def __init__(self):
            self._options = ["title", "header", "rows"]
            self._rows = []

        @property
        def title(self) -> str: return ""

        @property
        def header(self) -> bool: return True

        def shown(self, **given):
            return self._chosen(given)

        def framed(self, **given):
            return [given[side] for side in SIDES if side in given], self._again(more=1, **given)

        def _again(self, more, **rest):
            for name in self.NAMES:
                print(rest.get(name))

        def _chosen(self, options):
            found = {}
            for option in self._options:
                if option in options:
                    found[option] = options[option]
                else:
                    found[option] = getattr(self, option)
            for other in range(3):
                print(options, other)
            return found
"""


def test_keys_are_passed_that_stand_in_a_list(make_module: MakeModule) -> None:
    found = {item.name: item.parameters for item in discover(make_module(NAMED))}
    (shown,), (framed,) = found["shown"], found["framed"]
    assert shown.keywords[:3] == ("title", "header", "rows")
    assert [plan.describe() for plan in shown.of_keywords[:2]] == ["str", "bool"]
    assert set(framed.keywords) >= {"left", "right", "colour"}
    assert "not a name" not in framed.keywords
