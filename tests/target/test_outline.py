"""What the code objects of a module without source tell."""

from __future__ import annotations

import ast
import importlib
import marshal
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

from tests.target.layout import compile_to
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.seeds.constants import NearConstants
from tracetwin.target.outline import from_plain, load_code, outline_of, to_plain, tree_of

SOURCE = textwrap.dedent(
    '''
    """The module."""
    import functools

    RATES = {"north": 7}


    def grade(points: int, /, *more, scale=1, **rest) -> str:
        """Say how good."""
        if points in (17, 19):
            return "odd"
        return [p for p in range(points) if p == 23]


    @functools.lru_cache(None)
    def rate(place: str) -> int:
        key = lambda: "zone-"
        if place.startswith(key()):
            return RATES[place]
        return -4


    class Box:
        """A box."""

        size = 3

        def __init__(self, items: list[int]) -> None:
            self.items = items

        @property
        def total(self) -> int:
            return sum(self.items) + 99

        class Inner:
            @staticmethod
            def deep(x: int) -> int:
                return x


    async def later(): return 1
    '''
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return compile_to(tmp_path / "outlined_mod.pyc", SOURCE)


def functions(tree: ast.AST) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    found = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return {node.name: node for node in found}


def test_definitions_are_where_they_are_in_the_source(file):
    tree = tree_of(outline_of(load_code("outlined_mod", str(file))))
    original = functions(ast.parse(SOURCE))
    for name, node in functions(tree).items():
        first = min([original[name].lineno, *(d.lineno for d in original[name].decorator_list)])
        assert (first, original[name].end_lineno) == (node.lineno, node.end_lineno)
        assert type(original[name]) is type(node)
    parameters = {name: ast.unparse(node.args) for name, node in functions(tree).items()}
    assert "points, /, *more, scale, **rest" == parameters["grade"]
    assert "self, items" == parameters["__init__"]
    classes = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert ["Box", "Inner"] == classes


def test_docstrings_are_told_from_constants(file):
    found = functions(tree_of(outline_of(load_code("outlined_mod", str(file)))))
    assert "Say how good." == ast.get_docstring(found["grade"])
    assert ast.get_docstring(found["rate"]) is None


def test_an_outline_survives_the_way_to_another_process(file):
    outline = outline_of(load_code("outlined_mod", str(file)))
    assert outline == from_plain(marshal.loads(marshal.dumps(to_plain(outline), 2)))


def test_the_line_of_a_definition_belongs_to_what_defines_it(file):
    lines = SOURCE.splitlines()
    outline = outline_of(load_code("outlined_mod", str(file)))
    grade = next(part for part in outline.parts if part.name == "grade")
    first = next(number for number, line in enumerate(lines, 1) if line.startswith("def grade"))
    assert first + 2 == grade.lines[0]
    assert first in outline.lines
    assert set(grade.lines) < set(outline.lines)


def test_invokables_and_constants_of_a_module_without_source(file, monkeypatch):
    monkeypatch.syspath_prepend(str(file.parent))
    module = importlib.import_module("outlined_mod")
    found = {item.qualname: item for item in discover(module)}
    assert ["grade", "rate", "Box", "Box.total", "Box.Inner.deep", "later"] == list(found)
    assert [] == [item.problem for item in found.values() if item.problem]
    near = NearConstants(module).of(found["grade"])
    assert {17, 19, 23} == set(near["int"][:3])
    assert "odd" == near["str"][0]
    assert ["zone-", "north"] == NearConstants(module).of(found["rate"])["str"][:2]
    del sys.modules["outlined_mod"]


def test_code_out_of_an_archive(tmp_path, file):
    package = compile_to(tmp_path / "init.pyc", "def g():\n    return 1\n")
    with zipfile.ZipFile(tmp_path / "lib.whl", "w") as archive:
        archive.write(file, "pkg/outlined_mod.pyc")
        archive.write(package, "pkg/__init__.pyc")
    names = load_code("pkg.outlined_mod", f"{tmp_path}/lib.whl/pkg/outlined_mod.pyc").co_names
    assert "grade" in names
    assert "g" in load_code("pkg", f"{tmp_path}/lib.whl/pkg/__init__.pyc").co_names
