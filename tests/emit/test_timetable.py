"""When the phases of a suite end."""

from __future__ import annotations

import math
import time

import pytest

from tracetwin.emit.timetable import FINISHING, LEAST, REPLAYS, STARTS, Timetable


def table(left: float, *, starting: float = 1.0, case: float = 0.01, verifying: float = 0.0) -> Timetable:
    made = Timetable(time.monotonic() + left)
    made.starting, made.case, made.verifying = starting, case, verifying
    return made


def test_where_runs_bound_the_work_no_phase_ends_by_the_clock() -> None:
    free = Timetable()
    free.starting, free.case = 1.0, 0.01
    starts = [free.last_start(9), free.last_start(9, twice=True)]
    assert [math.inf] * 4 == [free.verified_by, free.glancing, *starts]


def test_time_for_verifying_is_kept_by_what_starting_and_replaying_took() -> None:
    times = table(20.0)
    once = STARTS * 1.0 + REPLAYS * 0.01 * 100
    assert times.verified_by - once == pytest.approx(times.last_start(100))
    assert times.verified_by - 2 * once == pytest.approx(times.last_start(100, twice=True))
    assert times.ends - FINISHING * 1.0 == times.verified_by


def test_once_it_was_verified_that_is_what_it_takes() -> None:
    times = table(20.0, verifying=3.0)
    assert times.verified_by - 3.0 == times.last_start(100) == times.last_start(1, twice=True)


def test_where_there_is_no_time_for_all_some_are_replayed_and_verified() -> None:
    times = table(4.0, case=1.0)
    left = times.last_start(100) - time.monotonic()
    assert LEAST * (4.0 - FINISHING) == pytest.approx(left, abs=0.1)
    assert times.last_start(100, twice=True) < times.last_start(100)
    assert 0 < table(2.0, starting=2.0).glancing


def test_time_is_kept_for_choosing_as_long_as_that_took_until_now() -> None:
    times = table(20.0)
    before = times.last_start(10)
    times.choosing = 2.0
    assert before - 2.0 == pytest.approx(times.last_start(10))


def test_the_first_verification_is_not_broken_off_at_once_however_late_it_begins() -> None:
    late = table(-1.0)
    left = late.verified_until(10) - time.monotonic()
    assert STARTS * 1.0 + REPLAYS * 0.01 * 10 == pytest.approx(left, abs=0.1)
    again = table(-1.0, verifying=1.0)
    assert again.verified_by == again.verified_until(10)
