"""Chosen cases made better: shorter first, then more telling in values and calls."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final, NamedTuple

from tracetwin.emit.select.enrich import enrich
from tracetwin.emit.select.plausible import enliven
from tracetwin.emit.select.shorten import Run, Seen, shorten
from tracetwin.explore.criteria.base import Criterion
from tracetwin.model.options import PLAUSIBLE
from tracetwin.replay.static import Coverable
from tracetwin.support.stopwatch import Stopwatch

LEAST_SECONDS: Final = 2.0
"""For replaying all cases once, and for making the chosen ones better, however little time is left."""


def improving_until(started: float, replayed: float, seconds: float) -> float:
    """Return until when chosen cases are made better: these are replayed again in the end, and then run.

    That is what late suites do without first: nothing is made better where replaying took all the time.
    """
    taken = replayed - started
    if taken > max(seconds, 2 * LEAST_SECONDS):
        return replayed
    return max(replayed + LEAST_SECONDS, started + seconds - taken)


class Times(NamedTuple):
    """Times of `time.monotonic` from which on nothing more is tried."""

    shortening: float
    telling: float


def improved(
    chosen: Sequence[Seen],
    run: Run,
    coverable: Coverable,
    settled: Container[int],
    times: Times,
    criteria: Sequence[Criterion],
    watch: Stopwatch,
    data: str,
) -> list[Seen]:
    """Return each case with its observation, or what takes its place.

    Args:
        chosen: cases that together make a suite, and what was seen of them.
        run: replays cases on the original.
        coverable: what there is to cover.
        settled: positions of cases that stay as they are.
        times: when to stop.
        criteria: say what a case has to keep.
        watch: tells where the time goes.
        data: the values that are written where several do, one of `DATA`.
    """
    with watch.phase("shortening"):
        now = shorten(chosen, run, coverable, settled, times.shortening, criteria)
    with watch.phase("enriching"):
        now = enrich(now, run, coverable, settled, times.telling, criteria)
    if data != PLAUSIBLE:
        return now
    with watch.phase("telling values"):
        return enliven(now, run, coverable, settled, times.telling, criteria)
