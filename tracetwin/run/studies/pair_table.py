"""The pair table of a class, as plain data (Buy, Orso, Pezze, table 1)."""

from __future__ import annotations

from typing import Any

from tracetwin.explore.criteria.def_use import all_ways, row_of
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.summaries.pairs import PairSearch
from tracetwin.explore.summaries.static_pairs import pairs_of
from tracetwin.explore.summaries.study import ClassStudy
from tracetwin.run.module_facts import text_of
from tracetwin.run.studies.session import Session


def pair_data(study: ClassStudy, session: Session, budget: Budget) -> list[dict[str, Any]]:
    """Search a sequence for every pair of a class; what was found, one entry per pair."""
    pairs = pairs_of(text_of(session.module).source, session.module.name, study.name)
    search = PairSearch(pairs, study.summaries, session.executor, budget)
    for _ in all_ways(search, study, session.executor, session.solver, budget, again=True):
        pass
    return [row_of(result) for result in search.results.values()]
