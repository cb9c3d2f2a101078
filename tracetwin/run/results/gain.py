"""The gain curve: how many sides of conditions had been reached, by how many runs, at which time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Final

from tracetwin.model.timeline import Gain
from tracetwin.support.data import dataclass

MOST_POINTS: Final = 200
"""Points of a curve that are kept; they lie as far apart in what was reached as that takes."""


@dataclass
class GainCurve:
    """The gain curve of a module: what its runs had reached at each time.

    Attributes:
        clock: counts seconds.
        began: when the run began, by that clock.
        points: where it rises, and where each level ends.
    """

    clock: Callable[[], float] = time.monotonic
    began: float = field(default_factory=time.monotonic)
    points: list[Gain] = field(default_factory=list)
    _reached: dict[str, tuple[int, int]] = field(default_factory=dict)

    def note(self, name: str, covered: int, runs: int) -> None:
        """A function has been run so many times, and so many sides were reached.

        What is gone through again, from a journal, is no news.
        """
        before = self._reached.get(name, (0, 0))
        self._reached[name] = (max(before[0], covered), max(before[1], runs))
        reached, executions = (sum(part) for part in zip(*self._reached.values(), strict=True))
        point = Gain(self.clock() - self.began, executions, reached)
        if [one.covered for one in self.points[-2:]] == [reached, reached]:
            self.points[-1] = point
        else:
            self.points.append(point)


def together(curves: Iterable[Iterable[Gain]]) -> list[Gain]:
    """Return the curve of all modules of a run."""
    told = [(point.seconds, number, point) for number, curve in enumerate(curves) for point in curve]
    latest: dict[int, Gain] = {}
    found: list[Gain] = []
    for seconds, number, point in sorted(told, key=lambda one: one[:2]):
        latest[number] = point
        runs, covered = sum(one.runs for one in latest.values()), sum(one.covered for one in latest.values())
        found.append(Gain(seconds, runs, covered))
    return thinned(found)


def thinned(points: list[Gain], most: int = MOST_POINTS) -> list[Gain]:
    """Return some of the points of a curve, the first and the last among them."""
    if len(points) <= most:
        return points
    step = (len(points) - 1) / (most - 1)
    return [points[round(step * number)] for number in range(most)]
