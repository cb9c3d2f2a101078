"""Chosen cases made better: shorter first, then more telling in values and calls."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final, NamedTuple

from tracetwin.emit.select.enrich import enrich
from tracetwin.emit.select.plausible import enliven
from tracetwin.emit.select.shorten import Improving, Run, Seen, shorten
from tracetwin.emit.select.years import with_known_years
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
    """Return each case with its observation, or what takes its place; `data` is one of `DATA`."""
    with watch.phase("shortening"):
        now = shorten(Improving(chosen, run, coverable, settled, times.shortening, criteria))
    work = Improving(now, run, coverable, settled, times.telling, criteria)
    with watch.phase("enriching"):
        now = with_known_years(work._replace(chosen=enrich(work)))
    with watch.phase("telling values"):
        now = enliven(work._replace(chosen=now), tidy=True)
        return enliven(work._replace(chosen=now)) if data == PLAUSIBLE else now
