"""Dicts with the keys that the code asks for, where annotations say no more than that, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.discovery.planner import Planner

MakeModule = Callable[..., ModuleType]

HEAD = """
from __future__ import annotations
from collections.abc import Mapping
from typing import Any
"""


def plan_of(module: ModuleType, name: str) -> str:
    (item,) = [found for found in discover(module) if found.qualname == name]
    plan = item.parameters[0].plan
    assert plan is not None
    return plan.describe()


@pytest.mark.parametrize("annotation", ["Mapping[str, Any]", "dict[str, Any]", "Mapping[str, Any] | None"])
def test_a_dict_of_anything_has_the_keys_that_are_asked_for_first(
    make_module: MakeModule, annotation: str
) -> None:
    body = "return data['key'] + data['title'].strip()"
    module = make_module(f"{HEAD}\ndef f(data: {annotation}) -> str: {body}")
    assert plan_of(module, "f").startswith("dict with 'key', 'title' | dict[")


def test_a_dict_of_known_values_stays_what_its_annotation_says(make_module: MakeModule) -> None:
    module = make_module(f"{HEAD}\ndef f(data: dict[str, float]) -> float: return data['key'] + 1")
    assert plan_of(module, "f") == "dict[str, float]"


def test_a_value_that_may_be_anything_may_be_what_other_functions_look_into(make_module: MakeModule) -> None:
    module = make_module(
        f"""{HEAD}
def ask() -> Any: ...

def issue(data: Mapping[str, Any]) -> str: return data["key"].strip()

def issues() -> list[str]:
    page = ask()
    return [issue(entry) for entry in page["items"]][:page["pages"]]
"""
    )
    anything = Planner(module).resolver.anything(1)
    assert "int | dict with 'pages', 'items' | str | " in anything.describe()
