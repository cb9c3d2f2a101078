"""Lines that no condition guards are looked for as well, once every side was taken."""

from __future__ import annotations

import ast

from tests.explore.support import assert_paths, explore
from tracetwin.analysis.sources import executable_lines, has_handlers
from tracetwin.model.recipe import Dictionary


def test_what_follows_a_loop_that_is_used_up() -> None:
    assert_paths(
        """
        def f(start: int) -> str:
            if not 3 < start < 100:
                return "range"
            for number in range(start, start + 5):
                if number % 2 and number % 3 and number % 5:
                    return "found"
            return "none"
        """,
        "f", "range", "found", "none",
    )  # fmt: skip


def test_a_handler_that_no_side_tells_of_is_a_finding_where_another_kind_of_argument_leads_to_it() -> None:
    found = explore(
        """
        class Box:
            def __init__(self, rows: dict[str, int]):
                self.rows = rows
            def __eq__(self, other):
                try:
                    return sorted(self.rows.items()) == sorted(other.items())
                except AttributeError:
                    return False
        """,
        "Box.__eq__", runs=60,
    )  # fmt: skip
    passed = [case.steps[-1].args[0] for case in found.outcome.cases]
    assert any(not isinstance(value, Dictionary) for value in passed)


def test_lines_with_code_are_those_of_the_definition() -> None:
    source = """x = 1
def f(a):
    if a:
        return 1
    # nothing
    try:
        return g(a)
    except KeyError:
        return 2
"""
    assert executable_lines(ast.parse(source), 2, 9) == {3, 4, 6, 7, 8, 9}
    assert executable_lines(ast.parse(""), 1, 9) == frozenset()
    assert has_handlers(ast.parse(source), 2, 9)
    assert not has_handlers(ast.parse(source), 1, 7)
