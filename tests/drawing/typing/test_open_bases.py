"""Bases that leave to derived classes what their methods ask for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tracetwin.drawing.plans.special_forms import subclasses
from tracetwin.drawing.typing.open_bases import leaves_members_open

SOURCE = """\
from dataclasses import dataclass

class OfClass:
    def size_of(self):
        return type(self).size

class OfClassHeir(OfClass):
    size = 3

class BySpecialName:
    def size_of(self):
        return self.__class__.size

class BySpecialNameHeir(BySpecialName):
    size = 3

class Announced:
    directed: bool
    def words(self):
        return "->" if self.directed else "--"

class AnnouncedHeir(Announced):
    directed = True

class Kept:
    directed: bool
    def __init__(self, directed):
        self.directed = directed
    def words(self):
        return "->" if self.directed else "--"

class KeptHeir(Kept):
    directed = True

@dataclass
class Made:
    directed: bool
    def words(self):
        return "->" if self.directed else "--"

@dataclass
class MadeHeir(Made):
    directed: bool = True
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder: Path = tmp_path_factory.mktemp("bases")
    (folder / "open_bases_sample.py").write_text(SOURCE)
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("open_bases_sample")
    finally:
        sys.path.remove(str(folder))
        del sys.modules["open_bases_sample"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("OfClass", True), ("BySpecialName", True), ("Announced", True), ("Kept", False), ("Made", False)],
)
def test_what_only_heirs_have_is_left_open(module: ModuleType, name: str, expected: bool) -> None:
    cls = getattr(module, name)
    (heir,) = subclasses(cls)
    assert leaves_members_open(cls, [heir]) is expected
    assert not leaves_members_open(heir, [heir])
