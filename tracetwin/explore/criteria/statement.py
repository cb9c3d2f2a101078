"""The criterion `statement`: every statement, as coverage.py counts them, by as few tests as that takes."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tracetwin.explore.criteria.base import (
    Criterion,
    ModuleText,
    Reached,
    Sides,
    SuiteCoverage,
    goal_of_line,
    guarding,
)
from tracetwin.model.goal import Goal

if TYPE_CHECKING:
    from instrumenter.twin import Site


class StatementCriterion(Criterion):
    """A side of a condition is wanted only where some statement runs on that side alone."""

    name = "statement"
    noun = "statement"

    def sides(self, site: Site, text: ModuleText) -> Sides:
        guards = guarding(text.source, ast.stmt)
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
        return [goal_of_line(self, f"line {line}", line, written) for line in sorted(written.lines)]

    def told(self, goals: Sequence[Goal]) -> Iterator[str]:
        """Nothing: the table of functions counts lines, and tells why some were not reached."""
        return iter(())


_STATEMENTS: Final = ("if", "while", "for", "assert", "guard")
"""Kinds of sites that decide which statements run; the others decide within one."""


CRITERION: Final = StatementCriterion()
