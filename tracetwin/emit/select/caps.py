"""Caps: of each function at most so many tests as its goals are worth."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from tracetwin.emit.select.select import goals_of
from tracetwin.explore.criteria.base import Criterion
from tracetwin.model.case import Case
from tracetwin.model.met import Met
from tracetwin.model.observation import Observation
from tracetwin.replay.static import Coverable

Goals: TypeAlias = AbstractSet[tuple[Hashable, ...]]

LEAST: Final = 8
"""Tests that any function may have."""

PER_BRANCH: Final = 2
"""Tests for each branch of its own that it may have besides."""

COARSE: Final = frozenset(("statement", "branch", "exception", "mutation"))
"""Criteria of which a cap may cut something; who asks for finer ones wants all of them."""

LEAST_OF_MODULE: Final = 10
"""Tests that any module may have."""

PER_LINE: Final = 0.2
"""Tests for each line of its source that it may have besides: forty for 150 lines."""

_FIRST: Final = frozenset(("line", "arc", "own line", "own arc", "end", "raised"))
"""Kinds of goals that come before what tells tests apart more finely."""

_WAYS: Final = frozenset(("line", "arc"))
"""Kinds of goals that no cap of a function cuts, where nothing else of the module meets them."""

_NEVER_CUT: Final = frozenset(("line", "arc", "own line", "own arc", "called", "returns"))
"""Kinds of goals that no cap of a module cuts."""

_POINTS: Final = {"raise": 6, "slip": 2, "kill": 3}
"""The worth of other goals: an exception that another function's tests show as well says nothing new."""


def most_tests(target: str, coverable: Coverable) -> int:
    """Return how many tests a function may have."""
    names = (target, f"{target}.__init__")
    functions = [one for one in map(coverable.function, names) if one is not None]
    lines = {line for one in functions for line in one.lines & coverable.raising}
    return LEAST + PER_BRANCH * sum(len(one.arcs) for one in functions) + len(lines)


def most_of_module(coverable: Coverable) -> int:
    """Return how many tests a module may have."""
    return LEAST_OF_MODULE + round(PER_LINE * max(coverable.lines, default=0))


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
    if len(kept) < len(cases):
        pairs = zip(cases, observations, strict=True)
        kept.update(_alone(kept, [goals_of(*pair, coverable, criteria) for pair in pairs]))
    met = coverable.met or Met()
    most = most_of_module(coverable) - met.ours
    if len(kept) > most and not finer:
        reached = {at: goals_of(cases[at], observations[at], coverable, criteria) for at in kept}
        told = {at: _told(goals, coverable) for at, goals in reached.items()}
        known = {_raising(ending, coverable) for _, *ending in met.endings} if met.ours else set()
        kept = _most_telling(told, most, set(first), known)
    return sorted(kept)


def _alone(kept: Collection[int], goals: Sequence[Goals]) -> Iterator[int]:
    """Give the tests that are left and run a line, or go a way, that none of those does which are kept."""
    wanted = [{goal for goal in one if goal[0] in _WAYS} for one in goals]
    shown = set().union(*(wanted[at] for at in kept))
    for at, ways in enumerate(wanted):
        if not ways <= shown:
            shown |= ways
            yield at


def _told(goals: Goals, coverable: Coverable) -> Goals:
    """The goals of a test, and those in which it is like the tests of other functions."""
    told: set[tuple[Hashable, ...]] = {
        ("returns", goal[1]) for goal in goals if goal[0] == "end" and goal[2] == "returned"
    }
    for goal in goals:
        if goal[0] == "raised":
            told.add(_raising(goal[2:], coverable))
    return goals | told


def _raising(ending: Sequence[Hashable], coverable: Coverable) -> tuple[Hashable, ...]:
    return ("raise" if ending[-1] in coverable.raising else "slip", *ending)


def _most_telling(goals: Mapping[int, Goals], most: int, chosen: set[int], known: Goals) -> set[int]:
    """The tests that together show most beside what is known, and all that are needed for branches."""
    shown = set(known).union(*(goals[at] for at in chosen))
    left = sorted(goals.keys() - chosen)
    while left:
        best = max(left, key=lambda at: (*_points(goals[at] - shown), -at))
        needed, worth = _points(goals[best] - shown)
        if not needed and (len(chosen) >= most or not worth):
            break
        chosen = chosen | {best}
        shown |= goals[best]
        left.remove(best)
    return chosen


def _points(new: Goals) -> tuple[int, int]:
    return sum(goal[0] in _NEVER_CUT for goal in new), sum(_POINTS.get(str(goal[0]), 0) for goal in new)


def _best(goals: Mapping[int, Goals], most: int) -> list[int]:
    """The positions that together show most, what was reached before how it was reached."""
    chosen: list[int] = []
    shown: set[tuple[Hashable, ...]] = set()
    while len(chosen) < most:
        left = [at for at in goals if at not in chosen]
        best = max(left, key=lambda at: (*_worth(goals[at] - shown), -at))
        chosen.append(best)
        shown |= goals[best]
    return chosen


def _worth(new: Goals) -> tuple[int, int]:
    firstly = sum(goal[0] in _FIRST for goal in new)
    return firstly, len(new) - firstly
