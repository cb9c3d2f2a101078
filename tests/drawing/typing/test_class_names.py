"""A parameter that has the name of a class, and of which only what the class has is asked, is one of them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover

MakeModule = Callable[..., ModuleType]

CLASSES = """
class Branch:
    def __init__(self, begin: int, depth: int): self.begin, self.depth = begin, depth
class TimeSpan:
    def __init__(self, begin: int, end: int): self.begin, self.end = begin, end
class Colour:
    def __init__(self, red: int): self.red = red
"""


def planned(module: ModuleType, name: str) -> str:
    (item,) = [found for found in discover(module) if found.qualname == name]
    plan = item.parameters[0].plan
    return "" if plan is None else plan.describe()


@pytest.mark.parametrize(
    ("source", "first"),
    [
        ("def f(time_span): return time_span.begin > 3", "TimeSpan"),
        ("def f(last_time_span2): return last_time_span2.begin > 3", "TimeSpan"),
        ("def f(branch): return branch.begin > 3", "Branch"),
        ("def f(other): return other.begin > 3", "Branch"),
        ("def f(time_spans):\n    return [one for one in time_spans if one.begin > 3]", "list[TimeSpan"),
        ("def f(branches):\n    return [one for one in branches if one.begin > 3]", "list[Branch"),
    ],
)
def test_the_class_of_that_name_comes_first(make_module: MakeModule, source: str, first: str) -> None:
    assert planned(make_module(CLASSES + source), "f").startswith(first)


@pytest.mark.parametrize(
    "source",
    [
        "def f(colour): return colour == 'red'",  # nothing is asked of it
        "def f(colour): return colour.upper()",  # which a colour has not
        "def f(colour: str): return colour.upper()",
    ],
)
def test_a_name_alone_says_nothing(make_module: MakeModule, source: str) -> None:
    assert "Colour" not in planned(make_module(CLASSES + source), "f")
