"""Where only some functions of a module are the target, its figures are theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tracetwin.emit.result import Covered

if TYPE_CHECKING:
    from tracetwin.emit.result import Suite
    from tracetwin.model.goal import Goal
    from tracetwin.model.invokable import Invokable
    from tracetwin.replay.static import SourceFunction


def narrowed(suite: Suite, selection: Sequence[str], invokables: Iterable[Invokable]) -> Suite:
    """Return a suite whose coverage of the module is that of what was selected."""
    if not selection or suite.coverable is None:
        return suite
    places = (suite.coverage.get(one.place) for one in _selected(suite, selection, invokables))
    parts = [part for part in places if part is not None]
    whole = Covered(
        frozenset(line for part in parts for line in part.lines),
        frozenset(line for part in parts for line in part.covered_lines),
        frozenset(arc for part in parts for arc in part.branches),
        frozenset(arc for part in parts for arc in part.covered_branches),
    )
    return replace(suite, coverage={**suite.coverage, "": whole})


def goals_within(
    goals: Iterable[Goal], suite: Suite, selection: Sequence[str], invokables: Iterable[Invokable]
) -> list[Goal]:
    """Return the goals that lie in what was selected."""
    if not selection or suite.coverable is None:
        return list(goals)
    spans = [(one.first_line, one.last_line) for one in _selected(suite, selection, invokables)]
    return [goal for goal in goals if any(first <= goal.line <= last for first, last in spans)]


def _selected(
    suite: Suite, selection: Sequence[str], invokables: Iterable[Invokable]
) -> Iterator[SourceFunction]:
    """Yield the functions that were selected, with all that is defined in them."""
    # One that a class inherits has the name of its base in the source; it is known by where it is.
    firsts = {one.first_line for one in invokables}
    for function in suite.coverable.functions if suite.coverable else ():
        within = any(f"{function.qualname}.".startswith(f"{name}.") for name in selection)
        if within or any(function.first_line <= first <= function.last_line for first in firsts):
            yield function
