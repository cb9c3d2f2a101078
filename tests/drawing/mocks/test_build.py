"""Mocks that are built from recipes."""

from __future__ import annotations

import pytest

from tracetwin.drawing.mocks.build import MOST_TURNS, build
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


def test_who_asks_for_ever_gets_no_answer_in_the_end() -> None:
    always = MockMember("method", (RecordedCall((), (), Answer(lit(1))),))
    bound = NamedValues(build)
    bus = evaluate(MockRecipe(0, "duck", "Bus", "bus", offers={}, members={"poll": always}), bound)
    assert {bus.poll() for _ in range(MOST_TURNS)} == {1}
    with pytest.raises(StopIteration):
        bus.poll()
    assert ["poll"] == bound.spent
