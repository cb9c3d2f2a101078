"""The pair table of a class, as plain data (Buy, Orso, Pezze, table 1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.run import Executor, Run
from tracetwin.explore.summaries.forward import forward_runs
from tracetwin.explore.summaries.pairs import QUICK, THOROUGH, Fate, PairSearch, Result
from tracetwin.explore.summaries.study import ClassStudy
from tracetwin.run.studies.report import call_text
from tracetwin.run.studies.session import Session
from tracetwin.run.studies.static_pairs import pairs_of
from tracetwin.solving import Solver


def pair_data(study: ClassStudy, session: Session, budget: Budget) -> list[dict[str, Any]]:
    """Search a sequence for every pair of a class; what was found, one entry per pair."""
    pairs = pairs_of(session.module, study.name)
    search = PairSearch(pairs, study.summaries, session.executor, budget)
    for _ in all_ways(search, study, session.executor, session.solver, budget, again=True):
        pass
    return [row_of(result) for result in search.results.values()]


def all_ways(
    search: PairSearch,
    study: ClassStudy,
    executor: Executor,
    solver: Solver,
    budget: Budget,
    only: Collection[int] | None = None,
    *,
    again: bool = False,
) -> Iterator[Run]:
    """Deduce briefly, then call forwards on real objects, then deduce at length; gives runs that cover pairs.

    Args:
        search: the pairs.
        study: their class.
        executor: runs requests.
        solver: answers questions.
        budget: every run is taken from it.
        only: the numbers of the pairs that are wanted.
        again: see `PairSearch.search`.
    """
    if not study.summaries:
        return
    yield from search.search(QUICK, only, again=again)
    if search.open_pairs(only):
        runs = forward_runs(executor, solver, study.words, list(study.summaries), budget)
        yield from search.take(runs, only)
    yield from search.search(THOROUGH, only)


def row_of(result: Result) -> dict[str, Any]:
    """One pair as plain data."""
    pair = result.pair
    return {
        "number": pair.number,
        "attribute": pair.attribute,
        "define": pair.define._asdict(),
        "use": pair.use._asdict(),
        "status": result.fate.value,
        "why": result.why,
        "sequence": call_text(result.run) if result.fate is Fate.COVERED and result.run else "",
    }
