"""The criterion `statement`: every statement, as coverage.py counts them, by as few tests as that takes."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tracetwin.analysis.guards import guards_of, statement_lines
from tracetwin.explore.criteria.base import (
    Criterion,
    ModuleText,
    Reached,
    Sides,
    SuiteCoverage,
    fate_of,
    parsed,
)
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.model.goal import Goal, GoalFate

if TYPE_CHECKING:
    from instrumenter.twin import Site


class StatementCriterion(Criterion):
    """A side of a condition is wanted only where some statement runs on that side alone."""

    name = "statement"
    noun = "statement"

    def sides(self, site: Site, text: ModuleText) -> Sides:
        guards = _guards(text.source)
        if site.kind.value not in _STATEMENTS:
            return Sides()
        outcomes = (1,) if site.kind.value == "for" else (0, 1)
        wanted = [outcome for outcome in outcomes if (site.line, outcome) in guards]
        return Sides(main=tuple(site.id * 2 + outcome for outcome in wanted))

    def select(self, reached: Reached) -> Iterator[tuple[Hashable, ...]]:
        yield from (("line", line) for line in reached.lines)
        yield from (("own line", line) for line in reached.own_lines)
        yield ("called", reached.target)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        return [self._goal(line, written) for line in sorted(written.lines)]

    def _goal(self, line: int, written: SuiteCoverage) -> Goal:
        if line in written.covered_lines:
            return Goal(self.name, f"line {line}", written.function(line), line, GoalFate.COVERED)
        reason = written.why_line(line)
        fate = fate_of(reason, Obstacle.INFEASIBLE.value)
        return Goal(self.name, f"line {line}", written.function(line), line, fate, reason)

    def told(self, goals: Sequence[Goal]) -> Iterator[str]:
        """Nothing: the table of functions counts lines, and tells why some were not reached."""
        return iter(())


_STATEMENTS: Final = ("if", "while", "for", "assert", "guard")
"""Kinds of sites that decide which statements run; the others decide within one."""


@functools.lru_cache(maxsize=4)  # asked for by every condition of a module
def _guards(source: bytes) -> frozenset[tuple[int, int]]:
    """The line and the outcome of each condition that some statement hangs on."""
    tree = parsed(source)
    return frozenset(
        (guard.line, guard.outcome) for line in statement_lines(tree) for guard in guards_of(tree, line)
    )


CRITERION: Final = StatementCriterion()
