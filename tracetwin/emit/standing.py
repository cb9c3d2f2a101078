"""Tests that stay though their cases are not known: what they meet is seen when their file is run.

So it is on a machine that has the tests and no store of results. They are as they were written, and pass.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tracetwin.emit.merge.rows import row_names
from tracetwin.emit.select.cover import fewest
from tracetwin.explore.criteria.base import Criterion, Raising, Reached
from tracetwin.explore.loop.shown import vector
from tracetwin.model.met import Met
from tracetwin.model.written_test import WrittenTest
from tracetwin.replay.watching import CONSTRUCTORS, Doing, met_endings
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.emit.merge.earlier import EarlierTest
    from tracetwin.replay.static import Coverable

Names: TypeAlias = Mapping[int, Sequence[str]]


@dataclass(frozen=True)
class StandingTest:
    """A test that stays though its case is not known.

    Attributes:
        rows: the names of its rows, none where it has no table.
        doing: what it was seen to do in the target.
        function: what it is about, "" where that is not known.
        raised: the exceptions that leave calls of that.
    """

    test: EarlierTest
    rows: tuple[str, ...] = ()
    doing: Doing = Doing()
    function: str = ""
    raised: frozenset[Raising] = frozenset()

    def about(self, names: Names) -> StandingTest:
        """Return it with the function that it is about: of those that it calls, what its name begins with."""
        words = _letters(self.test.name.removeprefix("test"))

        def rank(name: str) -> tuple[int, bool]:
            short = _letters(name.rpartition(".")[2])
            return len(short) if words.startswith(short) else 0, _letters(name) in _letters(self.test.owner)

        endings = sorted(met_endings(sorted(self.doing.endings), names), key=lambda ending: ending[0])
        named = [name for name, *_ in endings if not name.endswith(CONSTRUCTORS)]
        function = max(named, key=rank, default="")
        raised = (Raising.of(name, kind, at) for name, _, kind, at in endings if name == function and kind)
        return replace(self, function=function, raised=frozenset(raised))

    def shown(self, facts: Coverable, killed: Iterable[int], seconds: float) -> Iterator[WrittenTest]:
        """Yield what it covers and notices, for each of its rows what all of them do."""
        lines, arcs = facts.covered(self.doing.lines, self.doing.arcs)
        entered = sorted(-start for start, _ in self.doing.arcs if start < 0)
        for name in row_names(self.test.name, self.rows, len(self.rows) or 1):
            yield WrittenTest(
                self.test.owner, name, self.function, tuple(sorted(lines)), tuple(sorted(arcs)),
                tuple(sorted(killed)), seconds=seconds, entered=tuple(entered),
                raises=next((one.name for one in sorted(self.raised)), ""),
            )  # fmt: skip


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def met_by(
    standing: Collection[StandingTest],
    users: Iterable[Doing],
    facts: Coverable,
    names: Names,
    operands: Mapping[int, Sequence[int]],
    theirs: Met | None,
) -> Met | None:
    """Return what is met by tests that stand, with those in their files that the user has edited.

    Args:
        standing: the tests.
        users: what the others do.
        facts: what there is to cover.
        names: of functions, by their first lines.
        operands: of conditions, by their sites.
        theirs: what a suite of the user's own meets besides.
    """
    if not standing:
        return theirs
    doing = functools.reduce(operator.or_, [*users, *(one.doing for one in standing)])
    lines, arcs = facts.covered(doing.lines, doing.arcs)
    endings = frozenset(met_endings(doing.endings, names))
    shown = frozenset(
        one if isinstance(one, int) else vector(one[0], dict(one[1]), operands)
        for one in doing.shown if isinstance(one, int) or one[0] in operands
    )  # fmt: skip
    ours = sum(len(one.rows) or 1 for one in standing)
    if theirs is None:
        return Met(0, lines, arcs, endings, shown, ours=ours, called=frozenset(name for name, *_ in endings))
    lines, arcs, endings = theirs.lines | lines, theirs.arcs | arcs, theirs.endings | endings
    shown |= theirs.shown
    return replace(theirs, lines=lines, arcs=arcs, endings=endings, shown=shown, ours=ours)


def needed(
    doings: Sequence[Doing], module: str, facts: Coverable, names: Names, criteria: Sequence[Criterion]
) -> set[int]:
    """Return the places of the fewest tests that meet all goals which can be seen from what tests do."""
    goals: dict[int, AbstractSet[Hashable]] = {}
    for at, doing in enumerate(doings):
        ways = facts.covered(doing.lines, doing.arcs)
        reached = [
            Reached((module, name), *ways, *ways, (), (outcome, kind, line))
            for name, outcome, kind, line in met_endings(doing.endings, names)
        ]
        found = ((one, goal) for one in criteria for part in reached for goal in one.select(part))
        goals[at] = {goal for one, goal in found if one.is_reported(goal)}
    return set(fewest(goals, {at: (at,) for at in goals}))
