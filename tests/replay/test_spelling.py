"""Signatures of interfaces as another file can repeat them."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tracetwin.drawing.mocks.members import members_of
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import DescribedMember, DescribedParameter, Interface, Spelled
from tracetwin.model.recipe import MockMember, MockRecipe
from tracetwin.replay.observe.interfaces import Speller, described, look_ahead

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


def looked_at(cls: type, used: set[str]) -> Interface:
    return described(("spelled", cls.__qualname__), cls, used)


def parameters(member: DescribedMember) -> dict[str, DescribedParameter]:
    return {one.name: one for one in member.parameters}


def test_annotations_say_where_their_names_come_from(module: ModuleType) -> None:
    price = looked_at(module.Shop, set()).members["price"]
    assert price.returns == Spelled("D", (("D", "decimal", "Decimal"),))
    given = parameters(price)
    assert given["kind"].annotation == Spelled("Kind", (("Kind", "spelled", "Kind"),))
    at = given["at"].annotation
    assert at is not None
    assert at.names == (("Optional", "typing", "Optional"), ("datetime.date", "datetime", "date"))


def test_defaults_are_kept_by_name(module: ModuleType) -> None:
    given = parameters(looked_at(module.Shop, set()).members["price"])
    assert given["at"].default == Spelled("None")
    assert given["limit"].default == Spelled("LIMIT", (("LIMIT", "spelled", "LIMIT"),))


def test_aliases_literals_and_imports_for_type_checkers_are_understood(module: ModuleType) -> None:
    parts = looked_at(module.Shop, set()).members["parts"]
    given = parameters(parts)
    assert given["n"].annotation == Spelled("int", (("int", "builtins", "int"),))
    assert given["rest"].annotation == Spelled("Names", (("Names", "spelled", "Names"),))
    assert given["way"].annotation is not None
    assert given["way"].annotation.text == "Literal['a']"
    assert parts.returns is not None
    assert ("Fraction", "fractions", "Fraction") in parts.returns.names


def test_names_that_only_checkers_find_are_not_written(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "d", module.datetime, raising=False)
    speller = Speller(module.Shop)
    assert speller.annotation(ast.parse("d.date", mode="eval").body) is not None
    assert speller.annotation(ast.parse("d.OnlyForCheckers", mode="eval").body) is None
    monkeypatch.setitem(speller.source.checking_imports, "E", ("datetime", "OnlyForCheckers"))
    assert speller.annotation(ast.parse("list[E]", mode="eval").body) is None
    monkeypatch.setitem(speller.source.checking_imports, "E", ("datetime", "date"))
    assert speller.annotation(ast.parse("list[E]", mode="eval").body) is not None


def test_type_variables_mean_nothing_elsewhere(module: ModuleType) -> None:
    box = looked_at(module.Box, set()).members
    default = parameters(box["get"])["default"]
    assert (default.annotation, default.default) == (None, None)
    assert box["get"].returns is None
    assert box["label"].returns == Spelled("str", (("str", "builtins", "str"),))


def test_what_an_instance_needs_is_described_and_the_rest_when_it_is_used(module: ModuleType) -> None:
    shop = looked_at(module.Shop, set())
    assert list(shop.members) == ["price", "parts", "size"]
    assert shop.starts
    assert "greet" in looked_at(module.Shop, {"greet"}).members
    assert not looked_at(module.Box, set()).starts


def test_what_was_looked_at_ahead_is_described_alike(module: ModuleType) -> None:
    before = looked_at(module.Shop, {"greet"})
    bases = (("spelled", "Shop"), ("spelled", "Missing"))
    mock = MockRecipe(0, "class", "Shop", "shop", bases, members={"greet": MockMember("method")})
    look_ahead(Case("spelled", "f", "function", (Step(Act.CALL, "spelled", "f", (mock,)),)))
    assert members_of(module.Shop) is members_of(module.Shop)
    assert looked_at(module.Shop, {"greet"}) == before
