"""Runs that are made once more."""

from __future__ import annotations

import pytest

from tests.explore.support import assert_paths, explore
from tracetwin.explore.loop.budget import LONGER
from tracetwin.model.status import Status


def test_who_reads_a_long_table_first_comes_to_an_end() -> None:
    assert_paths(
        """
        def f(name: str) -> str:
            table = {}
            number = 0
            while number < 90_000:
                if number % 9 == 0:
                    table[number] = "nine"
                number += 1
            if name == "many":
                return "all"
            return table[9]
        """,
        "f", "all", "nine", runs=8,
    )  # fmt: skip


@pytest.mark.slow
def test_a_loop_without_end_is_given_up_as_before() -> None:
    found = explore(
        """
        def f(n: int) -> str:
            if n > 3:
                return "large"
            while True:
                n += 0 if n else 1
        """,
        "f", runs=12,
    )  # fmt: skip
    assert found.endings == {"large"}
    endless = [run.request.halvings for run in found.runs if run.status is Status.ENDLESS]
    assert endless.count(-LONGER) == 1
    assert set(endless) > {-LONGER}
