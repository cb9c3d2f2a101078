"""What may change an object, which of that can matter, and what could help where it can't be built."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.drawing.effects import changing_methods, discovered
from tracetwin.analysis.effects.mutators import Changing
from tracetwin.analysis.effects.relevance import Relevance
from tracetwin.analysis.sources import read
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.objects.effects import changed, picture
from tracetwin.drawing.objects.origins import alternative_constructors, concrete_classes, factories
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.drawing.plans.plans import SetupFailed
from tracetwin.model import recipes
from tracetwin.model.recipe import PreparedObject

MakeModule = Callable[..., ModuleType]

GAME = """
class Cell:
    def __init__(self, x: int) -> None: self.x, self.guest = x, None
class Guest:
    def __init__(self) -> None: self._cell, self._points, self._name = None, 0, ""
    @property
    def cell(self): return self._cell
    def occupy(self, cell: Cell) -> None:
        self._enter(cell)
    def _enter(self, cell): self._cell = cell; cell.guest = self
    def eat(self, points: int) -> None: self._points += points
    def name(self) -> str: return self._name.upper()
    def is_at(self, x: int) -> bool: return self.cell is not None and self._cell.x == x
    def gather(self, things: list[int]) -> int: return sum(t for t in things)
class Move:
    def __init__(self, guest: Guest) -> None:
        if guest.cell is None:
            raise ValueError("not on the board")
        self.guest = guest
def score(guest: Guest) -> int: return guest._points
def show(move: Move) -> str: return "moved"
def anything(guest: Guest): return vars(guest)
"""


def test_methods_that_only_look_change_nothing(make_module: MakeModule) -> None:
    module = make_module(GAME)
    changing = Changing(read(module), module.__name__, changing_methods(module))
    assert [name for name, _, _ in changing.methods(module.Guest)] == ["occupy", "eat"]


def test_operators_in_place_and_calls_count_where_they_change_something(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Buffer:
            def __init__(self) -> None: self._data, self._seen = bytearray(), 0
            def __iadd__(self, more: bytes): self._data += more; return self
            def __call__(self, more: int): self._seen = more
            def __bool__(self): return bool(self._data)
            def __contains__(self, one): return one in self._data
        """
    )
    changing = Changing(read(module), module.__name__, changing_methods(module))
    assert [name for name, _, _ in changing.methods(module.Buffer)] == ["__iadd__", "__call__"]


def test_of_a_class_that_was_not_analysed_all_but_methods_of_values_count(make_module: MakeModule) -> None:
    module = make_module("class Box:\n    def get(self): return 1\n    def look(self): return 2\n")
    changing = Changing(read(module), module.__name__, {})
    assert [name for name, _, _ in changing.methods(module.Box)] == ["look"]


def test_what_the_analysis_of_data_flow_says_counts(make_module: MakeModule) -> None:
    module = make_module(GAME)
    changing = Changing(read(module), module.__name__, {f"{module.__name__}:Guest": ("eat",)})
    assert [name for name, _, _ in changing.methods(module.Guest)] == ["eat"]


def test_open_attributes_are_those_that_no_method_maintains(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Job:
            def __init__(self, name: str) -> None:
                self.name, self.owner = name, None
                self.done = False
                self.level: int | None = None
                self.count = 0
                self._hidden = 1
            def step(self): self.count += 1
        """
    )
    changing = Changing(read(module), module.__name__, {})
    found = {item.name: item.annotation for item in changing.attributes(module.Job)}
    assert found == {"done": bool, "level": "int | None"}


def test_open_attributes_hold_containers_whose_types_are_told(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Context:
            options: dict[str, int]
            rows: list[str]
            taken: set[str]
            links: dict[str, str]
            def __init__(self, given: list[int]) -> None:
                self.options = {"depth": 1}
                self.rows = []
                self.taken: set[str] = set()
                self.links = {}
                self.untold = {}
                self.given = list(given)
            def add(self, row: str) -> None:
                self.rows.append(row)
            def link(self, name: str) -> str:
                self.links[name] = name
                return self.links.get(name, "") + str(self.options.get(name))
        """
    )
    changing = Changing(read(module), module.__name__, {})
    assert {"options", "taken"} == {item.name for item in changing.attributes(module.Context)}


def test_reads_go_through_properties_and_writes_through_callees(make_module: MakeModule) -> None:
    module = make_module(GAME)
    relevance = Relevance(module.__name__, read(module))
    assert {"cell", "_cell"} <= relevance.of_name("Move").reads
    assert "_points" not in relevance.of_name("Move").reads
    assert {"_cell", "guest"} <= relevance.of_name("Guest.occupy").writes
    assert relevance.of_name("anything").unknown


def words_offered(module: ModuleType, target: str) -> set[str]:
    """The first words that prepare the only argument of a target."""
    (found,) = [item for item in discovered(module) if item.qualname == target]
    words = set()
    for chosen in range(1, 4):
        source = PlainDraw({"guest~0": chosen, "guest~0.eat.points": 1})
        source.pool.consumers = [(module.__name__, target)]
        made = build_arguments(source, found.parameters)
        guest = made.arg_recipes[0]
        assert isinstance(guest, PreparedObject)
        words |= {call.name for call in guest.calls}
    return words


def test_only_words_that_can_matter_are_offered(make_module: MakeModule) -> None:
    module = make_module(GAME)
    assert words_offered(module, "score") == {"eat"}
    assert words_offered(module, "Move") == {"occupy"}
    assert words_offered(module, "anything") == {"occupy", "eat"}


def test_where_a_constructor_fails_the_calls_that_could_help_are_named(make_module: MakeModule) -> None:
    module = make_module(GAME)
    (show,) = [item for item in discovered(module) if item.qualname == "show"]
    source = PlainDraw()
    source.pool.consumers = [(module.__name__, "show")]
    with pytest.raises(SetupFailed, match="not on the board"):
        build_arguments(source, show.parameters)
    assert source.pool.remedies == [("move.guest~0", 1)]
    helped = PlainDraw(dict(source.pool.remedies))
    helped.pool.consumers = [(module.__name__, "show")]
    made = build_arguments(helped, show.parameters)
    assert made.args[0].guest.cell.guest is made.args[0].guest


def test_pictures_tell_whether_an_object_was_changed(make_module: MakeModule) -> None:
    module = make_module(GAME)
    guest = module.Guest()
    before = picture(guest)
    guest.name()
    assert not changed(before, picture(guest))
    guest._points += 0
    assert not changed(before, picture(guest))
    guest.occupy(module.Cell(1))
    between = picture(guest)
    assert changed(before, between)
    guest.cell.x = 2
    assert changed(between, picture(guest))


def test_what_can_not_be_looked_into_may_have_changed() -> None:
    class Holder:
        def __init__(self) -> None:
            self.items = iter([1, 2])

    holder = Holder()
    assert picture(holder) is None
    assert changed(None, picture(holder))


ORIGINS = """
class Money:
    def __init__(self, cents: int) -> None: self.cents = cents
    @classmethod
    def parse(cls, text: str): return cls(int(text))
    @classmethod
    def zero(cls) -> "Money": return Money(0)
    @classmethod
    def names(cls) -> list[str]: return []
class Coin(Money): pass
def coin(value: int):
    made = Coin(value)
    return made
def price() -> Money: return Money(1)
def later() -> "Money":
    yield Money(1)
def other() -> int: return 1
"""


def test_alternative_constructors_are_inherited_when_they_construct_the_subclass(
    make_module: MakeModule,
) -> None:
    module = make_module(ORIGINS)
    source = read(module)
    assert [name for name, _ in alternative_constructors(module.Money, source)] == ["parse", "zero"]
    assert [name for name, _ in alternative_constructors(module.Coin, source)] == ["parse"]


def test_functions_that_return_instances_are_found_by_annotation_and_by_what_they_return(
    make_module: MakeModule,
) -> None:
    module = make_module(ORIGINS)
    source = read(module)
    assert [name for name, _ in factories(module.Money, module, source)] == ["price"]
    assert [name for name, _ in factories(module.Coin, module, source)] == ["coin"]


def test_subclasses_are_found_where_the_module_imports_for_checkers_only(
    make_module: MakeModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "game_of_checkers"
    package.mkdir()
    (package / "guests.py").write_text(
        "from game_of_checkers.board import Guest\n"
        "class Ghost(Guest):\n"
        "    def code(self) -> str: return 'G'\n"
    )
    module = make_module(
        """
        from abc import ABC, abstractmethod
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from game_of_checkers.guests import Ghost
        class Guest(ABC):
            @abstractmethod
            def code(self) -> str: ...
            def twice(self) -> str: return self.code() * 2
        """,
        "game_of_checkers.board",
    )
    monkeypatch.setattr(recipes, "is_traced", lambda name: name.startswith("game_of_checkers."))
    assert concrete_classes(module.Guest, module) == []
    planner = Planner(module)
    assert planner.plan_class(module.Guest, planner.scope(), 0).describe() == "mock of Guest | Ghost"
    for name in ("game_of_checkers.guests", "game_of_checkers"):
        sys.modules.pop(name, None)
