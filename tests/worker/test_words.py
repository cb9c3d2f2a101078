"""What may stand before a target in a sequence of calls."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.rules.user_rules import Guide
from tracetwin.model import recipes
from tracetwin.worker.catalogue import Catalogue

SOURCE = """
    from abc import ABC, abstractmethod

    COUNT = 0
    TABLE = {}

    def bump(by: int):
        global COUNT
        COUNT += by
    def level(): return COUNT
    def _hide(n: int): return n

    class Grid:
        def __init__(self, width: int):
            self.width = width
            self.open = False
            self._cells = {}
        def __len__(self): return len(self._cells)
        def __setitem__(self, i: int, v: str): self._cells[i] = v
        def __getitem__(self, i: int): return self._cells[i]
        def __iadd__(self, other): return self
        def __eq__(self, other): return True
        def __iter__(self):
            self.place = 0
            return self
        def __next__(self): raise StopIteration
        def __enter__(self): return self
        def __exit__(self, *args): return False
        def show(self): return COUNT
        def _hidden(self): pass
        @property
        def _cell(self): return self.width
        @_cell.setter
        def _cell(self, value: int): self.width = value
        @property
        def size(self): return 1
        @size.setter
        def size(self, value: int):
            self.width = value

    class Job:
        def __init__(self): self.unit = ""
        @property
        def hours(self):
            self.unit = "hours"
            return self
        @property
        def is_set(self): return self.unit != ""
        def run(self): return self.unit

    class Child(Grid):
        def show(self): return 2
        def more(self): return 3

    class Lines(list):
        def __init__(self):
            super().__init__()
        def last(self): return self[-1]

    class Bag(dict):
        def total(self): return len(self)

    class Base(ABC):
        @abstractmethod
        def add(self, n: int): ...
        def total(self): return 0

    class One(Base):
        def add(self, n: int): self.n = n
        def only(self): return 1

    class Two(Base):
        def add(self, n: int): self.n = -n

    class Single:
        _made = None
        def __new__(cls):
            if cls._made is None:
                cls._made = super().__new__(cls)
            return cls._made
        @classmethod
        def get(cls): return cls._made
        @classmethod
        def forget(cls):
            cls._made = None
"""


@pytest.fixture
def make_catalogue(tmp_path: Path) -> Iterator[Any]:
    made = ModuleType("words_target")
    made.__file__ = str(tmp_path / "words_target.py")
    Path(made.__file__).write_text(textwrap.dedent(SOURCE), encoding="utf-8")
    sys.modules[made.__name__] = made
    exec(compile(textwrap.dedent(SOURCE), made.__file__, "exec"), made.__dict__)
    yield lambda **rules: Catalogue(made, (), Guide(rules))
    del sys.modules[made.__name__]


def words(catalogue: Catalogue, name: str) -> list[str]:
    return catalogue.words(catalogue.named(name))


def test_methods_that_change_the_receiver_stores_and_functions(make_catalogue: Any) -> None:
    catalogue = make_catalogue()
    changing = ["__setitem__", "__iadd__", "__iter__", "__next__", "__enter__", "__exit__"]
    assert words(catalogue, "Grid.show") == [*changing, "show", "size=", "width=", "open=", ":bump"]
    assert words(catalogue, "level") == [":bump"]
    assert words(catalogue, "bump") == [":bump"]


def test_reading_a_property_that_stores_something_is_a_word(make_catalogue: Any) -> None:
    catalogue = make_catalogue()
    assert words(catalogue, "Job.run") == ["hours", "run", "unit="]
    assert catalogue.word(catalogue.named("Job.run"), "hours").access == "get"


def test_inherited_methods_are_those_that_the_instance_has(make_catalogue: Any) -> None:
    catalogue = make_catalogue()
    more = catalogue.named("Child.more")
    found = words(catalogue, "Child.more")
    assert found.count("show") == 1
    assert catalogue.word(more, "show").qualname == "Child.show"
    assert catalogue.word(more, "__setitem__").qualname == "Grid.__setitem__"


def test_a_container_that_starts_empty_is_filled_by_its_bases_method(make_catalogue: Any) -> None:
    catalogue = make_catalogue()
    assert words(catalogue, "Lines.last") == ["last", "append"]
    append = catalogue.word(catalogue.named("Lines.last"), "append")
    assert [item.name for item in append.parameters] == ["item"]
    assert words(catalogue, "Bag.total") == ["total"]  # its constructor takes a dict


def test_an_abstract_class_has_what_all_that_can_be_made_have(make_catalogue: Any) -> None:
    assert words(make_catalogue(), "Base.total") == ["total", "add"]


def test_class_state_is_brought_about_by_class_methods_and_constructors(make_catalogue: Any) -> None:
    catalogue = make_catalogue()
    assert words(catalogue, "Single") == [":Single", ":Single.forget"]
    assert words(catalogue, "Single.get") == [":Single", ":Single.forget"]
    assert catalogue.path_of(catalogue.word(catalogue.named("Single"), ":Single")) == "Single"


def test_the_users_rules_hold_for_words(make_catalogue: Any) -> None:
    forbidding = make_catalogue(forbid=["words_target:Child.__next__", "words_target:Grid.open"])
    assert "__next__" not in words(forbidding, "Child.more")
    assert "open=" not in words(forbidding, "Child.more")
    assert "__next__" in words(forbidding, "Grid.show")
    private = words(make_catalogue(private=True), "Grid.show")
    assert {"_hidden", "_cells="} <= set(private)


def test_every_word_can_be_looked_up(make_catalogue: Any) -> None:
    catalogue = make_catalogue()
    for invokable in catalogue.invokables:
        for word in catalogue.words(invokable):
            assert catalogue.word(invokable, word).problem is None
    with pytest.raises(LookupError):
        catalogue.word(catalogue.named("Grid.show"), "missing")


def test_private_functions_are_words_where_they_come_last(make_catalogue: Any) -> None:
    catalogue = make_catalogue(private=None)
    hidden = {"_hide", "Grid._hidden", "Grid._cell", "Grid._cell.setter"}
    assert hidden == {item.qualname for item in catalogue.hidden}
    for invokable in catalogue.hidden:
        word = f":{invokable.qualname}" if invokable.receiver is None else invokable.name
        word += "=" * (invokable.access == "set")
        assert catalogue.word(invokable, word) is invokable


def test_bases_in_one_other_module_are_planned_by_one_planner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = "    class {0}:\n        def fill(self, n: int): self.n = n\n"
    sources = {
        "words_bases": base.format("First") + base.format("Second"),
        "words_heirs": """
            from words_bases import *
            class A(First):
                def get(self): return self.n
            class B(Second):
                def get(self): return self.n
        """,
    }
    for name, source in sources.items():
        made = ModuleType(name)
        made.__file__ = str(tmp_path / f"{name}.py")
        Path(made.__file__).write_text(textwrap.dedent(source), encoding="utf-8")
        monkeypatch.setitem(sys.modules, name, made)
        exec(compile(textwrap.dedent(source), made.__file__, "exec"), made.__dict__)
    monkeypatch.setattr(recipes, "is_traced", sources.__contains__)
    planned: list[str] = []
    first = Planner.__init__

    def counted(self: Planner, module: ModuleType, *args: Any, **rest: Any) -> None:
        planned.append(module.__name__)
        first(self, module, *args, **rest)

    monkeypatch.setattr(Planner, "__init__", counted)
    catalogue = Catalogue(sys.modules["words_heirs"], (), Guide({}))
    assert [words(catalogue, f"{heir}.get")[:2] for heir in "AB"] == [["get", "fill"]] * 2
    assert planned == ["words_heirs", "words_bases"]
