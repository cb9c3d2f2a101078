"""Our sources are understood by Python 3.9 once they are lowered, and mean the same."""

from __future__ import annotations

import ast
import dataclasses
import subprocess
from collections import deque
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Union

import pytest

from tests.cli.test_environment import interpreter
from tracetwin.process.launch import command_line
from tracetwin.process.lowering import lowered, lowered_packages
from tracetwin.support import older_python, own_modules
from tracetwin.target.environment import PythonEnvironment

OLD = PythonEnvironment("python3.9", (3, 9), "", (), "", b"", "cpython")
ROOT = Path(__file__).parents[2]
PARSED = {"mode": "exec", "feature_version": (3, 9)}


@dataclasses.dataclass
class Point:
    x: object
    y: object


CASES = {
    "values": ('case 1 | "a" | Point.limit: return "one"', "case None: return None", "case True: return 1"),
    "captures": (
        'case [1, n] | {"n": n}: return n',
        "case (a, b) if a == b: return a",
        "case other: return 0",
    ),
    "series": (
        "case []: return 0",
        "case [a]: return a",
        "case [a, *rest, 3]: return a, rest",
        "case [*first, b]: return first, b",
    ),
    "classes": (
        "case int(n) if n > 3: return n",
        "case Point(1, y=y): return y",
        "case Point(Point(x), _): return x",
        "case str() | bytes() as text: return text",
    ),
    "attributes": ("case SimpleNamespace(a=1, b=None | 2 as b): return b", "case object(a=[_, a]): return a"),
    "mappings": ('case {"a": 1, "b": [x, *_]}: return x', 'case {"a": a}: return a', "case {}: return 0"),
    "kept": ("case [kept, 1]: return kept", "case _: return kept"),
}
SUBJECTS: list[Any] = [
    0,
    1,
    2,
    3,
    5,
    1.0,
    True,
    None,
    "a",
    "b",
    b"x",
    [],
    [1],
    (1,),
    [1, 2],
    (2, 2),
    [1, 2, 3],
    deque([7, 3]),
    range(4),
    [[1], 1],
    {},
    {"n": 4},
    {"a": 1, "b": [5, 6]},
    {"a": 2},
    Point(1, 2),
    Point(2, 3),
    Point(Point(8, 9), 1),
    SimpleNamespace(a=1, b=2),
    SimpleNamespace(a=1, b=None),
    SimpleNamespace(a=1, b=7),
    SimpleNamespace(a=[1, 2]),
    SimpleNamespace(a=1),
    {1, 2},
    "abc",
    bytearray(b"ab"),
    iter([1, 2]),
]


def function(source: str) -> Any:
    names: dict[str, Any] = {"Point": Point, "SimpleNamespace": SimpleNamespace}
    Point.limit = 2  # type: ignore[attr-defined]
    exec(source, names)
    return names["f"]


@pytest.mark.parametrize("name", CASES)
def test_a_match_means_the_same(name: str) -> None:
    cases = "".join(f"        {case}\n" for case in CASES[name])
    source = f"def f(subject, kept='before'):\n    match subject:\n{cases}    return kept, 'none'\n"
    made = lowered(source)
    assert ast.parse(made, **PARSED)  # type: ignore[call-overload]
    before, after = function(source), function(made)
    for subject in SUBJECTS:
        assert after(subject) == before(subject), subject
    assert any(before(one) != ("before", "none") for one in SUBJECTS)


def test_only_what_differs_is_rewritten() -> None:
    source = (
        "from __future__ import annotations\n\n\ndef f(n: int | None) -> int | None:  # why\n    return n\n"
    )
    assert lowered(source) == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("X: TypeAlias = int | 'str | None'", "X: TypeAlias = _older.Union[int, '_older.Union[str, None]']"),
        ("isinstance(x, int | A | str)", "isinstance(x, (int, A, str))"),
        (
            "class A:\n    x: dict[str, int | None] = f(1 | 2)",
            "class A:\n    x: dict[str, _older.Union[int, None]] = f(1 | 2)",
        ),
        ("zip(a, b, strict=True)", "_older.zipped(a, b, strict=True)"),
        ("from typing import Any, TypeAlias", "from typing import Any\nTypeAlias = _older.TypeAlias"),
        ("isinstance(x, ast.MatchAs)", "isinstance(x, _older.Pattern)"),
        ("raise NameError(text, name=text)", "raise _older.named_error(NameError, text, name=text)"),
        ("code.co_lines()", "_older.co_lines(code)"),
        (
            "@dataclass(frozen=True, slots=True)\nclass A:\n    pass",
            "@dataclass(frozen=True)\nclass A:\n    pass",
        ),
    ],
)
def test_what_the_library_does_not_have_is_ours(source: str, expected: str) -> None:
    made = lowered(source)
    assert made.removeprefix("from tracetwin.support import older_python as _older\n").strip() == expected


def test_unions_of_classes_are_read_in_annotations() -> None:
    names = {"int": _NoUnion, "list": list}
    assert older_python.evaluate("list[int | None] ", names) == list[Union[_NoUnion, None]]  # noqa: UP007 - what 3.9 knows
    assert older_python.evaluate("1 | a", {}, {"a": 2}) == 3
    assert older_python.evaluate("int | None", {}, _Strict(names)) == Union[_NoUnion, None]  # noqa: UP007
    with pytest.raises(TypeError):
        older_python.evaluate("int + 1", names)


class _Strict(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        raise NameError(name)


class _Meta(type):
    def __or__(cls, other: object) -> Any:
        raise TypeError(f"unsupported operand type(s) for |: {cls} and {other}")


class _NoUnion(metaclass=_Meta):
    """A class as they all are in 3.9."""


@pytest.mark.slow
def test_all_our_sources_are_grammatical_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path))
    lowered_packages.cache_clear()
    boot, *_, first, _, _ = command_line("program", 3, OLD)
    lowered_packages.cache_clear()
    home = Path(first.partition("=")[2]).parent
    assert home.is_relative_to(tmp_path / "lowered")
    assert Path(boot) == home / "tracetwin" / "process" / "__main__.py"
    for file in home.rglob("*.py"):
        ast.parse(file.read_text("utf-8"), **PARSED)  # type: ignore[call-overload]
    for name in ("tracetwin", *own_modules.NAMES):
        there, here = ({file.relative_to(folder) for file in folder.rglob("*.py")} for folder in (home, ROOT))
        assert {one for one in here if one.parts[0] == name} == {one for one in there if one.parts[0] == name}


IMPORTED = """\
import importlib, sys
for name in ("worker.runner", "worker.untraced", "replay.replayer", "replay.arcs", "emit.verify.runner",
             "mutation.judge", "process.fork_server", "process.compiler"):
    importlib.import_module(f"tracetwin.{name}")
import itertools, typing
from tracetwin.model import field_types
from tracetwin.support import older_python
field_types.prepare()
assert older_python.named_error(NameError, "a is unknown", name="a").name == "a"
names = {"A": type("A", (), {})}
assert older_python.evaluate("A | None", names) == typing.Optional[names["A"]]
assert not hasattr(itertools, "pairwise") and not hasattr(typing, "TypeAlias"), "the target would see it"
"""


@pytest.mark.slow
def test_what_runs_there_is_loaded_there() -> None:
    python = interpreter("3.9")
    if not python:
        pytest.skip("there is no Python 3.9 on this machine")
    home = Path(command_line("program", 3, OLD)[0]).parents[2]
    done = subprocess.run(
        [python, "-B", "-c", IMPORTED], cwd=home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
