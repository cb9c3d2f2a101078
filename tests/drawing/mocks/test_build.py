"""Mocks that are built from recipes."""

from __future__ import annotations

import pytest

from tracetwin.drawing.mocks.build import build
from tracetwin.model.recipe import Answer, MockMember, MockRecipe, RecordedCall
from tracetwin.model.recipes import NamedValues, evaluate, lit

POLLED = MockMember("method", tuple(RecordedCall((), (), Answer(lit(n))) for n in (1, 2)))
BUS = MockRecipe(0, "duck", "Bus", "bus", offers={}, members={"poll": POLLED})


def test_a_call_that_no_run_answered_is_noted() -> None:
    bound = NamedValues(build)
    bus = evaluate(BUS, bound)
    assert [1, 2] == [bus.poll(), bus.poll()]
    assert [] == bound.spent
    with pytest.raises(StopIteration):
        bus.poll()
    assert ["poll"] == bound.spent
