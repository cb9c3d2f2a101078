"""What loops go through tells of what is in it, whatever name it was given before."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover


def described(make_module: Callable[..., ModuleType], source: str) -> str:
    (found,) = discover(make_module(source))
    plan = found.parameters[0].plan
    return "" if plan is None else plan.describe()


def gone_through(setting: str, use: str) -> str:
    """A function that gives `items` a value, and uses the values that it goes through then."""
    return f"def f(data):\n    {setting}\n    for key, value in items:\n        {use}\n"


@pytest.mark.parametrize(
    "setting",
    [
        "items = data.items()",
        "items = sorted(data.items())",
        "items = [(key, one) for key, one in data.items()]",
        "items = ((str(key), one) for key, one in data.items())",
        "if type(data) is dict:\n        items = data.items()\n    else:\n        items = enumerate(data)",
    ],
)
def test_a_name_for_what_is_gone_through_stands_for_it(
    make_module: Callable[..., ModuleType], setting: str
) -> None:
    source = gone_through(setting, "f(value) if isinstance(value, dict) else None")
    assert "dict[str, int]" in described(make_module, source)[len("dict[") :]


@pytest.mark.parametrize("again", ["items = other", "for items in other: pass"])
def test_a_name_that_is_given_something_else_stands_for_that(
    make_module: Callable[..., ModuleType], again: str
) -> None:
    source = f"""
def f(data, other):
    items = data.items()
    {again}
    for key, value in items:
        if isinstance(value, dict):
            f(value, other)
"""
    assert "dict" not in described(make_module, source)[len("dict[str, int]") :]


@pytest.mark.parametrize(
    "setting",
    [
        "items = data.items()\n    items = sorted(items)",
        "items = list(data.items())\n    items = list(items)\n    items = [one for one in items]",
        "first = data.items()\n    items = list(first)\n    first = list(items)\n    items = list(first)",
    ],
)
def test_names_that_stand_for_each_other_have_an_end(
    make_module: Callable[..., ModuleType], setting: str
) -> None:
    source = gone_through(setting, "print(value.upper())")
    assert described(make_module, source).startswith("dict[")


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        ("datetime.datetime.strptime(text, '%Y').date()", "date"),
        ("datetime.datetime.now().replace(second=0)", "datetime"),
        ("datetime.date.today()", "date"),
        ("datetime.date.fromisoformat(text)", "date"),
        ("datetime.datetime.now().astimezone()", "datetime"),
        ("str(text)", "str"),
    ],
)
def test_what_is_compared_with_what_the_clock_gives_is_of_its_type(
    make_module: Callable[..., ModuleType], made: str, kind: str
) -> None:
    source = f"""
import datetime
import time
def f(since, text):
    when = {made}
    return when < since
"""
    assert kind == described(make_module, source).partition(" ")[0]


@pytest.mark.parametrize("around", ["data", "sorted(data)", "list(data)"])
def test_what_is_indexed_by_the_variable_of_its_loop_is_a_dict(
    make_module: Callable[..., ModuleType], around: str
) -> None:
    loop = f"def f(data):\n    for key in {around}:\n        if data[key] > 3:\n            return key\n"
    assert described(make_module, loop).startswith("dict[")
    comprehension = f"def f(data):\n    return [data[key] + 3 for key in {around}]\n"
    assert described(make_module, comprehension).startswith("dict[")


def test_what_is_indexed_by_places_is_no_dict(make_module: Callable[..., ModuleType]) -> None:
    loop = "    for place in range(len(data)):\n        if data[place] > 3:\n            return place\n"
    source = f"def f(data):\n{loop}"
    assert described(make_module, source).startswith("list[")
