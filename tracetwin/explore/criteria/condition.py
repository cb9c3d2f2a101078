"""The criterion `condition`: each condition, and each operand of one, both ways (Myers, 1979)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Final

from tracetwin.explore.criteria.base import Criterion, ModuleText, Reached, Sides, SuiteCoverage, fate_of
from tracetwin.explore.criteria.branch import LOOPS
from tracetwin.model.goal import Goal, GoalFate

if TYPE_CHECKING:
    from instrumenter.twin import Site


class ConditionCriterion(Criterion):
    """Operands of `and`, `or`, `not` and of chained comparisons, guards, conditional expressions."""

    name = "condition"
    noun = "condition outcome"
    wants_sides = True

    def sides(self, site: Site, text: ModuleText) -> Sides:
        if site.kind.value in LOOPS:
            return Sides()
        return Sides(main=(site.id * 2, site.id * 2 + 1))

    def select(self, reached: Reached) -> Iterator[tuple[Hashable, ...]]:
        yield from (("shown", entry) for entry in reached.shown if isinstance(entry, int))
        yield ("called", reached.target)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        return [
            self._goal(site, outcome, written)
            for site in sorted(written.sites, key=lambda one: (one.line, one.column, one.id))
            if site.kind.value not in LOOPS and site.scope
            for outcome in (1, 0)
        ]

    def _goal(self, site: Site, outcome: int, written: SuiteCoverage) -> Goal:
        name = f"{site.kind.value} in line {site.line}, column {site.column}: {bool(outcome)}"
        function = written.function(site.line)
        if site.id * 2 + outcome in written.shown:
            return Goal(self.name, name, function, site.line, GoalFate.COVERED)
        reason = written.why_site(site.id, outcome) or written.why_line(site.line)
        reason = reason or written.why_rest(site.line)
        return Goal(self.name, name, function, site.line, fate_of(reason), reason)


CRITERION: Final = ConditionCriterion()
