"""Mocks that are built from recipes."""

from __future__ import annotations

import pytest

import tracetwin.drawing.mocks.build  # noqa: F401 - enters what builds mocks
from tracetwin.model.recipes import Bound, evaluate, lit

POLLED = {
    "kind": "method",
    "calls": [{"args": [], "kwargs": [], "outcome": ["return", lit(n)], "effects": []} for n in (1, 2)],
    "value": None,
}
SPEC = {"number": 0, "name": "Bus", "kind": "duck", "bases": [], "parameters": -1, "offers": {}}


def test_a_call_that_no_run_answered_is_noted() -> None:
    bound = Bound()
    bus = evaluate(("mock", SPEC, {"poll": POLLED}), bound)
    assert [1, 2] == [bus.poll(), bus.poll()]
    assert [] == bound.spent
    with pytest.raises(StopIteration):
        bus.poll()
    assert ["poll"] == bound.spent
