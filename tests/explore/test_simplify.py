"""Inputs are made simpler, and livelier where nothing but emptiness was needed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runtime.expr import Sort
from tests.explore.support import explore
from tracetwin.explore.loop.run import Assignment, Request, Run
from tracetwin.explore.loop.simplify import enlivened
from tracetwin.model.status import Status


def polled(values: Assignment) -> Run:
    """A loop over the answers of a mock, which ends at the first one that is not 0."""
    asked: dict[str, object] = {}
    for name in ("first", "second", "third"):
        asked[name] = values.get(name, 0)
        if asked[name]:
            break
    variables = {name: (Sort.INT, value) for name, value in asked.items()}
    outcomes = frozenset((2,) if asked.get("third") != 1 else (3,))
    return Run(Request("f", (), values), Status.RETURNED, variables=variables, outcomes=outcomes)


def test_what_a_livelier_answer_leaves_unasked_is_left_alone() -> None:
    assert dict(enlivened(polled({}), polled).values) == {"first": 1}


def test_together_does_not_work() -> None:
    def execute(values: Assignment) -> Run:
        run = polled(values)
        many = sum(bool(value) for value in values.values()) > 1
        return replace(run, status=Status.RAISED if many else Status.RETURNED)

    assert dict(enlivened(polled({}), execute).values) == {"first": 1}


FOUND_LATE = """
def f(a, b, c=None):
    if a > 100:
        x = 1 if b else 2
    else:
        x = 3
    if c is not None:
        if isinstance(c, dict):
            x = 4
        elif len(c) == 2:
            x = 5
    if b > 7:
        x += 1
    return x
"""


@pytest.mark.parametrize("runs", range(3, 14))
def test_what_is_found_while_inputs_are_simplified_is_kept(runs: int) -> None:
    found = explore(FOUND_LATE, "f", runs=runs).outcome
    assert found.covered <= {side for case in found.cases for side in case.shows}
