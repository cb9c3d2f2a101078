"""Runs observed instruction by instruction: which definitions of variables come to which uses."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tracetwin.explore.loop.budget import ExplorationStatistics
from tracetwin.explore.loop.goals import Goals
from tracetwin.explore.loop.run import Executor, Run

MOST_OBSERVED: Final = 2_000
"""Conditions on the path of a run that is observed: longer ones take too long."""


def with_flows(run: Run, goals: Goals, executor: Executor, statistics: ExplorationStatistics) -> Run:
    """Return a run with the definition-use pairs of variables that it executes, if they are wanted."""
    if not goals.flows or run.variable_pairs or len(run.path) > MOST_OBSERVED:
        return run
    statistics.runs += 1
    again = executor.run(replace(run.request, flow=True))
    return replace(run, variable_pairs=again.variable_pairs) if again.ending == run.ending else run
