"""The criterion `exception`: every exception that can leave a call, by its type and line."""

from __future__ import annotations

import ast
import functools
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Final

from tracetwin.analysis.guards import guards_of
from tracetwin.explore.criteria.base import (
    Criterion,
    ModuleText,
    Raising,
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

DROPPED: Final = "a run raised it, and no test of it was written"


class ExceptionCriterion(Criterion):
    """Explicit `raise` statements of the text, and whatever else was seen to leave a call."""

    name = "exception"
    noun = "exception"

    def sides(self, site: Site, text: ModuleText) -> Sides:
        guarding = _guarding(text.source)
        return Sides(main=tuple(site.id * 2 + way for way in (0, 1) if (site.line, way) in guarding))

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
        name = f"raise{what} in line {line}"
        if line in written.covered_lines:
            return Goal(self.name, name, written.function(line), line, GoalFate.COVERED)  # and caught again
        reason = written.why_line(line)
        fate = fate_of(reason, Obstacle.INFEASIBLE.value)
        return Goal(self.name, name, written.function(line), line, fate, reason)


def _order(one: Raising) -> tuple[int, str, str]:
    return one.line, one.target, one.kind


def _lines(node: ast.Raise) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


@functools.lru_cache(maxsize=4)  # asked for by every condition of a module
def _guarding(source: bytes) -> frozenset[tuple[int, int]]:
    """The line and the outcome of each condition that a `raise` hangs on."""
    tree = parsed(source)
    raises = (node for node in ast.walk(tree) if isinstance(node, ast.Raise))
    return frozenset(
        (guard.line, guard.outcome) for node in raises for guard in guards_of(tree, node.lineno)
    )


CRITERION: Final = ExceptionCriterion()
