"""Every adapter keeps the rules; other packages add theirs."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.drawing.adapters.conformance import conforms
from tracetwin.drawing.adapters import registry
from tracetwin.drawing.adapters.interface import Adapter, TableAdapter
from tracetwin.drawing.adapters.registry import ADAPTERS, DuplicateAdapter, Registry, add_files
from tracetwin.drawing.plans.plans import IntPlan, Plan

TABLES = [adapter for adapter in ADAPTERS.all() if isinstance(adapter, TableAdapter)]


def _named(name: str) -> Any:
    """What stands under a name in the module that it says it is in, or in the public one beside it."""
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        for home in dict.fromkeys((".".join(parts[:count]), ".".join(parts[:count]).lstrip("_"))):
            try:
                module = importlib.import_module(home)
            except ImportError:
                continue
            found: Any = module
            for part in parts[count:]:
                found = getattr(found, part, None)
            return found
    return None


@pytest.mark.parametrize("adapter", TABLES, ids=lambda adapter: adapter.name)
def test_tables_conform_in_every_row(adapter: TableAdapter) -> None:
    things = [found for name in adapter.makers if (found := _named(name)) is not None and adapter.owns(found)]
    assert len(things) > 20
    conforms(adapter, things)


def test_numpy_conforms() -> None:
    numpy = pytest.importorskip("numpy")
    adapter = _adapter("numpy")
    conforms(adapter, [numpy.ndarray, numpy.int64, numpy.dtype, numpy.random.Generator], [])
    conforms(adapter, [numpy.datetime64], [numpy.datetime64])


def test_attrs_conforms() -> None:
    attrs = pytest.importorskip("attrs")
    made = attrs.make_class("Made", {"a": attrs.field(converter=int), "b": attrs.field(default=1)})
    conforms(_adapter("attrs"), [made])


def test_pydantic_conforms() -> None:
    pydantic = pytest.importorskip("pydantic")
    conforms(_adapter("pydantic"), [pydantic.create_model("Made", a=(int, ...), b=(str, "x"))])


def test_no_class_has_two_adapters() -> None:
    for table in TABLES:
        for name in table.makers:
            thing = _named(name)
            assert len([item for item in ADAPTERS.all() if thing is not None and item.owns(thing)]) <= 1, name


def test_a_name_is_taken_once() -> None:
    class One(Adapter):
        name = "one"

        def owns(self, thing: Any) -> bool:
            return thing is One

        def plan(self, thing: Any, args: Any = ()) -> Plan | None:
            return IntPlan()

    made = Registry()
    made.add(One())
    with pytest.raises(DuplicateAdapter, match="two adapters called 'one'"):
        made.add(One())
    assert isinstance(made.plan(One), IntPlan)
    assert made.plan(int) is None


def test_what_can_not_be_loaded_costs_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ADAPTERS", Registry())

    def load(name: str, file: str) -> ModuleType:
        raise SyntaxError("no Python")

    assert add_files([("odd", "odd.py", "ADAPTER"), ("gone", "", "ADAPTER")], load) == [
        "the adapter odd can't be used: SyntaxError: no Python",
        "the adapter gone can't be used: FileNotFoundError: it has no source file",
    ]


def _adapter(name: str) -> Adapter:
    return next(adapter for adapter in ADAPTERS.all() if adapter.name == name)


def test_files_of_entry_points_are_found_without_importing_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tracetwin.support.plugins import plugin_files

    package = tmp_path / "ledger_adapters"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit\n", encoding="utf-8")
    (package / "money.py").write_text("ADAPTER = 1\n", encoding="utf-8")
    about = tmp_path / "ledger_adapters-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: ledger-adapters\nVersion: 1\n", encoding="utf-8"
    )
    (about / "entry_points.txt").write_text(
        "[ledger.tests]\nmoney = ledger_adapters.money:ADAPTER\nnone = ledger_adapters.gone:X\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert plugin_files("ledger.tests") == (
        ("money", str(package / "money.py"), "ADAPTER"),
        ("none", "", "X"),
    )
    assert "ledger_adapters" not in sys.modules
