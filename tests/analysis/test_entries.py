"""The way in to lines that nothing runs, and what decides a condition."""

from __future__ import annotations

import ast

import pytest

from tracetwin.analysis.entries import Awaited, Definition, entry_of, ways_in
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
        (13, {3, 7, 9, 10, 11, 12}, 13, Guard(9, EXCEPTION), 12),
        (14, {3, 7, 9, 10}, 11, None, 10),
        (17, {3, 7, 9, 14}, 15, Guard(14, 1), 14),
        (18, {3, 7, 9, 14}, 18, Guard(14, 0), 14),
        (22, {3, 7, 9, 14, 18, 19}, 20, Guard(18, EXCEPTION), 18),
    ],
)
def test_the_way_in(
    function: Definition, line: int, passed: set[int], first: int, guard: Guard | None, after: int
) -> None:
    entry = entry_of(function, line, passed)
    assert entry is not None
    assert (entry.line, entry.guard, entry.after) == (first, guard, after)


LOOPS = """\
def g(x, xs):
    while True:
        x = h(x)
        if not x:
            break
        if x > 9:
            continue
        x += 1
    for y in xs:
        if y:
            z = 1
        elif y is None:
            z = 2
        else:
            continue
        t(z)
    else:
        u(x)
    match x:
        case [a]:
            v(a)
        case _:
            w()
    with x:
        return 1
"""


@pytest.mark.parametrize(
    ("line", "passed", "ways"),
    [
        (9, {2, 3, 4, 6, 7, 8}, [(5, Guard(4, 1), 4)]),
        (8, {2, 3, 4, 6, 7}, [(8, Guard(6, 0), 6)]),
        (6, {2, 3}, [(4, None, 3)]),
        (16, {9, 10, 12, 15}, [(11, Guard(10, 1), 10), (13, Guard(12, 1), 12)]),
        (18, {9, 10, 11, 16}, [(18, Guard(9, 0), 9)]),
        (21, {19, 20, 22, 23}, [(21, Guard(20, 1), 20)]),
        (23, {19, 20, 21}, [(22, Guard(20, 0), 20)]),
        (25, {24}, [(25, None, 24)]),
    ],
)
def test_ways_lead_through_loops_and_branches(line, passed, ways) -> None:
    (function,) = ast.parse(LOOPS).body
    assert isinstance(function, ast.FunctionDef)
    found = [(way.line, way.guard, way.after) for way in ways_in(function, line, passed)]
    assert ways == found


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


STEPS = """\
def h(text, seen):
    count = 0
    for one in text:
        if one == "/":
            count += 1
    now = time.time()
    seen.outs = text
    seen.outs.write(text)
    seen.ins.skip(1)
    if count and seen.ins.read():
        return now - start(seen)
    if now > 3:
        return 1
"""


def test_what_parameters_decide_is_told_apart_from_other_sources() -> None:
    (function,) = ast.parse(STEPS).body
    assert isinstance(function, ast.FunctionDef)
    found = slice_of(function, 10)
    assert found.given == {"count", "one", "seen", "text"}, "the text decides how often it is counted"
    calls = {call for _, call in found.calls}
    assert calls == {"seen.ins.read", "seen.ins.skip"}, "what is written is not read"
    assert slice_of(function, 12).sources == {(6, "time.time")}
    assert slice_of(function, 12).given == frozenset()
    assert slice_of(function, 11).names >= {"now", "start", "seen", "time"}, "a statement without a condition"
