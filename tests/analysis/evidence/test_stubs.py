"""Stub files: of the target itself, and of the library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tracetwin.analysis.evidence.stubs import library_stub, read_stub, use_typeshed
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.run.worker_options import typeshed_folder

MakeModule = Callable[..., ModuleType]


def planned(module: ModuleType, path: str) -> dict[str, str]:
    """The plans of a function's or constructor's parameters, described."""
    planner = Planner(module)
    owner, _, name = path.rpartition(".")
    holder: Any = getattr(module, owner) if owner else module
    scope = planner.scope(getattr(holder, name), holder if owner else None)
    found = planner.parameters(getattr(holder, name), qualname=path, scope=scope, skip_first=bool(owner))
    return {item.name: item.plan.describe() for item in found if item.plan is not None}


STUB = """
from __future__ import annotations
import sys
from collections.abc import Iterable
from typing import TypeVar, overload
from decimal import Decimal as D
_N = TypeVar("_N", int, str)
Row = list[tuple[str, int]]
def total(rows: Row, rate: D, *extra: bytes, **named: bool) -> D: ...
@overload
def pick(one: int) -> int: ...
@overload
def pick(one: str) -> str: ...
def same(thing: _N) -> _N: ...
if sys.version_info >= (3, 8):
    def later(gap: float) -> None: ...
else:
    def later(gap: str) -> None: ...
def odd(it: Missing) -> None: ...
class Till:
    drawer: dict[str, int]
    def __init__(self, coins: Iterable[int]) -> None: ...
    def pay(self, amount: int, into: Till | None = ...) -> bool: ...
"""
SOURCE = """
def total(rows, rate, *extra, **named): return rate
def pick(one): return one
def same(thing): return thing
def later(gap): return gap
def odd(it): return it + 1
class Till:
    def __init__(self, coins):
        self.drawer = coins
    def pay(self, amount, into=None): return amount
"""


@pytest.fixture
def till(make_module: MakeModule, tmp_path: Path) -> ModuleType:
    (tmp_path / "till_with_stub.pyi").write_text(STUB, encoding="utf-8")
    return make_module(SOURCE, "till_with_stub")


def test_a_stub_beside_the_module_says_what_parameters_are(till: ModuleType) -> None:
    assert {
        "rows": "list[tuple[str, int]]",
        "rate": "Decimal",
        "extra": "bytes",
        "named": "bool",
    } == planned(till, "total")
    assert planned(till, "pick") == {"one": "int | str"}
    assert planned(till, "same") == {"thing": "int | str"}
    assert planned(till, "later") == {"gap": "float"}
    assert planned(till, "Till.__init__") == {"coins": "list[int]"}
    assert planned(till, "Till.pay") == {"amount": "int", "into": "Till | None"}


def test_an_annotation_that_means_nothing_leaves_the_guesses(till: ModuleType) -> None:
    assert planned(till, "odd") == {"it": "int | float"}


def test_attributes_are_declared_as_well(till: ModuleType) -> None:
    assert Planner(till).usage.attribute_types("Till", "drawer") == [dict[str, int]]


def test_a_stub_package_on_the_path_counts(make_module: MakeModule, tmp_path: Path) -> None:
    folder = tmp_path / "counted-stubs"
    folder.mkdir()
    (folder / "__init__.pyi").write_text("def f(p: bytes) -> int: ...\n", encoding="utf-8")
    assert planned(make_module("def f(p): return len(p)", "counted"), "f") == {"p": "bytes"}


@pytest.mark.parametrize("text", ["def f(p: int", "def f(p: 1/0): ...", "\0", "def f(q: int): ...\n" * 3])
def test_a_stub_that_is_no_good_does_no_harm(make_module: MakeModule, tmp_path: Path, text: str) -> None:
    (tmp_path / "harmless.pyi").write_text(text, encoding="utf-8")
    assert planned(make_module("def f(p): return p.upper()", "harmless"), "f")


def test_only_what_holds_on_this_interpreter_is_declared(tmp_path: Path) -> None:
    file = tmp_path / "m.pyi"
    file.write_text(
        f"""
import sys
if sys.version_info < (3, {sys.version_info.minor}): old: int
elif sys.platform == "{sys.platform}" and not sys.version_info < (3, 5): new: int
else: other: int
""",
        encoding="utf-8",
    )
    stub = read_stub(str(file), "m")
    assert stub is not None
    assert list(stub.values) == ["new"]


@pytest.fixture
def typeshed() -> Iterator[str]:
    """The standard library's stubs, as the driver hands them to a worker."""
    folder = typeshed_folder()
    use_typeshed(folder)
    yield folder
    use_typeshed("")


def test_the_typeshed_is_the_one_that_comes_with_us(typeshed: str) -> None:
    assert Path(typeshed).parent.name == "typeshed_client"
    assert library_stub("shutil") is not None
    use_typeshed("")
    assert library_stub("shutil") is None, "no other one is looked for"


# What is called with p, and the guesses for p.
LIBRARY = [
    ("import shutil", "shutil.copy(p, 'x')", "str | Path | bytes"),
    ("from os.path import dirname", "dirname(p)", "str | Path | bytes"),
    ("import textwrap", "textwrap.shorten(text=p, width=9)", "str"),
    ("import textwrap", "textwrap.shorten('a', p)", "int"),
    ("import struct", "struct.unpack('<I', p)", "bytes"),
    ("from hashlib import sha256", "sha256(p)", "bytes"),
    ("import functools", "functools.reduce(p, [1, 2])", "function of 2"),
    ("import csv", "csv.reader(p)", "list[str]"),
    ("import datetime", "datetime.date(p, 1, 1)", "int"),
    ("import datetime as dt", "dt.datetime.combine(p, dt.time())", "date"),
    ("import logging", "logging.getLogger(p)", "str | None"),
    ("import json", "json.dump({}, p)", "StringIO"),
    ("import statistics", "statistics.stdev(p)", "list[float"),
    ("import zipfile", "zipfile.ZipFile(p)", "str | Path | BytesIO"),
    ("import random", "random.shuffle(p)", "list"),
    ("import argparse", "argparse.ArgumentParser().parse_args(p)", "list[str]"),
    ("import string", "string.Formatter().format(p, 1)", "str"),
]


@pytest.mark.usefixtures("typeshed")
@pytest.mark.parametrize(("line", "call", "expected"), LIBRARY, ids=[row[1] for row in LIBRARY])
def test_the_library_says_what_is_passed_on(
    line: str, call: str, expected: str, make_module: MakeModule
) -> None:
    module = make_module(f"{line}\ndef f(p): return {call}")
    found = Planner(module).usage.guesses("f", module.f)["p"]
    assert " | ".join(map(str, found)).startswith(expected)


def test_functions_of_other_modules_of_the_project_tell_by_their_code(make_module: MakeModule) -> None:
    make_module("def stamp(word, many: int): return word.upper() * many", "stamping")
    module = make_module("import stamping\ndef f(p, q): return stamping.stamp(p, many=q)")
    found = Planner(module).usage.guesses("f", module.f)
    assert [str(found[name][0]) for name in "pq"] == ["str", "int"]
