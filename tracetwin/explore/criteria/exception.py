"""The criterion `exception`: every exception that can leave a call, by its type and line."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Final

from tracetwin.explore.criteria.base import (
    Criterion,
    ModuleText,
    Raising,
    Reached,
    Sides,
    SuiteCoverage,
    goal_of_line,
    guarding,
)
from tracetwin.model.goal import Goal, GoalFate

if TYPE_CHECKING:
    from instrumenter.twin import Site

DROPPED: Final = "a run raised it, and no test of it was written"


class ExceptionCriterion(Criterion):
    """Explicit `raise` statements of the text, and whatever else was seen to leave a call."""

    name = "exception"
    noun = "exception"

    def sides(self, site: Site, text: ModuleText) -> Sides:
        known = guarding(text.source, ast.Raise)
        return Sides(main=tuple(site.id * 2 + way for way in (0, 1) if (site.line, way) in known))

    def select(self, reached: Reached) -> Iterator[tuple[Hashable, ...]]:
        if reached.ending[:1] == ("raised",):
            yield ("raised", reached.target, *reached.ending)
        yield ("called", reached.target)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        found = [self._seen(one, written) for one in sorted(written.raised_anywhere, key=_order)]
        known = {one.line for one in written.raised_anywhere}
        found += [
            self._explicit(node, written)
            for node in ast.walk(written.text.tree)
            if isinstance(node, ast.Raise) and not known & set(_lines(node))
        ]
        return sorted(found, key=lambda goal: goal.line)

    def _seen(self, one: Raising, written: SuiteCoverage) -> Goal:
        if one in written.raised:
            return Goal(self.name, one.name, one.target, one.line, GoalFate.COVERED)
        why = written.raised_anywhere[one]
        reason = f"{DROPPED}: {why}" if why else DROPPED
        return Goal(self.name, one.name, one.target, one.line, GoalFate.OPEN, reason)

    def _explicit(self, node: ast.Raise, written: SuiteCoverage) -> Goal:
        line = node.lineno
        what = "" if node.exc is None else f" {ast.unparse(node.exc).partition('(')[0]}"
        # Where it runs, it is caught again: no call ended with it.
        return goal_of_line(self, f"raise{what} in line {line}", line, written)


def _order(one: Raising) -> tuple[int, str, str]:
    return one.line, one.target, one.kind


def _lines(node: ast.Raise) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


CRITERION: Final = ExceptionCriterion()
