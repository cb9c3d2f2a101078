"""Where the time of a module went, shown under `-v`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tracetwin.support.text import clean, count, duration

LEAST: Final = 0.05
"""Seconds of a phase that is told."""


def phase_lines(runs: int, stats: Mapping[str, Any]) -> Iterator[str]:
    """A line on exploring, and one on what was done to the cases that were found."""
    spent = stats.get("exploration_seconds", 0.0)
    if spent and runs:
        yield f"  exploring: {duration(spent)}, {count(round(runs / spent), 'run')} a second"
    phases = stats.get("phases", {})
    told = [f"{clean(name)} {duration(seconds)}" for name, seconds in phases.items() if seconds >= LEAST]
    if told:
        yield f"  the suite: {duration(sum(phases.values()))} ({', '.join(told)})"
