"""The fewest cases that keep all goals, of several such choices the one that is best to read.

What has to be chosen is chosen, and what another case makes superfluous is left out, until neither is found.
What is left falls into parts that share no goal. A part is put to z3 where it is small; else, and where z3
gives up, always the case comes next that reaches most of what is left.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeAlias

MOST_EXACT: Final = 100
"""Cases of a part that is put to z3."""

MOST_COMPARED: Final = 400
"""Cases that are compared with each other."""

Rank: TypeAlias = tuple[Any, ...]
Offers: TypeAlias = dict[int, set[Hashable]]


def fewest(goals: Mapping[int, AbstractSet[Hashable]], preference: Mapping[int, Rank]) -> list[int]:
    """Return the positions of the cases to keep."""
    offers: Offers = {position: set(reached) for position, reached in goals.items() if reached}
    chosen: list[int] = []
    while _reduced(offers, preference, chosen):
        pass
    for part in _parts(offers):
        chosen += _exact(part, preference) or _greedy(part, preference)
    return _without_superfluous(chosen, goals, preference)


def _reduced(offers: Offers, preference: Mapping[int, Rank], chosen: list[int]) -> bool:
    """Choose what nothing else can stand for, and drop what something better stands for; tells whether."""
    reaching: dict[Hashable, list[int]] = {}
    for position, reached in offers.items():
        for goal in reached:
            reaching.setdefault(goal, []).append(position)
    needed = sorted({places[0] for places in reaching.values() if len(places) == 1})
    if needed:
        chosen += needed
        met = set().union(*(offers.pop(position) for position in needed))
    else:
        met = set()
    for position in list(offers):
        offers[position] -= met
        if not offers[position]:
            del offers[position]
    return bool(needed) | _drop_worse(offers, preference)


def _drop_worse(offers: Offers, preference: Mapping[int, Rank]) -> bool:
    """Drop the cases that reach no more than one which is better to read; tells whether there were any."""
    if len(offers) > MOST_COMPARED:
        return False
    better: list[int] = []
    before = len(offers)
    for position in sorted(offers, key=preference.__getitem__):
        if any(offers[position] <= offers[other] for other in better):
            del offers[position]
        else:
            better.append(position)
    return len(offers) < before


def _parts(offers: Offers) -> Iterator[Offers]:
    """Yield cases with those that they share goals with, over others as well."""
    part_of: dict[Hashable, list[int]] = {}
    for position, reached in offers.items():
        joined = {id(part): part for goal in reached if (part := part_of.get(goal)) is not None}
        merged = [position, *(place for part in joined.values() for place in part)]
        for place in merged:
            part_of.update(dict.fromkeys(offers[place], merged))
    parts = {id(part): part for part in part_of.values()}
    yield from ({position: offers[position] for position in sorted(part)} for part in parts.values())


def _exact(part: Offers, preference: Mapping[int, Rank]) -> list[int] | None:
    """The smallest choice of a part; None where that takes too long."""
    if len(part) > MOST_EXACT:
        return None
    from tracetwin.solving.smt.cover import cheapest_cover

    order = sorted(part, key=preference.__getitem__)
    # One case more weighs more than all places in the order of preference.
    costs = [len(order) ** 2 + rank for rank in range(len(order))]
    found = cheapest_cover([part[position] for position in order], costs)
    return None if found is None else [order[place] for place in found]


def _greedy(goals: Offers, preference: Mapping[int, Rank]) -> list[int]:
    """Always the case that reaches most of what is left; of several, the one to prefer.

    How much a case adds can only become less, so that the first of a queue is the best one if it still adds
    what it did when it was put there (Minoux, Accelerated greedy algorithms, 1978).
    """
    chosen: list[int] = []
    left = set().union(*goals.values())
    queue = [(-len(reached), preference[position], position) for position, reached in goals.items()]
    heapq.heapify(queue)
    while left:
        known, _, position = queue[0]
        now = -len(goals[position] & left)
        if now == known:
            heapq.heappop(queue)
            chosen.append(position)
            left -= goals[position]
        else:
            heapq.heapreplace(queue, (now, preference[position], position))
    return chosen


def _without_superfluous(
    chosen: list[int], goals: Mapping[int, AbstractSet[Hashable]], preference: Mapping[int, Rank]
) -> list[int]:
    """Those without which a goal would be lost, the worst to read looked at first."""
    counts = Counter(goal for position in chosen for goal in goals[position])
    kept = sorted(chosen)
    for position in sorted(chosen, key=preference.__getitem__, reverse=True):
        if all(counts[goal] > 1 for goal in goals[position]):
            kept.remove(position)
            counts.subtract(goals[position])
    return kept
