"""Definition-use pairs of variables, listed by hand; `tests/worker/test_variables.py` runs them."""

from __future__ import annotations

import textwrap
from collections.abc import Set as AbstractSet

from tests.analysis.flow.flows import SAFE, SCALE, TOTAL
from tracetwin.analysis.flow.variables import variable_pairs


def pairs(source: str) -> AbstractSet[tuple[str, str, int, int]]:
    return set(variable_pairs(textwrap.dedent(source).encode(), "sample"))


def test_a_definition_reaches_the_uses_that_no_other_definition_hides() -> None:
    assert pairs(SCALE) == {
        ("scale", "a", 0, 2), ("scale", "a", 0, 3), ("scale", "b", 0, 4), ("scale", "b", 0, 5),
        ("scale", "x", 2, 6), ("scale", "x", 2, 7), ("scale", "x", 4, 6), ("scale", "x", 4, 7),
    }  # fmt: skip


def test_a_loop_brings_definitions_round() -> None:
    items = {("total", "items", 0, 3), *(("total", "item", 3, line) for line in (4, 5, 6, 7))}
    best = {("total", "best", define, use) for define in (2, 5, 7) for use in (4, 7, 8)}
    assert pairs(TOTAL) == items | best


def test_an_exception_leaves_what_was_defined_before_it() -> None:
    assert {("safe", "result", 2, 7), ("safe", "result", 4, 7)} <= pairs(SAFE)


def test_a_global_goes_from_one_function_to_another() -> None:
    found = pairs("""\
        seen = 0

        def note(n):
            global seen
            if n:
                seen = n

        def last():
            return seen

        def reset():
            global seen
            seen = 0
            return seen
    """)
    assert {pair for pair in found if pair[1] == "seen"} == {
        ("last", "seen", 0, 9), ("last", "seen", 6, 9), ("last", "seen", 13, 9), ("reset", "seen", 13, 14),
    }  # fmt: skip


def test_what_only_the_module_assigns_and_what_inner_functions_assign_has_no_pairs() -> None:
    found = pairs("""\
        LIMIT = 3

        def outer(n):
            def inner():
                nonlocal n
                n += LIMIT
            inner()
            return n
    """)
    assert not {pair for pair in found if pair[1] in ("LIMIT", "n")}


def test_a_source_that_cannot_be_read_has_no_pairs() -> None:
    assert not pairs("def broken(:\n")
