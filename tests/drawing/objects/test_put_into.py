"""Functions that others put into a class prepare nothing they do not change, and are no methods of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tracetwin.analysis.effects.mutators import Changing
from tracetwin.analysis.sources import Source
from tracetwin.drawing.discovery.discovery import discover

TABLE = """
class Table:
    def __init__(self): self.rows = []
    def add(self, row): self.rows.append(row)
"""

JOINS = """
from put_pkg.table import Table
def join(left, right): return (left, right)
def clear(table): table.rows = []
def logged(function):
    def inner(*args): return function(*args)
    return inner
class Basket:
    def __init__(self): self.items = []
    @logged
    def add(self, item): self.items.append(item)
Table.join = join
Table.clear = clear
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "put_pkg"
    folder.mkdir()
    for name, text in {"__init__": "", "table": TABLE, "joins": JOINS}.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    import put_pkg.joins  # type: ignore[import-not-found]

    yield put_pkg
    for name in [name for name in sys.modules if name.partition(".")[0] == "put_pkg"]:
        del sys.modules[name]


def test_they_are_called_by_their_own_names(package) -> None:
    names = [item.qualname for item in discover(package.joins)]
    assert names == ["join", "clear", "logged", "Basket", "Basket.add"]


def test_only_those_that_store_something_may_bring_an_object_into_a_state(package) -> None:
    found = Changing(Source(), "put_pkg.joins", {}).methods(package.table.Table)
    assert [name for name, _, _ in found] == ["add", "clear"]


def test_a_method_behind_a_decorator_that_hides_it_is_one_of_its_class(package) -> None:
    found = Changing(Source(), "put_pkg.joins", {}).methods(package.joins.Basket)
    assert [name for name, _, _ in found] == ["add"]
