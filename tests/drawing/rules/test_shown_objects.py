"""Objects in examples: what makes them, and what is done on them one call after the other."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tracetwin.analysis.sources import read
from tracetwin.drawing.rules.documented import documented
from tracetwin.drawing.rules.shown_objects import UNTOLD
from tracetwin.model.recipe import Call, PreparedObject, PreparingCall
from tracetwin.model.recipes import lit

MakeModule = Callable[..., ModuleType]

CODE = """

class Tree:
    def __init__(self, name="", deep=False): ...
    @classmethod
    def parse(cls, text): ...
    def add(self, tag, parent=None): ...
    def at(self, place):
        self.place = place
        return self
    @property
    def top(self):
        self.place = 0
        return self
    @property
    def first(self):
        return self.top
    def size(self): return 3
    def __setitem__(self, key, value): ...
    def __delitem__(self, key): ...
    def __enter__(self): return self
    def __exit__(self, *error): ...

def grow(name, height=2, deep=True) -> "Tree":
    return Tree(name, deep)

def count(tree): ...
"""


def histories(make_module: MakeModule, example: str) -> list[tuple[Call, list[PreparingCall]]]:
    return [(made.construction, made.calls) for made in shown(make_module, example)]  # type: ignore[misc]


def shown(make_module: MakeModule, example: str) -> list[PreparedObject]:
    lines = "".join(f"    >>> {line}\n" for line in example.splitlines())
    module = make_module(f'"""Trees.\n\n{lines}"""{CODE}', name="trees")
    return documented(module, read(module)).histories.distinct()


def step(name: str, *args: object) -> PreparingCall:
    return PreparingCall(name, tuple(lit(one) for one in args))  # type: ignore[arg-type]


TREE = Call("trees", "Tree")


def test_calls_on_one_object_are_one_history(make_module: MakeModule) -> None:
    found = histories(make_module, "t = Tree()\nt.add('a')\nt.add('b', parent='a')\nu = Tree()\nu.size()")
    assert found == [
        (TREE, [step("add", "a"), PreparingCall("add", (lit("b"),), (("parent", lit("a")),))]),
        (TREE, [step("size")]),
    ]


def test_methods_and_properties_that_give_their_object_go_on_with_it(make_module: MakeModule) -> None:
    found = histories(make_module, "Tree('x').at(3).first.add('a')\nTree('y').size().add('b')")
    made = Call("trees", "Tree", (lit("x"),))
    assert found[0] == (made, [step("at", 3), step("first"), step("add", "a")])
    assert found[1][1] == [step("size")], "what size returns is no tree"


def test_a_function_that_returns_instances_stands_for_their_class(make_module: MakeModule) -> None:
    ((made, _),) = histories(make_module, "grow('oak', 9).add('a')")
    assert made == Call("trees", "Tree", (), (("deep", lit(value=True)), ("name", lit("oak"))))


def test_a_class_method_makes_an_object(make_module: MakeModule) -> None:
    ((made, calls),) = histories(make_module, "t = Tree.parse('a(b)')\nt.add('c')")
    assert (made, calls) == (Call("trees", "Tree.parse", (lit("a(b)"),)), [step("add", "c")])


def test_stores_and_blocks_are_steps(make_module: MakeModule) -> None:
    text = "t = Tree()\nt.name = 'x'\nt['k'] = 1\ndel t['k']\nwith Tree('w') as w: w.add('a')"
    (_, stores), (_, entered) = histories(make_module, text)
    assert stores == [step("name=", "x"), step("__setitem__", "k", 1), step("__delitem__", "k")]
    assert entered == [step("__enter__"), step("add", "a")]


def test_an_argument_that_cannot_be_told_leaves_a_gap(make_module: MakeModule) -> None:
    ((_, calls),) = histories(make_module, "t = Tree()\nt.add(unknown)\nt.add(*many)\nt.add('z')")
    assert calls == [PreparingCall("add", (UNTOLD,)), step("add", "z")]


def test_what_is_passed_is_the_object_as_it_is_then(make_module: MakeModule) -> None:
    text = '"""T.\n\n>>> t = Tree()\n>>> t.add("a")\n>>> count(t)\n>>> t.add("b")\n>>> count(t)\n"""'
    module = make_module(text + CODE, name="trees")
    first, second = [call["tree"] for call in documented(module, read(module)).functions["count"].calls]
    assert isinstance(first, PreparedObject)
    assert isinstance(second, PreparedObject)
    assert [len(first.calls), len(second.calls)] == [1, 2]
    assert first != second


def test_a_history_that_another_one_goes_on_with_is_none_of_its_own(make_module: MakeModule) -> None:
    found = histories(make_module, "Tree().add('a')\nt = Tree()\nt.add('a')\nt.add('b')")
    assert found == [(TREE, [step("add", "a"), step("add", "b")])]


def test_what_is_done_on_objects_of_others_is_left_out(make_module: MakeModule) -> None:
    text = "from pathlib import Path\nplace = Path('x')\nplace.unlink()\ncount(place)\nTree(place).add('a')"
    ((made, calls),) = histories(make_module, text)
    assert (made.qualname, [call.name for call in calls]) == ("Tree", ["add"])
    assert not any(isinstance(part, PreparedObject) for part in made.args)


TESTS = """
import unittest

import pytest
from orchard import Tree, count


class TestTree(unittest.TestCase):
    def setUp(self):
        self.tree = Tree("t")
        self.tree.add("a")

    def test_size(self):
        self.tree.add("b", parent="a")
        self.assertEqual(self.tree.size(), 2)


@pytest.fixture
def grown():
    tree = Tree("f")
    tree.add("x")
    yield tree


def test_count(grown):
    grown.add("y")
    assert count(grown) == 2
"""


def test_what_is_set_up_before_a_test_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "orchard.py").write_text(CODE)
    (tmp_path / "test_orchard.py").write_text(TESTS)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("orchard")
    try:
        found = documented(module, read(module))
    finally:
        monkeypatch.delitem(sys.modules, "orchard")
    told = {str(made.construction): [call.name for call in made.calls] for made in found.histories.distinct()}
    assert told == {
        str(Call("orchard", "Tree", (lit("t"),))): ["add", "add", "size"],
        str(Call("orchard", "Tree", (lit("f"),))): ["add", "add"],
    }
    (call,) = found.functions["count"].calls
    assert isinstance(call["tree"], PreparedObject)
