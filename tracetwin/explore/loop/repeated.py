"""Runs that are made once more: watched instruction by instruction, or with more decisions.

The first shows which definitions of variables come to which uses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tracetwin.explore.loop.budget import LONGER, ExplorationStatistics, LimitHits
from tracetwin.explore.loop.goals import Goals
from tracetwin.explore.loop.run import Executor, Request, Run

MOST_OBSERVED: Final = 2_000
"""Conditions on the path of a run that is observed: longer ones take too long."""


def patient_run(executor: Executor, request: Request, hits: LimitHits) -> Run:
    """Return a run that is made once more, with more decisions, where these may bring it to an end.

    Who reads a table when it is called passes many conditions on what no input decides.
    """
    run = executor.run(request)
    if not hits.asks_for_more(run.status, run.line, len(run.path)):
        return run
    again = executor.run(replace(request, halvings=-LONGER))
    hits.is_long = not again.status.is_limit
    return again if hits.is_long else run


def with_flows(run: Run, goals: Goals, executor: Executor, statistics: ExplorationStatistics) -> Run:
    """Return a run with the definition-use pairs of variables that it executes, if they are wanted."""
    if not goals.flows or run.variable_pairs or len(run.path) > MOST_OBSERVED:
        return run
    statistics.runs += 1
    again = executor.run(replace(run.request, flow=True))
    return replace(run, variable_pairs=again.variable_pairs) if again.ending == run.ending else run
