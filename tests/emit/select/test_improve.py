"""How long chosen cases are made better."""

from __future__ import annotations

import math

import pytest

from tracetwin.emit.select.improve import LEAST_SECONDS, improving_until


@pytest.mark.parametrize("seconds", [-5.0, 0.5, 3.0])
def test_some_time_is_for_it_however_little_there_is(seconds: float) -> None:
    assert 101.0 + LEAST_SECONDS == improving_until(100.0, 101.0, seconds)


def test_as_much_time_as_replaying_took_is_left_for_the_end() -> None:
    assert 117.0 == improving_until(100.0, 103.0, 20.0)
    assert math.inf == improving_until(100.0, 103.0, math.inf)


@pytest.mark.parametrize("seconds", [-5.0, 0.5, 8.0])
def test_where_replaying_took_all_the_time_there_is_none_for_it(seconds: float) -> None:
    assert 112.0 == improving_until(100.0, 112.0, seconds)
