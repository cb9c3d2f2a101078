"""Types of what is passed on: where it comes from says more than the call that hands it over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.analysis.evidence.test_call_sites import guessed

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


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Rows.__init__", {"table": "Table"}),
        ("Row.__init__", {"owner": "Table", "value": "str"}),
        ("helper", {"n": "int", "t": "Table"}),
        ("deeper", {"k": "int", "u": "Table"}),
        ("inner", {"a": "str", "b": "list[float]"}),
        ("labelled", {"kind": "function"}),
        ("Sized.__init__", {"size": "str | float"}),
        ("Sized.put", {"item": "str"}),
        ("Sized.of", {"text": "bytes"}),
    ],
)
def test_what_is_passed_on_is_what_it_was(
    make_module: MakeModule, path: str, expected: dict[str, str]
) -> None:
    found = guessed(make_module(CHAINS, "chains"), path)
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
