"""Functions and constructors that hand on what they get take what those take who get it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.parameters import Parameter

MakeModule = Callable[..., ModuleType]

BASE = """
class Base:
    def __init__(self, labels: "list[str]", size: int = 3): self.labels = labels
    def cut(self, at: int, *, twice: bool = False): return at
def joined(text: str, by: str, limit: int = 2): return text
"""


def parameters(module: ModuleType, name: str) -> tuple[Parameter, ...]:
    (item,) = [found for found in discover(module) if found.qualname == name]
    return item.parameters


def kinds(module: ModuleType, name: str) -> dict[str, str]:
    return {item.name: item.kind for item in parameters(module, name)}


@pytest.mark.parametrize(
    ("source", "name", "expected"),
    [
        (
            "class Made(Base):\n    def __init__(self, *args, **kwargs): super().__init__(*args, **kwargs)",
            "Made",
            {"labels": "positional or keyword", "size": "positional or keyword"},
        ),
        (
            "class Made(Base):\n    def __init__(self, name: str, **rest): super().__init__(**rest)",
            "Made",
            {"name": "positional or keyword", "labels": "keyword only", "size": "keyword only"},
        ),
        (
            "class Made(Base):\n    def __init__(self, size=1, **rest): super().__init__(**rest)",
            "Made",
            {"size": "positional or keyword", "labels": "keyword only"},
        ),
        (
            "class Made(Base):\n    def __init__(self, *args): Base.__init__(self, [], *args)",
            "Made",
            {"size": "positional only"},
        ),
        (
            "class Made(Base):\n    def cut(self, *args, **kwargs): return super().cut(*args, **kwargs)",
            "Made.cut",
            {"at": "positional or keyword", "twice": "keyword only"},
        ),
        (
            "def shown(*args, **kwargs):\n    print(args[0])\n    return joined('a', *args, **kwargs)",
            "shown",
            {"by": "positional or keyword", "limit": "positional or keyword"},
        ),
        (
            "def made(*args): return Base(*args)",
            "made",
            {"labels": "positional only", "size": "positional only"},
        ),
        (
            "def f(a=1, *args, **kwargs): return joined(*args, **kwargs)",
            "f",
            {
                "a": "positional or keyword",
                "text": "keyword only",
                "by": "keyword only",
                "limit": "keyword only",
            },
        ),
    ],
)
def test_the_rest_is_planned_as_what_gets_it(
    make_module: MakeModule, source: str, name: str, expected: dict[str, str]
) -> None:
    assert kinds(make_module(BASE + source), name) == expected


@pytest.mark.parametrize(
    "body",
    [
        "kwargs.pop('text', 0)\n    return joined(*args, **kwargs)",
        "args = args[1:]\n    return joined(*args, **kwargs)",
        "return joined(*args, **kwargs) if args else Base(*args, **kwargs)",
        "return f(*args, **kwargs)",
        "return unknown(*args, **kwargs)",
    ],
)
def test_what_is_not_handed_on_as_it_is_stays_open(make_module: MakeModule, body: str) -> None:
    module = make_module(BASE + f"def f(*args, **kwargs):\n    {body}")
    assert list(kinds(module, "f")) == ["args", "kwargs"]


def test_what_new_takes_by_keyword_only_is_passed_so(make_module: MakeModule) -> None:
    module = make_module("""
        class Version:
            def __new__(cls, release=None, **rest): return super().__new__(cls)
            def __init__(self, release=None, path: str = "", commit: str = ""): self.path = path
    """)
    assert kinds(module, "Version") == {
        "release": "positional or keyword", "path": "keyword only", "commit": "keyword only"
    }  # fmt: skip


def test_what_new_makes_nothing_without_is_always_passed(make_module: MakeModule) -> None:
    module = make_module("""
        class Field:
            def __new__(cls, *args, **rest):
                if "form" in rest:
                    return super().__new__(cls)
                return Unbound(cls)
            def __init__(self, label: str = "", form=None): self.form = form
        class Unbound:
            def __init__(self, kind): self.kind = kind
    """)
    found = {item.name: item.has_default for item in parameters(module, "Field")}
    assert found == {"label": True, "form": False}


def test_arguments_for_the_names_that_a_class_lists_are_one_for_each(make_module: MakeModule) -> None:
    module = make_module("""
        class Node:
            _fields = ()
            def __init__(self, *args, **more):
                if len(args) != len(self._fields):
                    raise ValueError("not as many")
                for name, value in zip(self._fields, args): setattr(self, name, value)
        class Pair(Node):
            _fields = ("left", "right")
            def __init__(self, *args): super().__init__(*args)
            def shown(self): return self.left.upper() + self.right.strip()
        class Other(Node):
            listed = ("left",)
    """)
    assert kinds(module, "Pair") == {"left": "positional only", "right": "positional only"}
    plans = [item.plan.describe() for item in parameters(module, "Pair") if item.plan is not None]
    assert plans == ["str", "str"]
    assert kinds(module, "Node") == {"args": "*", "more": "**"}


DECORATED = """
def frozen(cls):
    def around(function):
        def call(*args, **kwargs):
            print(args[0])
            function(*args, **kwargs)
        return call
    class made(cls):
        @around
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
    made.__name__, made.__qualname__, made.__module__ = cls.__name__, cls.__qualname__, cls.__module__
    return made

@frozen
class Name:
    def __init__(self, labels: "list[str]"): self.labels = labels
    def is_long(self): return len(self.labels) > 3
"""


def test_a_class_that_a_decorator_derives_from_has_the_parameters_and_methods_of_its_text(
    make_module: MakeModule,
) -> None:
    module = make_module(DECORATED)
    assert kinds(module, "Name") == {"labels": "positional or keyword"}
    assert "Name.is_long" in [item.qualname for item in discover(module)]
