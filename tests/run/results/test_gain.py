"""The gain curve of a run."""

from __future__ import annotations

from tracetwin.model.timeline import Gain
from tracetwin.run.results.gain import GainCurve, thinned, together


class Clock:
    now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_a_curve_keeps_its_rises_and_the_ends_of_its_levels() -> None:
    curve = GainCurve(Clock(), 0.0)
    for runs, covered in ((1, 2), (2, 2), (3, 2), (4, 4)):
        curve.note("f", covered, runs)
    curve.note("g", 1, 1)
    assert curve.points == [Gain(1, 1, 2), Gain(3, 3, 2), Gain(4, 4, 4), Gain(5, 5, 5)]


def test_what_is_gone_through_again_is_no_news() -> None:
    curve = GainCurve(Clock(), 0.0)
    curve.note("f", 4, 9)
    curve.note("f", 1, 2)
    assert curve.points[-1] == Gain(2, 9, 4)


def test_curves_of_modules_are_summed() -> None:
    whole = together([[Gain(1, 10, 1), Gain(3, 30, 3)], [Gain(2, 5, 2)]])
    assert whole == [Gain(1, 10, 1), Gain(2, 15, 3), Gain(3, 35, 5)]


def test_the_first_and_the_last_point_stay() -> None:
    points = [Gain(i, i, i) for i in range(1001)]
    some = thinned(points, 11)
    assert [point.covered for point in some] == list(range(0, 1001, 100))
