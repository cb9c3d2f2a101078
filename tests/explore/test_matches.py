"""Explorations of functions that get a match: its groups depend on the text."""

from __future__ import annotations

import pytest

from tests.explore.support import assert_paths


@pytest.mark.slow
def test_the_groups_of_a_pattern_of_the_module_are_solved_for() -> None:
    assert_paths(
        """
        import re
        PAIR = re.compile(r"(?P<key>[a-z]+)=(?P<value>[0-9]*)")
        def f(m: re.Match[str]) -> str:
            if m["key"] == "port":
                return "none" if not m["value"] else "high" if int(m["value"]) > 1024 else "low"
            return "other"
        """,
        "f", "none", "high", "low", "other",
    )  # fmt: skip


@pytest.mark.slow
def test_a_match_of_bytes_has_bytes() -> None:
    assert_paths(
        """
        import re
        SIZE = re.compile(rb"(?P<unit>[a-z]+)=(?P<value>[0-9]+)")
        def f(m: re.Match[bytes]) -> str:
            if m["unit"] == b"kb":
                return "many" if int(m["value"]) > 9 else "few"
            return type(m[0]).__name__
        """,
        "f", "many", "few", "bytes",
    )  # fmt: skip


def test_groups_that_no_pattern_has_are_made_up() -> None:
    assert_paths(
        """
        import re
        def f(m: re.Match[str]) -> str:
            left, right = m.groups()
            return "same" if left == right else "pair" if left == "key" else "other"
        """,
        "f", "same", "pair", "other",
    )  # fmt: skip
