"""One replay of all cases, before any is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tracetwin.model.case import Case
from tracetwin.replay.session import Replay
from tracetwin.replay.stability import TwoSessions

PLAINEST: Final = 2
"""Cases of each target, the first that showed something, that are replayed whatever the time."""


def glanced(sessions: TwoSessions, cases: Sequence[Case], seconds: float) -> Replay:
    """Return all cases replayed once, in their order; those that show something new get their turn first."""
    known: set[object] = set()
    met = Counter[str]()
    plainest, new, others = list[int](), list[int](), list[int]()
    for position, case in enumerate(cases):
        shown = {*case.shows, (case.target, case.origin)}
        if shown <= known:
            others.append(position)
            continue
        met[case.target] += 1
        (plainest if met[case.target] <= PLAINEST else new).append(position)
        known |= shown
    order = [*plainest, *new, *others]
    seen = sessions.glance([cases[position] for position in order], seconds, len(plainest))
    if seen.error:
        return seen
    places = sorted(range(len(order)), key=order.__getitem__)
    return replace(seen, observations=[seen.observations[place] for place in places])
