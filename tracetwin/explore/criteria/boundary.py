"""The criterion `boundary`: ordered comparisons with equal operands, and with operands one step apart.

White and Cohen, "A Domain Strategy for Computer Program Testing" (1980). Goals are the borders of the
comparisons that runs met with numbers that depend on the input: ints and lengths, where a step is 1; dates
and times, where it is the smallest part that depends on it; and floats, where it leads to the next float and
one operand has to stand in the code.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from tracetwin.analysis.sources import definition
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
    wants_all_borders = True

    def sides(self, site: Site, text: ModuleText) -> Sides:
        return Sides(finer=(site.id * 2, site.id * 2 + 1))

    def select(self, reached: Reached) -> Iterator[tuple[Hashable, ...]]:
        entries = (str(entry) for entry in reached.shown)
        yield from (("shown", one) for one in entries if one.startswith(BORDER) and one[-1].isdigit())
        yield ("called", reached.target)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        entries = [entry for entry in map(str, written.seen) if entry.startswith(BORDER)]
        seen = [entry.removeprefix(BORDER).rpartition(":") for entry in entries]
        stepping = {key for key, _, distance in seen if distance == STEPS}
        found = {key: place for key, _, _ in seen if (place := _place(key, written)) is not None}
        return [
            self._goal(place, key, distance, written)
            for key, place in sorted(found.items(), key=lambda item: item[1])
            for distance in ((-1, 0, 1) if key in stepping else (0,))
        ]

    def _goal(self, place: _Place, key: str, distance: int, written: SuiteCoverage) -> Goal:
        name = f"comparison {place.words}, {_WORDS[distance]}"
        function = place.function or written.function(place.line)
        if f"{BORDER}{key}:{distance}" in written.shown:
            return Goal(self.name, name, function, place.line, GoalFate.COVERED)
        reason = Obstacle.NOT_FOUND.value
        return Goal(self.name, name, function, place.line, GoalFate.OPEN, reason)


class _Place(NamedTuple):
    """The place of a comparison, in the order of the source."""

    line: int
    column: int
    words: str
    function: str = ""


def _place(key: str, written: SuiteCoverage) -> _Place | None:
    """Return where a comparison stands, None where that is in another module."""
    if key.isdigit():
        found = next(((one.line, one.column) for one in written.sites if one.id == int(key)), None)
        return found and _Place(*found, "in line {}, column {}".format(*found))
    module, space, line = key.partition(" ")
    if space:
        return _Place(int(line), 0, f"in line {line}") if module == written.text.module else None
    if (node := definition(written.text.tree, key)) is not None:
        return _Place(node.lineno, 0, f"that {key} returns", key)
    return None


CRITERION: Final = BoundaryCriterion()
