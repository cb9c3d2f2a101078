"""Caps: of each function at most so many tests as its goals are worth."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Final

from tracetwin.emit.select.select import goals_of
from tracetwin.explore.criteria.base import Criterion
from tracetwin.model.case import Case
from tracetwin.model.observation import Observation
from tracetwin.replay.static import Coverable

LEAST: Final = 8
"""Tests that any function may have."""

PER_BRANCH: Final = 2
"""Tests for each branch of its own that it may have besides."""

COARSE: Final = frozenset(("statement", "branch", "exception", "mutation"))
"""Criteria of which a cap may cut something; who asks for finer ones wants all of them."""

_FIRST: Final = frozenset(("line", "arc", "own line", "own arc", "end", "raised"))
"""Kinds of goals that come before what tells tests apart more finely."""


def most_tests(target: str, coverable: Coverable) -> int:
    """Return how many tests a function may have."""
    names = (target, f"{target}.__init__")
    functions = [one for one in map(coverable.function, names) if one is not None]
    lines = {line for one in functions for line in one.lines & coverable.raising}
    return LEAST + PER_BRANCH * sum(len(one.arcs) for one in functions) + len(lines)


def within_caps(
    cases: Sequence[Case],
    observations: Sequence[Observation],
    coverable: Coverable,
    criteria: Sequence[Criterion],
    first: Collection[int] = (),
) -> list[int]:
    """Return the positions of the cases that are kept, in order: those that show most of each function."""
    by_target: dict[str, list[int]] = {}
    for position, case in enumerate(cases):
        if position not in first:
            by_target.setdefault(case.target, []).append(position)
    kept = set(first)
    finer = any(criterion.name not in COARSE for criterion in criteria)
    for target, positions in by_target.items():
        most = most_tests(target, coverable)
        if len(positions) <= most or finer:
            kept.update(positions)
        else:
            goals = {at: goals_of(cases[at], observations[at], coverable, criteria) for at in positions}
            kept.update(_best(goals, most))
    return sorted(kept)


def _best(goals: dict[int, set[tuple[Hashable, ...]]], most: int) -> list[int]:
    """The positions that together show most, what was reached before how it was reached."""
    chosen: list[int] = []
    shown: set[tuple[Hashable, ...]] = set()
    while len(chosen) < most:
        left = [at for at in goals if at not in chosen]
        best = max(left, key=lambda at: (*_worth(goals[at] - shown), -at))
        chosen.append(best)
        shown |= goals[best]
    return chosen


def _worth(new: set[tuple[Hashable, ...]]) -> tuple[int, int]:
    firstly = sum(goal[0] in _FIRST for goal in new)
    return firstly, len(new) - firstly
