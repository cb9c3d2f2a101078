"""Loops over ranges with traced bounds: all rounds are run, and how many there are hangs on the bound."""

from __future__ import annotations

import pytest

from runtime import trace, twin
from runtime.evaluate import evaluate
from runtime.models.collections.ranges import FOLLOWED
from tests.runtime.strict import assert_same, traced

LENGTHS = (0, 1, FOLLOWED - 1, FOLLOWED, FOLLOWED + 1, FOLLOWED + 2, 2 * FOLLOWED, 2 * FOLLOWED + 1, 3000)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("step", [1, 3, -2])
def test_every_number_comes(length: int, step: int) -> None:
    def native(stop: int) -> list[int]:
        return list(range(0, stop, step))

    def shadow(stop: int) -> list[int]:
        return list(twin.iterate(twin.callee(range)(0, stop, step), 1))

    assert_same(native, shadow, [length * step])


@pytest.mark.parametrize("length", LENGTHS)
def test_the_path_says_how_many_rounds_there_were(length: int) -> None:
    seen = trace.start()
    try:
        for _ in twin.iterate(twin.callee(range)(traced("n", length)), 1):
            pass
    finally:
        trace.stop()
    conditions = [node for node, *_ in seen.path]
    others = {length + shift for shift in (-1000, -2, -1, 1, 2, 1000)}
    assert all(evaluate(node, {"n": length}) for node in conditions)
    assert not [n for n in others if n > 0 and all(evaluate(c, {"n": n}) for c in conditions)]


def test_each_round_counts_as_a_step_so_that_loops_without_measure_end() -> None:
    trace.start(limit=5_000)
    try:
        with pytest.raises(trace.StepLimit):
            for _ in twin.iterate(twin.callee(range)(traced("n", 10**12)), 1):
                pass
    finally:
        trace.stop()


def test_long_loops_do_not_record_every_round() -> None:
    seen = trace.start()
    try:
        for _ in twin.iterate(twin.callee(range)(traced("n", 100_000)), 1):
            pass
    finally:
        trace.stop()
    assert len(seen.path) < 2 * FOLLOWED
