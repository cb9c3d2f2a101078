"""Lengths of time are written in the units of a reader, and are the same lengths."""

from __future__ import annotations

import datetime as dt

import pytest

from tracetwin.emit.source.spans import beside, microseconds_of, span_parts
from tracetwin.model.recipe import Call, Scalar

MICROSECOND = dt.timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ((0, 0), {"days": 0}),
        ((14,), {"days": 14}),
        ((0, 7201), {"hours": 2, "seconds": 1}),
        ((-1, 86399), {"seconds": -1}),
        ((-2, 0, 5), {"days": -1, "hours": -23, "minutes": -59, "seconds": -59, "microseconds": -999995}),
        ((3, 61, 7), {"days": 3, "minutes": 1, "seconds": 1, "microseconds": 7}),
    ],
)
def test_a_length_of_time_is_written_in_the_largest_units(
    given: tuple[int, ...], written: dict[str, int]
) -> None:
    length = microseconds_of(Call("datetime", "timedelta", tuple(map(Scalar, given))))
    assert length is not None
    assert span_parts(length) == written
    assert dt.timedelta(**written) == dt.timedelta(*given) == length * MICROSECOND


def test_what_is_no_length_of_plain_numbers_is_left_alone() -> None:
    assert microseconds_of(Call("datetime", "timedelta", (Scalar(1.5),))) is None
    assert microseconds_of(Call("datetime", "timedelta", (), (("days", Scalar(1)),))) is None
    assert microseconds_of(Call("datetime", "date", (Scalar(1), Scalar(2), Scalar(3)))) is None


def test_a_length_may_be_one_of_a_smaller_unit_beside_a_whole_one() -> None:
    hour = 3_600_000_000
    assert beside(2 * hour + 1_000_000) == ("hours", 2, 1)
    assert beside(24 * hour - 1) == ("days", 1, -1)
    assert beside(5 * hour + 1234) is None
