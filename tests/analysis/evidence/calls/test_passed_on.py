"""Types of what is passed on: where it comes from says more than the call that hands it over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.analysis.evidence.calls.test_call_sites import guessed
from tracetwin.analysis.evidence.calls.sites import MOST_HOMES, call_sites

MakeModule = Callable[..., ModuleType]

CHAINS = """
class Table:
    def __init__(self):
        self.rows = Rows(self)
    def grow(self, by: int): return helper(by, self)
    @classmethod
    def name(cls): return labelled(cls)
class Row:
    def __init__(self, owner, value):
        self.owner = owner
class Sized:
    def __init__(self, size): self.size = size
    def put(self, item): return item
    @classmethod
    def of(cls, text): return text
class Rows(Sized):
    def __init__(self, table):
        super().__init__(2.5)
        Sized.put(self, "x")
        Sized.of(b"x")
        self._table = table
    def make(self, value: str): return Row(self._table, value)
class Wide(Rows): pass
class Named(Sized): pass
def helper(n, t): return deeper(n, t)
def deeper(k, u): return k, u
def outer(text: str, sizes: list[float]): return inner(text, sizes)
def inner(a, b): return a, b
def labelled(kind): return kind
def named(): return Named("wide")
def endless(p): return endless(p)
def ping(p): return pong(p)
def pong(q): return ping(q)
"""

LOCAL = """
from dataclasses import dataclass
from enum import Enum
class Base:
    def __init__(self, name): self.name = name
    def put(self, item): return item
class Other:
    def __init__(self, size): self.size = size
    def put(self, item): return item
class Tagged:
    def __init__(self, tag): self.tag = tag
class Noted:
    def __init__(self, note): self.note = note
class Third:
    def __class_getitem__(cls, item): return item
def text():
    class Sub(Base):
        def put(self, item): return super().put("x")
    return Sub("n").put(Third.__class_getitem__("s"))
def number():
    class Sub(Other):
        def put(self, item): return super().put(3)
    return Sub(3)
@dataclass
class Made(Noted):
    flag: bool
class Color(Tagged, Enum): RED = "r"
def use(): return Made(2.5), Color(2.5)
"""


@pytest.mark.parametrize(
    ("source", "path", "expected"),
    [
        (CHAINS, "Rows.__init__", {"table": "Table"}),
        (CHAINS, "Row.__init__", {"owner": "Table", "value": "str"}),
        (CHAINS, "helper", {"n": "int", "t": "Table"}),
        (CHAINS, "deeper", {"k": "int", "u": "Table"}),
        (CHAINS, "inner", {"a": "str", "b": "list[float]"}),
        (CHAINS, "labelled", {"kind": "function"}),
        (CHAINS, "Sized.__init__", {"size": "str | float"}),
        (CHAINS, "Sized.put", {"item": "str"}),
        (CHAINS, "Sized.of", {"text": "bytes"}),
        (LOCAL, "Base.put", {"item": "str"}),
        (LOCAL, "Other.put", {"item": "int"}),
        (LOCAL, "Third.__class_getitem__", {"item": "str"}),
    ],
)
def test_what_is_passed_on_is_what_it_was(
    make_module: MakeModule, source: str, path: str, expected: dict[str, str]
) -> None:
    """Also where several local classes have one name, and a base is called by its name."""
    found = guessed(make_module(source, "passing"), path)
    assert {name: said.split(" of ")[0] for name, said in found.items() if name != "cls"} == expected


@pytest.mark.parametrize("path", ["endless", "ping", "pong"])
def test_what_is_only_passed_round_says_nothing(make_module: MakeModule, path: str) -> None:
    module = make_module(CHAINS, "chains")
    assert guessed(module, path).popitem()[1] == guessed(make_module("def f(p): return p", "plain"), "f")["p"]


def test_other_modules_say_who_makes_what_they_pass(
    make_module: MakeModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table gives itself to its rows, in another file; these give it to their cells' base, in a third."""
    base = make_module("class Base:\n    def __init__(self, table): self.kept = table", "beside.base")
    (tmp_path / "beside" / "rows.py").write_text(
        "from beside.base import Base\nclass Cell(Base): pass\n"
        "class Rows:\n    def __init__(self, table):\n        self.table = table\n"
        "    def cell(self): return Cell(self.table)\n"
    )
    (tmp_path / "beside" / "table.py").write_text(
        "from beside.rows import Rows\nclass Table:\n    def __init__(self): self.rows = Rows(self)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("beside.table")
    assert guessed(base, "Base.__init__") == {"table": "Table"}
    rows = __import__("sys").modules["beside.rows"]
    assert guessed(rows, "Rows.__init__") == {"table": "Table"}


@pytest.mark.parametrize("path", ["Tagged.__init__", "Noted.__init__"])
def test_classes_that_are_made_in_their_own_way_say_nothing_of_their_bases(
    make_module: MakeModule, path: str
) -> None:
    (said,) = guessed(make_module(LOCAL, "local_classes"), path).values()
    assert not said.startswith("float")


def test_bases_that_meet_again_are_looked_at_once(make_module: MakeModule) -> None:
    rows = ["class A0:\n    def zz(self, x): return x"]
    for i in range(1, 40):
        rows += [f"class {side}{i}(A{i - 1}): pass" for side in "BC"]
        rows.append(f"class A{i}(B{i}, C{i}): pass")
    module = make_module("\n".join([*rows, "def use(): return A39().zz(b'x')"]), "diamonds")
    assert guessed(module, "A0.zz") == {"x": "bytes"}


def test_few_other_modules_are_read_for_what_they_pass_on(
    make_module: MakeModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = make_module("def f(p): return p", "many.target")
    for number in range(8):
        text = f"from many.target import f\ndef g{number}(p): return f(p)\n"
        (tmp_path / "many" / f"m{number}.py").write_text(text)
    (tmp_path / "many" / "user.py").write_text("from many.m0 import g0\ng0(2.5)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for number in range(8):
        __import__(f"many.m{number}")
    assert guessed(target, "f") == {"p": "float"}
    assert len(call_sites(target)._homes) == MOST_HOMES
