from __future__ import annotations

from pathlib import Path

import pytest

from tests.target.layout import lay_out
from tracetwin.support.errors import TargetError
from tracetwin.target.selection import resolve

SOURCE = """
import os.path as osp
from json import dumps, loads as parse

def plain():
    def inner(): pass

async def later(): pass

if osp:
    def under_if(): pass
else:
    try:
        def under_try(): pass
    except ImportError:
        def under_except(): pass

match osp:
    case 1:
        def under_match(): pass

class Box:
    def open(self): pass
    class Lid:
        def lift(self): pass
    shut = open

class Child(Box):
    pass

double = lambda x: 2 * x
first, *rest = plain, later, double
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    return lay_out(tmp_path, {"mod.py": SOURCE}) / "mod.py"


@pytest.mark.parametrize(
    "name",
    [
        "plain", "later", "under_if", "under_try", "under_except", "under_match", "Box", "Box.open",
        "Box.Lid.lift", "Box.shut", "Child.open", "Child.anything", "double", "rest", "osp", "dumps", "parse",
    ],
)
def test_what_a_module_defines_or_may_define_can_be_selected(module, name):
    assert [m.selection for m in resolve(f"{module}:{name}")] == [(name,)]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nosuch", "the module defines no 'nosuch'"),
        ("plane", "did you mean 'plain'?"),
        ("Box.opened", "'Box' defines no 'opened'; did you mean 'open'?"),
        ("plain.inner", "'plain' is a function; what it defines inside"),
        ("loads", "the module defines no 'loads'"),
        ("two words", "is not a qualified name"),
        ("f()", "is not a qualified name"),
        ("Box.", "is not a qualified name"),
    ],
)
def test_what_a_module_cannot_have_is_refused(module, name, words):
    with pytest.raises(TargetError) as caught:
        resolve(f"{module}:{name}")
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{module}:{name}: ")


@pytest.mark.parametrize("source", ["from json import *\n", "def __getattr__(name): return 1\n"])
def test_a_module_that_may_define_anything_is_believed(tmp_path, source):
    lay_out(tmp_path, {"any.py": source})
    assert [m.selection for m in resolve(f"{tmp_path}/any.py:whatever")] == [("whatever",)]


def test_a_package_folder_may_be_asked_for_what_its_init_defines(tmp_path):
    lay_out(tmp_path, {"pkg/__init__.py": SOURCE, "bare/mod.py": SOURCE})
    assert [(m.name, m.selection) for m in resolve(f"{tmp_path}/pkg:plain")] == [("pkg", ("plain",))]
    with pytest.raises(TargetError, match=r"has no __init__\.py in which 'plain' could be"):
        resolve(f"{tmp_path}/bare:plain")
