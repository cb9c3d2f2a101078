"""Types as values: for code that looks into types, and for no other."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.plans import MemberPlan
from tracetwin.drawing.plans.type_forms import type_forms
from tracetwin.emit.source.literals import Writer
from tracetwin.model import recipes

MakeModule = Callable[..., ModuleType]

LOOKING = """
from typing import Any, Literal, Optional, Type, TypeVar, Union, get_args, get_origin
T = TypeVar("T")
def is_optional(kind: Type) -> bool: return get_origin(kind) is Union and type(None) in get_args(kind)
def is_literal(kind: type) -> bool: return get_origin(kind) is Literal
def inner(kind: Type[Optional[T]]) -> Any: return get_args(kind)[0]
"""


def texts(module: ModuleType) -> list[str]:
    writer = Writer(lambda home, name: name, str, lambda parameters, result: "")
    return [writer.recipe(recipe).flat() for _, recipe in type_forms(module)]


def test_code_that_looks_into_types_gets_those_that_it_speaks_of(make_module: MakeModule) -> None:
    module = make_module(LOOKING)
    found = texts(module)
    assert {"Optional[int]", "Union[int, str]", 'Literal["a"]', "List[int]"} <= {*found}
    assert not any("NewType" in text or "make_dataclass" in text for text in found)
    for name in ("is_optional", "is_literal", "inner"):
        (item,) = [one for one in discover(module) if one.qualname == name]
        plan = item.parameters[0].plan
        assert isinstance(plan, MemberPlan)
        assert plan.values[1:3] == (int, str)
        assert list(map(repr, map(recipes.evaluate, plan.recipes))) == list(map(repr, plan.values))


def test_what_a_module_imports_from_its_package_counts(make_module: MakeModule) -> None:
    home = make_module(LOOKING, "kinds.looking")
    module = make_module(f"from {home.__name__} import is_optional", "kinds.other")
    assert "Optional[int]" in texts(module)


@pytest.mark.parametrize(
    "source", ["from typing import Type\ndef f(kind: Type): return issubclass(kind, int)", "import typing"]
)
def test_other_code_gets_plain_classes(source: str, make_module: MakeModule) -> None:
    assert type_forms(make_module(source)) == []


def test_what_has_the_attributes_of_a_type_is_one(make_module: MakeModule) -> None:
    module = make_module("def f(kind): return len(kind.__args__) if kind.__origin__ is dict else 0")
    (item,) = discover(module)
    plan = item.parameters[0].plan
    assert plan is not None
    assert plan.describe().startswith("type[int]")


@pytest.mark.parametrize("start", ["from dataclasses import fields\n", "import dataclasses\n"])
def test_code_that_asks_for_the_fields_of_data_classes_gets_some(start: str, make_module: MakeModule) -> None:
    asked = "fields(kind)" if "from" in start else "dataclasses.fields(kind)"
    body = f"    def f(self, kind): return [one for one in {asked} if one.default is None]\n"
    found = texts(make_module(f"{start}class Names:\n{body}"))
    assert sum(text.startswith("make_dataclass(") for text in found) == 3
    assert texts(make_module("def fields(kind): return []\ndef f(kind): return fields(kind)")) == []
