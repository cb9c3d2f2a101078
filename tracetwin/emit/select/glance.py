"""One replay of all cases, before any is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tracetwin.model.case import Case
from tracetwin.replay.session import Replay
from tracetwin.replay.stability import TwoSessions


def glanced(sessions: TwoSessions, cases: Sequence[Case], seconds: float) -> Replay:
    """Return all cases replayed once, in their order; those that show something new get their turn first."""
    known: set[object] = set()
    new, others = list[int](), list[int]()
    for position, case in enumerate(cases):
        shown = {*case.shows, (case.target, case.origin)}
        (others if shown <= known else new).append(position)
        known |= shown
    order = [*new, *others]
    seen = sessions.glance([cases[position] for position in order], seconds)
    if seen.error:
        return seen
    places = sorted(range(len(order)), key=order.__getitem__)
    return replace(seen, observations=[seen.observations[place] for place in places])
