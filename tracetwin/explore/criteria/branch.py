"""The criterion `branch`: both sides of every condition, as coverage.py counts branches."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tracetwin.analysis.guards import block_start
from tracetwin.explore.criteria.base import Criterion, ModuleText, Reached, Sides, SuiteCoverage, fate_of
from tracetwin.model.goal import Goal, GoalFate
from tracetwin.model.status import Outcome
from tracetwin.support.text import clean

if TYPE_CHECKING:
    from instrumenter.twin import Site

LOOPS: Final = ("for", "comprehension for")
"""Kinds of sites of which only one side counts: whether a native iterator ends can't be seen."""

JUMPS: Final = ("if", "while", "assert", "guard")
"""Kinds of sites that are branches to coverage.py."""


class BranchCriterion(Criterion):
    """Branches first; operands and conditional expressions too, but not at any price."""

    name = "branch"
    noun = "branch"

    def sides(self, site: Site, text: ModuleText) -> Sides:
        if site.kind.value in LOOPS:
            return Sides(main=(site.id * 2 + 1,))
        both = (site.id * 2, site.id * 2 + 1)
        return Sides(main=both) if site.kind.value in JUMPS else Sides(finer=both)

    def select(self, reached: Reached) -> Iterator[tuple[Hashable, ...]]:
        """Lines, branches, what the twin saw, and every way to end.

        What the call itself reaches counts for itself: a test looks at the call, and steps before it may do
        the same unseen.
        """
        yield from (("line", line) for line in reached.lines)
        yield from (("arc", arc) for arc in reached.arcs)
        yield from (("own line", line) for line in reached.own_lines)
        yield from (("own arc", arc) for arc in reached.own_arcs)
        yield from (("shown", entry) for entry in reached.shown)
        if reached.ending:
            yield ("end", reached.target, *reached.ending)

    def is_reported(self, goal: tuple[Hashable, ...]) -> bool:
        return goal[0] != "shown" and not (goal[0] == "end" and goal[2] == Outcome.RAISED.value)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        starts = block_starts(written.text.tree)
        return [self._goal(arc, written, starts) for arc in sorted(written.branches)]

    def _goal(self, arc: tuple[int, int], written: SuiteCoverage, starts: dict[int, tuple[int, int]]) -> Goal:
        line, to = arc
        name = f"branch {line} -> {to if to > 0 else 'exit'}"
        function = written.function(line)
        if arc in written.covered_branches:
            return Goal(self.name, name, function, line, GoalFate.COVERED)
        details = {}
        if line not in written.covered_lines:
            reason = written.why_line(line)
        else:
            details = {"line_runs": True}
            condition, first = starts.get(line, (line, 0))
            reason = written.why_side(condition, int(to == first)) or written.why_line(to)
            reason = reason or written.why_rest(line)
        return Goal(self.name, name, function, line, fate_of(reason), reason, details)

    def told(self, goals: Sequence[Goal]) -> Iterator[str]:
        """Branches that no test takes though tests run their lines; the table tells of lines."""
        for goal in goals:
            if goal.fate is not GoalFate.COVERED and goal.details.get("line_runs"):
                yield clean(f"not taken: {goal.name}: {goal.reason}")


def block_starts(tree: ast.Module) -> dict[int, tuple[int, int]]:
    """Return for each line of a conditional statement the lines of its condition and of its first block."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While)):
            found[node.lineno] = (node.test.lineno, block_start(node.body))
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            found[node.lineno] = (node.iter.lineno, block_start(node.body))
    return found


CRITERION: Final = BranchCriterion()
