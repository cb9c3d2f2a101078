"""The way in to lines that nothing runs, and what decides a condition."""

from __future__ import annotations

import ast

import pytest

from tracetwin.analysis.entries import Awaited, Definition, entry_of
from tracetwin.analysis.guards import EXCEPTION, Guard
from tracetwin.analysis.slices import slice_of

SOURCE = """\
def f(x, y):
    """+'"""Text."""'+"""
    a = g(x)
    b, c = h(y), 2
    for i in range(b):
        z.append(i)
    if a > 3 and z:
        return 1
    try:
        q = int(a)
        d[q]
    except (KeyError, ValueError):
        q = 0
    for k in a:
        if k:
            print(
              2)
    try:
        return q
    except OSError:
        pass
    return 2
"""


@pytest.fixture
def function() -> Definition:
    (found,) = ast.parse(SOURCE).body
    assert isinstance(found, ast.FunctionDef)
    return found


@pytest.mark.parametrize(
    ("line", "passed", "first", "guard", "after"),
    [
        (6, set(), 3, None, 0),
        (8, {3, 4, 5, 7, 9}, 8, Guard(7, 1), 7),
        (9, {3, 4, 5, 7, 8}, 9, Guard(7, 0), 7),
        (12, {3, 7, 9, 10, 11}, 12, Guard(9, EXCEPTION), 9),
        (13, {3, 7, 9, 10, 11}, 12, Guard(9, EXCEPTION), 9),
        (13, {3, 7, 9, 10, 11, 12}, 13, Guard(9, EXCEPTION), 9),
        (14, {3, 7, 9, 10}, 14, None, 9),
        (17, {3, 7, 9, 14}, 15, Guard(14, 1), 14),
        (18, {3, 7, 9, 14}, 18, Guard(14, 0), 14),
        (22, {3, 7, 9, 14, 18, 19}, 22, Guard(18, EXCEPTION), 18),
    ],
)
def test_the_way_in(
    function: Definition, line: int, passed: set[int], first: int, guard: Guard | None, after: int
) -> None:
    entry = entry_of(function, line, passed)
    assert entry is not None
    assert (entry.line, entry.guard, entry.after) == (first, guard, after)


def test_what_runs_has_no_way_in(function: Definition) -> None:
    assert entry_of(function, 8, {3, 7, 8}) is None


def test_a_handler_names_what_may_raise_what_it_waits_for(function: Definition) -> None:
    entry = entry_of(function, 12, {3, 7, 9, 10})
    assert entry is not None
    assert entry.handler == Awaited("(KeyError, ValueError)", 10, 11, ((10, "int(a)"), (11, "d[q]")))


def test_what_decides_a_condition(function: Definition) -> None:
    found = slice_of(function, 7)
    assert found.lines == {3, 4, 5, 6, 7}
    assert {"x", "y"} <= found.names
    assert "k" not in found.names
    assert {name for _, name in found.calls} == {"g", "h", "range", "z.append"}
    assert slice_of(function, 5).lines == {4, 5}
    assert slice_of(function, 14).lines == {3, 14}, "what comes later decides nothing"
