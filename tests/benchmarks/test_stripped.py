"""Sources without annotations, which a benchmark measures, still run and keep their lines."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
_spec = importlib.util.spec_from_file_location("strip", ROOT / "benchmarks" / "stripped" / "strip.py")
assert _spec is not None
assert _spec.loader is not None
_module = importlib.util.module_from_spec(_spec)
sys.modules["strip"] = _module
_spec.loader.exec_module(_module)
stripped = _module.stripped

# What is written, and what is left of it.
FORMS = [
    ("def f(a: int, /, b: 'str' = 'x', *c: int, d: float = 1, **e: int) -> int: ...",
     "def f(a, /, b = 'x', *c, d = 1, **e): ..."),
    ("def f(a: (int) = 3): ...", "def f(a = 3): ..."),
    ("async def f() -> (int): ...", "async def f(): ..."),
    ("def f(a: dict[\n  str, int] = 0): ...", "def f(a\n = 0): ..."),
    ("def f() -> dict[\n  str, int]: ...", "def f()\\\n: ..."),
    ("x: int = 3", "x = 3"),
    ("(x): int = 3", "(x) = 3"),
    ("x: int", "pass"),
    ("x: list[\n  int] = []", "x\\\n = []"),
    ("class C:\n  x: int\n  y: int = 1", "class C:\n  pass\n  y = 1"),
    ("class C(Enum):\n  x = 1", "class C(Enum):\n  x = 1"),
    ("@dataclass(frozen=True)\nclass C:\n  x: int\n  y: ClassVar[int] = 1",
     "@dataclass(frozen=True)\nclass C:\n  x: object\n  y: ClassVar[object] = 1"),
    ("@d.dataclass\nclass C:\n  x: 'InitVar[int]'\n  def f(self, x: int): y: int = 1",
     "@d.dataclass\nclass C:\n  x: InitVar[object]\n  def f(self, x): y = 1"),
    ("class C(typing.NamedTuple):\n  x: int = 1", "class C(typing.NamedTuple):\n  x: object = 1"),
    ("class C(TypedDict):\n  x: NotRequired[int]\nclass D(C):\n  y: int",
     "class C(TypedDict):\n  x: NotRequired[object]\nclass D(C):\n  y: object"),
    ("@f.register\ndef _(x: int, y: int) -> int: ...", "@f.register\ndef _(x: int, y): ..."),
    ("ü = 1; x: str = 'ä->: int'", "ü = 1; x = 'ä->: int'"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), FORMS, ids=[row[0] for row in FORMS])
def test_annotations_go(before: str, after: str) -> None:
    assert after == stripped(before)


def test_every_line_stays_where_it_was() -> None:
    for file in sorted((ROOT / "tracetwin" / "inputs").glob("*.py")):
        before = file.read_text(encoding="utf-8")
        after = stripped(before)
        places = [
            [(type(node), node.lineno) for node in ast.walk(ast.parse(text)) if isinstance(node, _KEPT)]
            for text in (before, after)
        ]
        assert places[0] == places[1], file


_KEPT = (ast.FunctionDef, ast.ClassDef, ast.If, ast.For, ast.While, ast.Return, ast.Call)
