"""Runs that came to a condition and left no test there: what became of them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from tracetwin.analysis.entries import WayIn
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.invokable import Invokable
from tracetwin.model.status import Status
from tracetwin.run.results.places import Places
from tracetwin.run.results.stops import Stops
from tracetwin.support.text import count

Tried: TypeAlias = "Sequence[tuple[Invokable, ExplorationOutcome]]"
"""What was explored, and what came of it."""

UNWRITTEN: Final = "reached, but no test could be written: {}"
GIVEN_UP: Final = "runs that came here were given up: {} ({})"
PARTED: Final = "the same input goes another way when the code itself is run on it"
KEPT: Final = "the code itself was run on such an input, and no test that was kept shows it"
PREPARING: Final = "runs came here only while they prepared an object, and failed before the call: {}"
CAME: Final = "a run came here, and no test of it was written"

_LIMITS: Final = {
    Status.TIMEOUT: "still running{} when their time was up",
    Status.ENDLESS: "they decided more often than a run may{}",
    Status.EXHAUSTED: "memory or recursion was used up{}",
    Status.DIED: "their process ended{}",
}
"""How limits end runs, with the place."""


class Untested:
    """Tells why runs that came to a condition have no test.

    Args:
        places: the functions of the module.
        lines: the lines of conditions, by their sites.
        explored: what was explored, and what came of it.
        dropped: per function, lines that only inputs reach of which no test could be made, and why.
        sides: sides of conditions that such inputs show, and why.
        replayed: the lines that the code itself was seen to run, whatever became of the inputs.
    """

    def __init__(
        self,
        places: Places,
        lines: Mapping[int, int],
        explored: Tried,
        dropped: Mapping[str, Mapping[int, str]],
        sides: Mapping[int, str],
        replayed: Collection[int] = (),
    ) -> None:
        self._places = places
        self._dropped = dropped
        self._sides = sides
        self._replayed = replayed
        cases = (case for _, outcome in explored for case in outcome.cases)
        self._shown = frozenset(side for case in cases for side in case.shows if isinstance(side, int))
        self._lines = frozenset(lines.get(side >> 1, 0) for side in self._shown)

    def why(self, line: int, sides: Collection[int], tried: Tried) -> str:
        """Return why runs that took one of some sides on a line have no test; all sides: that came there."""
        if why := next((self._sides[side] for side in sides if side in self._sides), ""):
            return UNWRITTEN.format(why)
        if not self._shown.isdisjoint(sides):
            return UNWRITTEN.format(KEPT if line in self._replayed else PARTED)
        if why := next((known[line] for known in self._dropped.values() if line in known), ""):
            return UNWRITTEN.format(why)
        function = self._places.around(line)
        last = 0 if function is None else function[1].end_lineno or 0
        stopped = stops_of(self._places, tried).at(WayIn(line, None, line, last=last))
        return self._given_up(line, tried) or stopped or _preparing(tried) or CAME

    def broken_off(self, line: int, tried: Tried) -> str:
        """Return which limits ended the runs that came to a line, "" where some of them came to an end."""
        return "" if line in self._lines else self._given_up(line, tried)

    def _given_up(self, line: int, tried: Tried) -> str:
        struck: Counter[tuple[Status, int]] = Counter()
        for _, outcome in tried:
            struck.update(outcome.statistics.strikes.places)
        beyond = self._beyond(line)
        fitting = [place for place, _ in struck.most_common() if any(place[1] in span for span in beyond)]
        if not fitting:
            return ""
        status, at = fitting[0]
        words = _LIMITS.get(status, "{}").format(f" in line {at}")
        return GIVEN_UP.format(words, count(sum(struck[place] for place in fitting), "run"))

    def _beyond(self, line: int) -> list[range]:
        """The lines of a function from one on, and those of the functions that these call."""
        found = self._places.around(line)
        if found is None:
            return []
        rest = range(line, (found[1].end_lineno or line) + 1)
        calls = (one for one in ast.walk(found[1]) if isinstance(one, ast.Call) and one.lineno in rest)
        called = self._places.reached(ast.unparse(one.func) for one in calls)
        return [rest, *(range(one.lineno, (one.end_lineno or one.lineno) + 1) for one in called)]


def stops_of(places: Places, tried: Iterable[tuple[Invokable, ExplorationOutcome]]) -> Stops:
    """Return the exceptions that ended the runs of what was tried."""
    return Stops(places, (outcome.statistics.stops for _, outcome in tried))


def _preparing(tried: Tried) -> str:
    """Return what failed before the calls that were tried, "" where nothing did."""
    failed: Counter[str] = Counter()
    for _, outcome in tried:
        failed.update(outcome.statistics.unbuilt)
    first = next((what for what, _ in failed.most_common()), "")
    return PREPARING.format(first) if first else ""
