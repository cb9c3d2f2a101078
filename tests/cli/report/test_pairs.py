"""Definition-use pairs in the report."""

from __future__ import annotations

from typing import Any

from tracetwin.cli.report.pairs import pair_line
from tracetwin.cli.report.table import render
from tracetwin.run.results import ModuleResult


def pair(number: int, status: str, why: str = "") -> dict[str, Any]:
    return {
        "number": number, "attribute": "x", "status": status, "why": why, "sequence": "",
        "define": {"method": "A", "line": 3, "column": 8}, "use": {"method": "A.f", "line": 7, "column": 4},
    }  # fmt: skip


def test_pairs_are_counted_without_the_infeasible_ones():
    pairs = [pair(1, "covered"), pair(2, "infeasible", "proved by search"), pair(3, "open", "budget spent")]
    assert "1 of 2 feasible definition-use pairs covered, 1 infeasible" == pair_line(pairs)
    assert "1 of 1 feasible definition-use pair covered" == pair_line(pairs[:1])


def test_the_report_names_what_is_left_open():
    pairs = [pair(1, "covered"), pair(2, "open", "no sequence found: \x1b[2J")]
    module = ModuleResult("a", "/a.py", pairs=pairs)
    lines = render([module])
    assert "  1 of 2 feasible definition-use pairs covered" in lines
    assert any("pair 02 of x, A (3) to A.f (7): no sequence found" in line for line in lines)
    assert not any("\x1b" in line for line in lines)


def test_without_pairs_nothing_is_said_of_them():
    assert not any("pair" in line for line in render([ModuleResult("a", "/a.py")]))
