"""Runs that ended before the target had answered: how they are told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tracetwin.model.status import LIMITS

if TYPE_CHECKING:
    from tracetwin.explore.objects.exploration import ExplorationOutcome


def causes(outcome: ExplorationOutcome) -> list[tuple[str, int]]:
    """Why runs of a target were given up, each with how often."""
    found = sorted(outcome.endings.items())
    return [(_cause(ending), times) for ending, times in found if ending.partition(" ")[0] in LIMITS]


def sentences(outcome: ExplorationOutcome) -> Iterator[str]:
    """One sentence per cause, and what followed from it."""
    runs = outcome.statistics.runs
    for cause, times in causes(outcome):
        yield f"{times} of its {runs} runs {'was' if times == 1 else 'were'} given up: {cause}"
    if struck := outcome.statistics.strikes.sentence():
        yield struck


def _cause(ending: str) -> str:
    status, _, detail = ending.partition(" ")
    return detail.removeprefix("was ") or status
