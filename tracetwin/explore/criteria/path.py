"""The criterion `path`: every path that was found, with loops that turn no time, once or twice.

Paths that differ in further turns are one path, and of one function some hundred are kept at most
(`tracetwin.explore.loop.findings.MAX_PATHS`); a note says how many more there were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
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
        found = sorted({str(entry) for entry in written.seen if str(entry).startswith(PATH)}, key=_order)
        lines = {site.id: site.line for site in written.sites}
        numbers: Counter[str] = Counter()
        goals = []
        for entry in found:
            function, sides, ending, _ = _parts(entry)
            numbers[function] += 1
            steps = [_step(side, lines) for side in sides.split(",") if side]
            name = f"path {numbers[function]} of {function}: {', '.join((*steps, ending))}"
            line = next((lines[int(side) >> 1] for side in sides.split(",") if side.isdigit()
                         and int(side) >> 1 in lines), 0)  # fmt: skip
            covered = entry in written.shown
            fate = GoalFate.COVERED if covered else GoalFate.OPEN
            goals.append(Goal(self.name, name, function, line, fate, "" if covered else DROPPED))
        return goals


def _parts(entry: str) -> tuple[str, str, str, str]:
    """Return function, sides, ending and digest of an entry; an ending may hold any text of the target."""
    _, function, sides, rest = entry.split(":", 3)
    ending, _, mark = rest.rpartition(":")
    return function, sides, ending, mark


def _order(entry: str) -> tuple[object, ...]:
    """Functions by name, their paths by the places where they part."""
    function, sides, ending, mark = _parts(entry)
    return function, [int(side) if side.isdigit() else 0 for side in sides.split(",")], ending, mark


def _step(side: str, lines: Mapping[int, int]) -> str:
    """Return a side in words: the line of its condition, and how that was decided."""
    if not side.isdigit():
        return side
    site, outcome = divmod(int(side), 2)
    return f"{lines[site]} {'true' if outcome else 'false'}" if site in lines else "elsewhere"


CRITERION: Final = PathCriterion()
