"""Tracebacks and line events of a twin are those of its original, to the column."""

from __future__ import annotations

import ast
import textwrap

import pytest

from instrumenter.build import InstrumenterWarning, build
from instrumenter.relocate import MismatchError, relocate
from runtime import twin as live
from tests.instrumenter import native
from tests.instrumenter.failing import EXPRESSIONS, PROGRAM, SEVERAL_LINES, STATEMENTS
from tests.instrumenter.watching import line_sets, twin_code, watch


def in_function(statements: str) -> str:
    return f"{PROGRAM}def f():\n{textwrap.indent(statements, '    ')}\nf()\n"


def case(name: str, source: str):
    return pytest.param(source, id=name)


CASES = [case(text, in_function(f"result = {text}")) for text in EXPRESSIONS]
CASES += [case(f"{text} in the module", f"{PROGRAM}result = {text}\n") for text in EXPRESSIONS[:4]]
CASES += [case(name, in_function(text)) for name, text in STATEMENTS.items()]
CASES += [case(f"{name} on several lines", in_function(text)) for name, text in SEVERAL_LINES.items()]


# After several operands on several lines a condition goes back to the line of the first, as in CPython
# up to 3.11 those do that compare nothing.
GOES_BACK = {
    in_function(SEVERAL_LINES[name])
    for name in ("if", "if with comparisons", "if over a comprehension", "while", "assert")
}


@pytest.mark.parametrize("interface", [native, live], ids=["native", "live"])
@pytest.mark.parametrize("source", CASES)
def test_tracebacks_and_lines_are_those_of_the_original(source, interface):
    original = compile(source, "watched.py", "exec")
    twin = twin_code(source)
    assert line_sets(original) == line_sets(twin)
    expected, actual = watch(source, original), watch(source, twin, interface)
    assert expected.text == actual.text
    if source in GOES_BACK:
        assert set(expected.lines) == set(actual.lines)
    else:
        assert expected.lines == actual.lines


def test_tree_that_is_not_the_twins_is_refused():
    for original, other in (("x = a + b", "x = _tt.add(a)"), ("f(a)", "f(b)"), ("x = 1", "x = 1\ny = 2")):
        with pytest.raises(MismatchError):
            relocate(ast.parse(original), ast.parse(other), "_tt")


def test_fault_in_positions_costs_the_positions_only(monkeypatch):
    def fail(*args):
        raise MismatchError("oops")

    monkeypatch.setattr("instrumenter.relocate.relocate", fail)
    with pytest.warns(InstrumenterWarning, match=r"positions in m\.py are inexact.*oops"):
        built = build("x = 1 + y", name="m", filename="m.py")
    assert built.twin.untouched is None
    assert "_tt" in built.code.co_names
