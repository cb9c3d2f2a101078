"""The criterion `boundary`: ordered comparisons with equal operands, and with operands one step apart.

White and Cohen, "A Domain Strategy for Computer Program Testing" (1980). Goals are the borders of the
comparisons that runs met with numbers that hang on the input: ints and lengths, where a step is 1, and
floats, where it leads to the next float and one operand has to stand in the code.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Final

from tracetwin.explore.criteria.base import Criterion, ModuleText, Reached, Sides, SuiteCoverage
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.loop.shown import BORDER, STEPS
from tracetwin.model.goal import Goal, GoalFate

if TYPE_CHECKING:
    from instrumenter.twin import Site

_WORDS: Final = {0: "at its border", 1: "one step above its border", -1: "one step below its border"}


class BoundaryCriterion(Criterion):
    """Tests at borders; the sides of conditions are wanted as well, since a border has both."""

    name = "boundary"
    noun = "border"
    wants_borders = 1_000
    wants_next_floats = True

    def sides(self, site: Site, text: ModuleText) -> Sides:
        return Sides(finer=(site.id * 2, site.id * 2 + 1))

    def select(self, reached: Reached) -> Iterator[tuple[Hashable, ...]]:
        entries = (str(entry) for entry in reached.shown)
        yield from (("shown", one) for one in entries if one.startswith(BORDER) and one[-1].isdigit())
        yield ("called", reached.target)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        entries = [str(entry).split(":") for entry in written.seen if str(entry).startswith(BORDER)]
        met = {int(site) for _, site, _ in entries}
        stepping = {int(site) for _, site, what in entries if what == STEPS}
        return [
            self._goal(site, distance, written)
            for site in sorted(written.sites, key=lambda one: (one.line, one.column, one.id))
            if site.id in met
            for distance in ((-1, 0, 1) if site.id in stepping else (0,))
        ]

    def _goal(self, site: Site, distance: int, written: SuiteCoverage) -> Goal:
        name = f"comparison in line {site.line}, column {site.column}, {_WORDS[distance]}"
        function = written.function(site.line)
        if f"{BORDER}{site.id}:{distance}" in written.shown:
            return Goal(self.name, name, function, site.line, GoalFate.COVERED)
        reason = Obstacle.NOT_FOUND.value
        return Goal(self.name, name, function, site.line, GoalFate.OPEN, reason)


CRITERION: Final = BoundaryCriterion()
