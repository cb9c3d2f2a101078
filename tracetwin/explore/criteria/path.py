"""The criterion `path`: every path that was found, with loops that turn no time, once or twice.

Paths that differ in further turns are one path, and of one function some hundred are kept at most
(`tracetwin.explore.loop.findings.MAX_PATHS`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Final

from tracetwin.explore.criteria.base import Criterion, ModuleText, Reached, Sides, SuiteCoverage
from tracetwin.explore.loop.shown import PATH
from tracetwin.model.goal import Goal, GoalFate

if TYPE_CHECKING:
    from instrumenter.twin import Site

DROPPED: Final = "a run took it, and no test of it was written"


class PathCriterion(Criterion):
    """A test of each path, which is a sequence of sides and an ending."""

    name = "path"
    noun = "path"
    wants_paths = True

    def sides(self, site: Site, text: ModuleText) -> Sides:
        return Sides(main=(site.id * 2, site.id * 2 + 1))

    def select(self, reached: Reached) -> Iterator[tuple[Hashable, ...]]:
        yield from (("shown", entry) for entry in reached.shown if str(entry).startswith(PATH))
        yield ("called", reached.target)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        found = sorted({str(entry) for entry in written.seen if str(entry).startswith(PATH)})
        return [self._goal(number, path, written) for number, path in enumerate(found, 1)]

    def _goal(self, number: int, path: str, written: SuiteCoverage) -> Goal:
        name = f"path {number} ({path.removeprefix(PATH)})"
        if path in written.shown:
            return Goal(self.name, name, "", 0, GoalFate.COVERED)
        return Goal(self.name, name, "", 0, GoalFate.OPEN, DROPPED)


CRITERION: Final = PathCriterion()
