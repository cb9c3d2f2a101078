"""Takes in what a replaying process tells: a target can write to its descriptors, so anything may come."""

from __future__ import annotations

from typing import Any, Final

from tracetwin.model.codec.checks import Malformed
from tracetwin.model.codec.observations import decode_observation
from tracetwin.model.observation import Observation, ended
from tracetwin.model.status import Outcome
from tracetwin.process import wire

GARBLED: Final = "what it told can't be read"


def imported(answer: Any) -> dict[str, Any]:
    """What a process tells of the import.

    Raises:
        wire.Closed: it is nothing of the kind.
    """
    if type(answer) is dict and ("error" in answer or answer.keys() >= {"lines", "arcs", "outline"}):
        return answer
    raise wire.Closed


def observation(body: bytes) -> Observation:
    """The observation in a message; one that says so where it is none."""
    try:
        return decode_observation(wire.unpack(body))
    except (wire.Closed, Malformed):
        return ended(Outcome.DIED, GARBLED)
