"""Where the results of a mock begin."""

from __future__ import annotations

import pytest

from tracetwin.drawing.mocks.first_results import as_before, ending
from tracetwin.drawing.plans.containers import ListPlan
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import NONE, BoolPlan, IntPlan, Plan, StrPlan, UnionPlan
from tracetwin.model.recipe import Call, list_of
from tracetwin.model.recipes import lit


def first(plan: Plan) -> object:
    return plan.build(PlainDraw(), "x")[0]


@pytest.mark.parametrize(
    ("plan", "last", "expected"),
    [
        (BoolPlan(), lit(False), True),
        (BoolPlan(), lit(True), False),
        (IntPlan(), lit(5), 0),
        (IntPlan(), lit(0), 1),
        (StrPlan("a"), lit("a"), ""),
        (ListPlan(IntPlan(), 2), list_of(lit(1)), []),
        (UnionPlan((IntPlan(), NONE)), lit(1), None),
        (UnionPlan((StrPlan("a"), IntPlan())), lit("a"), ""),
        (BoolPlan(), None, True),
    ],
)
def test_endings(plan, last, expected):
    assert expected == first(ending(plan, last))


def test_as_before():
    assert 7 == first(as_before(IntPlan(), lit(7)))
    assert 0 == first(as_before(IntPlan(), lit("a")))
    assert 0 == first(as_before(IntPlan(), Call("m", "f")))
