"""Tests that stay though their cases are not known: what they meet is seen when their file is run.

So it is on a machine that has the tests and no store of results. They are as they were written, and pass.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from tracetwin.emit.merge.rows import row_names
from tracetwin.emit.select.cover import fewest
from tracetwin.explore.criteria.base import Criterion, Reached
from tracetwin.model.met import Met
from tracetwin.model.written_test import WrittenTest
from tracetwin.replay.watching import Doing, met_endings
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.emit.merge.earlier import EarlierTest
    from tracetwin.replay.static import Coverable


@dataclass(frozen=True)
class StandingTest:
    """A test that stays though its case is not known.

    Attributes:
        rows: the names of its rows, none where it has no table.
        doing: what it was seen to do in the target.
    """

    test: EarlierTest
    rows: tuple[str, ...] = ()
    doing: Doing = Doing()

    def function(self, facts: Coverable) -> str:
        """Return which of the functions that it calls it is about: its name begins with that; "" for none."""
        called = dict.fromkeys(name for name, *_ in met_endings(sorted(self.doing.endings), facts))
        words = _letters(self.test.name.removeprefix("test"))

        def rank(name: str) -> tuple[int, bool]:
            short = _letters(name.rpartition(".")[2])
            return len(short) if words.startswith(short) else 0, _letters(name) in _letters(self.test.owner)

        named = [name for name in called if not name.endswith("__")]
        return max(named, key=rank, default="")

    def shown(self, facts: Coverable, killed: Iterable[int], seconds: float) -> Iterator[WrittenTest]:
        """Yield what it covers and notices, for each of its rows what all of them do."""
        lines, arcs = facts.covered(self.doing.lines, self.doing.arcs)
        entered = sorted(-start for start, _ in self.doing.arcs if start < 0)
        for name in row_names(self.test.name, self.rows, len(self.rows) or 1):
            yield WrittenTest(
                self.test.owner, name, self.function(facts), tuple(sorted(lines)), tuple(sorted(arcs)),
                tuple(sorted(killed)), seconds=seconds, entered=tuple(entered),
            )  # fmt: skip


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def met_by(doings: Collection[Doing], facts: Coverable, theirs: Met | None) -> Met | None:
    """Return what tests meet beside a suite of the user's; of what they call no finer goals are wanted."""
    if not doings:
        return theirs
    lines, arcs = facts.covered(*(
        frozenset().union(*parts) for parts in ((one.lines for one in doings), (one.arcs for one in doings))
    ))  # fmt: skip
    endings = frozenset(met_endings(frozenset().union(*(one.endings for one in doings)), facts))
    if theirs is None:
        return Met(0, lines, arcs, endings, called=frozenset(name for name, *_ in endings))
    return Met(
        theirs.tests, theirs.lines | lines, theirs.arcs | arcs, theirs.endings | endings, theirs.shown,
        theirs.killed,
    )  # fmt: skip


def needed(
    doings: Sequence[Doing], module: str, facts: Coverable, criteria: Sequence[Criterion]
) -> set[int]:
    """Return the places of the fewest tests that meet all goals which can be seen from what tests do."""
    goals = {at: _goals(doing, module, facts, criteria) for at, doing in enumerate(doings)}
    return set(fewest(goals, {at: (at,) for at in goals}))


def _goals(
    doing: Doing, module: str, facts: Coverable, criteria: Sequence[Criterion]
) -> AbstractSet[Hashable]:
    lines, arcs = facts.covered(doing.lines, doing.arcs)
    ways = [
        Reached((module, name), lines, arcs, lines, arcs, (), (outcome, kind, line))
        for name, outcome, kind, line in met_endings(doing.endings, facts)
    ]
    return {
        goal
        for one in criteria
        for reached in ways
        for goal in one.select(reached)
        if one.is_reported(goal)
    }
