"""Evidence of a run for criteria: the borders of comparisons at which it stands."""

from __future__ import annotations

from math import gcd
from typing import Any

import pytest

from runtime.expr import Node, Sort, apply, const, var
from runtime.trace import Kind
from tracetwin.explore.loop import shown
from tracetwin.explore.loop.borders import Borders, beyond
from tracetwin.explore.loop.run import PathStep, Request, Run
from tracetwin.explore.loop.shown import borders_of
from tracetwin.model.status import Status
from tracetwin.solving.program import Program

X = var("x", Sort.INT)
TURNS = 60


def summed(run: Run) -> Run:
    """A run that adds to a number and compares the sum, again and again."""
    total: Node = X
    steps = []
    for turn in range(TURNS):
        total = apply("add", Sort.INT, apply("mul", Sort.INT, total, X), const(1))
        steps.append(PathStep(apply("lt", Sort.BOOL, total, const(turn)), turn + 1, 0, int(Kind.BRANCH)))
    return Run(run.request, run.status, path=tuple(steps), variables=run.variables)


@pytest.mark.parametrize(
    ("value", "standing"), [(0, {"border:2:0", "border:1:1", "border:3:-1"}), (9, set())]
)
def test_borders_are_those_where_operands_are_equal_or_one_step_apart(value: int, standing: set[str]) -> None:
    run = summed(Run(Request("f", (), {}), Status.RETURNED, variables={"x": (Sort.INT, value)}))
    found = {entry for entry in borders_of(run, "f", Borders()) if not entry.endswith("steps")}
    assert found == standing


def test_the_step_between_operands_is_found_in_time_where_each_sum_has_two_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = 0

    def counted(*numbers: int) -> int:
        nonlocal asked
        asked += 1
        return gcd(*numbers)

    monkeypatch.setattr("tracetwin.explore.loop.borders.math.gcd", counted)
    one, other = X, var("y", Sort.INT)
    for _ in range(18):
        one, other = other, apply("add", Sort.INT, one, other)
    assert beyond(apply("lt", Sort.BOOL, other, const(7)), 1) is not None
    assert asked <= 20


def test_what_all_comparisons_of_a_path_have_in_common_is_evaluated_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    placed = 0

    class Counted(Program):
        def _place(self, *given: Any) -> None:
            nonlocal placed
            placed += 1
            super()._place(*given)

    monkeypatch.setattr(shown, "Program", Counted)
    run = summed(Run(Request("f", (), {}), Status.RETURNED, variables={"x": (Sort.INT, 3)}))
    assert len(list(borders_of(run, "f", Borders()))) == TURNS
    assert placed < 8 * TURNS
