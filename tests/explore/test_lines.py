"""Lines that no condition guards are looked for as well, once every side was taken."""

from __future__ import annotations

import ast

from tests.explore.support import assert_paths
from tracetwin.analysis.sources import executable_lines


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
