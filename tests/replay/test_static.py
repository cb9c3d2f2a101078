"""Our numbers against those of coverage.py's own report."""

from __future__ import annotations

import colorsys
import json
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import coverage
import pytest

from tracetwin.model.observation import Raised
from tracetwin.replay.static import Coverable, coverable


def facts(tmp_path: Path, source: str) -> Coverable:
    file = tmp_path / "sample.py"
    file.write_text(textwrap.dedent(source))
    return coverable(str(file))


SOURCE = '''
import colorsys as c

def f(a, *, b=1):
    """Doc."""
    while True:  # endless to the eye
        if a:
            break
        a += b
    for x in range(a):
        try:
            a = 1 / (x - 1)
        except ZeroDivisionError:
            continue
        else:
            b += 1
        finally:
            b += 2
    with open(__file__) as file:
        match b:
            case 1:
                return 1
            case [x, y] if x:
                return 2
            case _:
                pass
    if b:  # pragma: no branch
        b = 0
    if a:  # pragma: no cover
        b = 5
    return (lambda q: q + 1 if q else 2)(b)

class C:
    x = 1

    def m(self): return 1

    @staticmethod
    def s(a, b): return a

    @property
    @c.__class__.__call__
    def broken(self): return 1

    async def g(self, z, *rest):
        async for q in z:
            if q:
                yield q
'''.replace("    @property\n    @c.__class__.__call__\n    def broken(self): return 1\n", "")


@pytest.mark.parametrize("calls", ["", "f(1)", "f(0)", "f(0); f(3); C().m(); C.s(1, 2)"])
def test_totals_are_those_of_the_report(tmp_path: Path, calls: str) -> None:
    file = tmp_path / "sample.py"
    file.write_text(SOURCE + calls + "\n")
    run = [sys.executable, "-m", "coverage", "run", "--branch", f"--include={file}", str(file)]
    subprocess.run(run, cwd=tmp_path, check=True)
    report = subprocess.run(
        [sys.executable, "-m", "coverage", "json", "-q", "-o", "-"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    totals = json.loads(report.stdout)["totals"]
    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    data.read()
    (name,) = data.measured_files()
    found = coverable(str(file))
    lines, arcs = found.covered(data.lines(name) or [], data.arcs(name) or [])
    data.close()
    assert len(found.lines) == totals["num_statements"]
    assert len(lines) == totals["covered_lines"]
    assert len(found.arcs) == totals["num_branches"]
    assert len(arcs) == totals["covered_branches"]


def test_functions_and_what_they_hold(tmp_path: Path) -> None:
    found = facts(tmp_path, SOURCE)
    assert [(function.qualname, function.parameters) for function in found.functions] == [
        ("f", ("a",)),
        ("C.m", ()),
        ("C.s", ("a", "b")),
        ("C.g", ("z", "rest")),
    ]
    f = found.function("f")
    assert f is not None
    assert (f.first_line, f.last_line) == (4, 31)
    assert min(f.lines) == 6
    assert found.function("C.m").lines == frozenset()  # type: ignore[union-attr]


def test_constructor_parameters(tmp_path: Path) -> None:
    found = facts(
        tmp_path,
        """
        class A:
            def __init__(self, x, y=1): pass
            class B:
                z: int
                w: str = ""
        """,
    )
    assert found.classes == {"A": ("x", "y"), "A.B": ("z", "w")}


def test_a_decorated_function_begins_at_its_decorator(tmp_path: Path) -> None:
    found = facts(tmp_path, "import functools\n\n@functools.cache\ndef f(x):\n    return x\n")
    assert (found.functions[0].first_line, sorted(found.functions[0].lines)) == (3, [5])


def test_of_two_functions_of_one_name_the_last_stays(tmp_path: Path) -> None:
    found = facts(tmp_path, "def f(): return 1\n\ndef f(x):\n    return x\n")
    assert found.function("f") is found.functions[1]
    assert found.function("g") is None


def test_lines_that_raise(tmp_path: Path) -> None:
    found = facts(tmp_path, "def f(x):\n    assert (\n        x\n    )\n    raise ValueError\n")
    assert found.raising == {2, 3, 4, 5}


def test_a_file_inside_a_zip_file(tmp_path: Path) -> None:
    wheel = tmp_path / "colours.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.write(colorsys.__file__, "colours.py")
    assert coverable(str(wheel / "colours.py")).lines == coverable(colorsys.__file__).lines


def test_an_exception_is_the_module_s_own_where_a_statement_raises_it(tmp_path: Path) -> None:
    source = "def f(n):\n    assert n < 3, 'no'\n    if n:\n        raise TypeError(n)\n    return 1 / n\n"
    found = facts(tmp_path, source)
    assert found.raises_itself(2, Raised("builtins", "AssertionError", None))
    assert not found.raises_itself(2, Raised("builtins", "TypeError", None)), "the interpreter compares"
    assert found.raises_itself(4, Raised("builtins", "TypeError", None))
    assert not found.raises_itself(5, Raised("builtins", "ZeroDivisionError", None))
    assert found.raises_itself(5, Raised("builtins", "TypeError", None, is_stated=True)), "a neighbour did"
