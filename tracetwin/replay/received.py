"""Checks of what a replaying process tells: a target can write to its descriptors, so anything may come."""

from __future__ import annotations

from typing import Any, Final

from tracetwin.replay.case import Observation, blank

GARBLED: Final = "what it told can't be read"

_TEMPLATE: Final = blank("returned")
_ALSO: Final[dict[str, tuple[type, ...]]] = {
    "exception": (tuple,),
    "raised_at": (int,),
    "stdout": (),
    "stderr": (),
    "same": (tuple,),
    "reads": (list, tuple, dict),
}
"""What else than in a blank observation may stand there."""

_NUMBERS: Final = ("lines", "own_lines")
_PAIRS: Final = ("arcs", "own_arcs")


def imported(answer: Any) -> dict[str, Any] | None:
    """What a process tells of the import; None where it is nothing of the kind."""
    fits = type(answer) is dict and answer.keys() >= {"lines", "arcs", "outline"}
    return answer if fits else None


def observation(seen: Any) -> Observation:
    """The observation that a message is; one that says so where it is none."""
    return seen if is_observation(seen) else blank("died", GARBLED)


def is_observation(seen: Any) -> bool:
    """Whether something has the parts of an observation, each of its type."""
    if type(seen) is not dict or not _TEMPLATE.keys() <= seen.keys():
        return False
    if not all(_fits(name, seen[name]) for name in _TEMPLATE):
        return False
    numbers = all(type(line) is int for name in _NUMBERS for line in seen[name])
    return numbers and all(_is_pair(arc) for name in _PAIRS for arc in seen[name])


def _fits(name: str, value: object) -> bool:
    usual = _TEMPLATE[name]
    return type(value) is type(usual) or type(value) in _ALSO.get(name, ())


def _is_pair(arc: object) -> bool:
    return type(arc) in (tuple, list) and [type(end) for end in arc] == [int, int]  # type: ignore[attr-defined]
