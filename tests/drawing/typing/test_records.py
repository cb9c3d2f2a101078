"""Dicts with the keys that the code asks for, where annotations say no more than that, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.objects.construct import ConstructPlan
from tracetwin.drawing.plans.plans import UnionPlan

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


SPELLED = """
KEY = "limit"
FIELDS = ("width", "height")

def by_constant(data: dict[str, Any]) -> int: return data[KEY] + 1

def by_loop(data: dict[str, Any]) -> float:
    return sum(data[name] for name in FIELDS)

def asked(data: dict[str, Any]) -> int:
    for name in ["exp", "iat"]:
        if isinstance(data.get(name), bytes):
            return 1
    return 0

def long(data: dict[str, Any]) -> int:
    return sum(data[name] for name in ("a", "b", "c", "d", "e", "f", "g", "h", "i"))

def letters(data: dict[str, Any]) -> int:
    return sum(data[letter] for letter in "xyz")

def mixed(data: dict[str, Any]) -> int:
    return sum(data[name] for name in ("a", KEY))

def later(data: dict[str, Any], names: list[str]) -> int:
    for name in FIELDS:
        print(name)
    name = names[0]
    KEY = names[1]
    return data[name] + data[KEY]
"""


@pytest.mark.parametrize(
    ("name", "keys"),
    [("by_constant", "'limit'"), ("by_loop", "'width', 'height'"), ("asked", "'exp', 'iat'"), ("long", ""),
     ("letters", ""), ("mixed", ""), ("later", "")],
)
def test_keys_that_constants_and_loops_spell_out_are_asked_for(
    make_module: MakeModule, name: str, keys: str
) -> None:
    described = plan_of(make_module(HEAD + SPELLED), name)
    assert described.startswith(f"dict with {keys} | dict[" if keys else "dict[")


HELD = """
class Node:
    def __init__(self, tag, value, mark=None):
        self.tag = tag
        self.value, self.mark = value, mark
        self.content = value

class Leaf(Node):
    pass

class Typed:
    def __init__(self, content: int):
        self.content = content

def pairs(node):
    if isinstance(node, Node):
        return {key: value for key, value in node.content}

def letters(node: Leaf):
    return node.tag.upper()

def digits(node: Typed):
    return node.content.strip()
"""


@pytest.mark.parametrize(
    ("name", "parameter", "described"),
    [("pairs", "value", "list[tuple["), ("letters", "tag", "str"), ("digits", "content", "int")],
)
def test_what_is_done_with_an_attribute_tells_of_the_parameter_that_it_holds(
    make_module: MakeModule, name: str, parameter: str, described: str
) -> None:
    (item,) = [found for found in discover(make_module(HEAD + HELD)) if found.qualname == name]
    plan = item.parameters[0].plan
    plans = plan.plans if isinstance(plan, UnionPlan) else (plan,)
    made = [one for one in plans if isinstance(one, ConstructPlan)]
    (drawn,) = [one.plan for one in made[0].parameters if one.name == parameter]
    assert drawn is not None
    assert drawn.describe().startswith(described)


UNKNOWN = "int | float | str | None | list[int]"
GIVEN_BACK = """
class Reader:
    def text_of(self, node):
        if not isinstance(node, Node):
            raise ValueError(node)
        {returns}

    def number(self, node):
        return int(self.text_of(node).replace("_", ""))

class Node:
    def __init__(self, value, mark=None):
        self.value = value
        self.mark = mark
"""


@pytest.mark.parametrize(
    ("returns", "described"),
    [
        ("return node.value", "str"),
        ("return node.value if node.mark else str(node)", UNKNOWN),
        ("def inner(): return node.value\n        register(inner)", UNKNOWN),
    ],
)
def test_what_is_done_with_the_part_that_a_call_gives_back_tells_of_it(
    make_module: MakeModule, returns: str, described: str
) -> None:
    module = make_module(GIVEN_BACK.format(returns=returns))
    (item,) = [found for found in discover(module) if found.qualname == "Reader.number"]
    plan = item.parameters[-1].plan
    plans = plan.plans if isinstance(plan, UnionPlan) else (plan,)
    made = [one for one in plans if isinstance(one, ConstructPlan)]
    (drawn,) = [one.plan for one in made[0].parameters if one.name == "value"]
    assert drawn is not None
    assert drawn.describe() == described
