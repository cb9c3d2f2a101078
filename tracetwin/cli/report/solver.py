"""The solver's figures for a module, shown under `-v`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tracetwin.support.text import clean, columns, count, duration

APART: Final = ("solver", "solver_share", "first_reached", "phases", "exploration_seconds")
"""The figures of a module that are shown here, or in the JSON only."""


def solver_lines(stats: Mapping[str, Any]) -> Iterator[str]:
    """One line in all, then a row for each stage and theory that was asked."""
    figures = stats.get("solver")
    if not figures or not figures["queries"]:
        return
    share = f", {100 * stats['solver_share']:.0f} % of exploring" if "solver_share" in stats else ""
    answered = f"{figures['folded']:,} folded, {figures['cache_hits']:,} from memory"
    yield (
        f"  solver: {count(figures['queries'], 'query')} in {duration(figures['seconds'])}{share}; "
        f"{answered}, {figures['unknown']:,} not answered"
    )
    rows = [["asked", "queries", "sat", "unsat", "unknown", "time"]]
    rows += [_row(name, part) for name, part in figures["stages"].items() if part["queries"]]
    rows += [_row(f"z3: {name}", part) for name, part in figures["theories"].items() if part["queries"]]
    yield from columns(rows, indent="    ")


def _row(name: str, part: Mapping[str, Any]) -> list[str]:
    counts = [f"{part[key]:,}" for key in ("queries", "sat", "unsat", "unknown")]
    return [clean(name, 60), *counts, duration(part["seconds"])]
