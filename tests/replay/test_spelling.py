"""Signatures of interfaces as another file can repeat them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tracetwin.drawing.mocks.members import members_of
from tracetwin.replay.observe.interfaces import described, look_ahead

SOURCE = """
from __future__ import annotations
import abc, datetime
import collections.abc as c
from decimal import Decimal as D
from typing import TYPE_CHECKING, Annotated, Generic, Literal, Optional, Protocol, TypeVar
if TYPE_CHECKING:
    from fractions import Fraction

T = TypeVar("T")
LIMIT = 3
Names = list[str]

class Kind: ...

class Shop(abc.ABC):
    def __init__(self, name): ...
    @abc.abstractmethod
    def price(self, kind: "Kind", *, at: Optional[datetime.date] = None, limit: int = LIMIT) -> D: ...
    @abc.abstractmethod
    def parts(
        self, /, n: Annotated[int, "few"], *rest: Names, way: Literal["a"] = "a"
    ) -> c.Iterator[Fraction]: ...
    @property
    @abc.abstractmethod
    def size(self) -> int: ...
    def greet(self): return "hi"

class Box(Protocol[T]):
    label: str
    def get(self, default: T) -> T: ...
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "spelled.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("spelled")
    del sys.modules["spelled"]


def parameters(member: dict[str, Any]) -> dict[str, Any]:
    return {name: (annotation, default) for name, _, annotation, default in member["parameters"]}


def test_annotations_say_where_their_names_come_from(module: ModuleType) -> None:
    price = described(module.Shop, set())["members"]["price"]
    assert price["returns"] == ("D", [("D", "decimal", "Decimal")])
    given = parameters(price)
    assert given.kind[0] == ("Kind", [("Kind", "spelled", "Kind")])
    assert given["at"][0][1] == [("Optional", "typing", "Optional"), ("datetime.date", "datetime", "date")]


def test_defaults_are_kept_by_name(module: ModuleType) -> None:
    given = parameters(described(module.Shop, set())["members"]["price"])
    assert given["at"][1] == ("None", [])
    assert given["limit"][1] == ("LIMIT", [("LIMIT", "spelled", "LIMIT")])


def test_aliases_literals_and_imports_for_type_checkers_are_understood(module: ModuleType) -> None:
    parts = described(module.Shop, set())["members"]["parts"]
    given = parameters(parts)
    assert given["n"][0] == ("int", [("int", "builtins", "int")])
    assert given["rest"][0] == ("Names", [("Names", "spelled", "Names")])
    assert given["way"][0][0] == "Literal['a']"
    assert ("Fraction", "fractions", "Fraction") in parts["returns"][1]


def test_type_variables_mean_nothing_elsewhere(module: ModuleType) -> None:
    box = described(module.Box, set())["members"]
    assert parameters(box["get"])["default"] == (None, None)
    assert box["get"]["returns"] is None
    assert box["label"]["returns"] == ("str", [("str", "builtins", "str")])


def test_what_an_instance_needs_is_described_and_the_rest_when_it_is_used(module: ModuleType) -> None:
    shop = described(module.Shop, set())
    assert list(shop["members"]) == ["price", "parts", "size"]
    assert shop["starts"]
    assert "greet" in described(module.Shop, {"greet"})["members"]
    assert not described(module.Box, set())["starts"]


def test_what_was_looked_at_ahead_is_described_alike(module: ModuleType) -> None:
    before = described(module.Shop, {"greet"})
    spec = {"number": 0, "name": "Shop", "bases": [("spelled", "Shop"), ("spelled", "Missing")]}
    recipe: Any = ("mock", spec, {"greet": {"value": None, "calls": []}})
    look_ahead({"steps": [{"args": [recipe], "kwargs": []}]})
    assert members_of(module.Shop) is members_of(module.Shop)
    assert described(module.Shop, {"greet"}) == before
