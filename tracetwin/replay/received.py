"""Takes in what a replaying process tells: a target can write to its descriptors, so anything may come."""

from __future__ import annotations

from typing import Any, Final

from tracetwin.model.codec import decode_observation
from tracetwin.model.field_types import Malformed
from tracetwin.model.observation import Observation, ended
from tracetwin.model.status import Outcome

GARBLED: Final = "what it told can't be read"


def imported(answer: Any) -> dict[str, Any] | None:
    """The report of a process on its import; None where it is none."""
    fits = type(answer) is dict and answer.keys() >= {"lines", "arcs", "outline"}
    return answer if fits else None


def observation(seen: Any) -> Observation:
    """The observation that a message is; one that says so where it is none."""
    try:
        return decode_observation(seen)
    except Malformed:
        return ended(Outcome.DIED, GARBLED)
