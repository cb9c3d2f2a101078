"""Bounds on differences of ints: ``x - y <= 3``, ``x <= 5``, ``x != y``, closed as they are taken in.

The closure is exact for ints: it is contradictory exactly when no ints fit (disequalities apart), each bound
that it holds is attained, and leaving variables out of it is the projection on the others. All at the cost of
a few additions, where a solver would be asked.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from runtime.expr import Node
from tracetwin.solving.arithmetic.forms import Bound

UNBOUND: Final = float("inf")
Limit: TypeAlias = float
"""An int, or `UNBOUND`."""

Difference: TypeAlias = "tuple[Hashable, Hashable, int]"
"""``(x, y, limit)``: x - y <= limit; `ZERO` in the place of a variable is the number 0."""

ZERO: Final = None


def read(bound: Bound) -> tuple[list[Difference], tuple[Hashable, Hashable, int] | None] | None:
    """A bound of a sum as differences, with ``x - y != hole`` where it has one; None where it is about more.

    Variables are named by their nodes. A bound that nothing meets comes out as two that exclude each other.
    """
    weights = bound.weights
    if len(weights) == 1 and abs(weights[0][1]) == 1:
        one, other = _signed(weights[0], (ZERO, -weights[0][1]))
    elif len(weights) == 2 and weights[0][1] + weights[1][1] == 0 and abs(weights[0][1]) == 1:
        one, other = _signed(*weights)
    else:
        return None
    found: list[Difference] = []
    if bound.high is not None:
        found.append((one, other, bound.high))
    if bound.low is not None:
        found.append((other, one, -bound.low))
    hole = None if bound.hole is None else (one, other, bound.hole)
    return found, hole


def _signed(
    first: tuple[Node | None, int], second: tuple[Node | None, int]
) -> tuple[Node | None, Node | None]:
    return (first[0], second[0]) if first[1] > 0 else (second[0], first[0])


class Differences:
    """A closed set of bounds.

    Of a *dense* set nothing is known but the order, as for texts: ``x < z < y`` says ``x < y``, no more. Its
    limits are 0 (not greater) and -1 (less); the closure is sound, and exact where nothing is left out.

    Attributes:
        names: the variables, in the order of their first mention; the first is `ZERO`.
        holes: ``(i, j, value)`` for every ``names[i] - names[j] != value`` that the bounds leave open.
        consistent: whether there are ints that meet all bounds; with holes, as far as it was found out.
    """

    __slots__ = ("_least", "_place", "_rows", "consistent", "holes", "names")

    def __init__(self, *, dense: bool = False) -> None:
        self._least: Limit = -1 if dense else -UNBOUND
        self.names: list[Hashable] = [ZERO]
        # Row i holds the limits of names[i] to each other, closed but for the ways through `ZERO`: most
        # variables are bounded by constants alone, and a limit between two of these is seen when asked for.
        self._rows: list[list[Limit]] = [[0]]
        self.holes: list[tuple[int, int, int]] = []
        self.consistent = True
        self._place: dict[Hashable, int] = {ZERO: 0}

    def copy(self) -> Differences:
        """One that can be added to without changing this one."""
        other = Differences.__new__(Differences)
        other.names = self.names[:]
        other.holes = self.holes[:]
        other.consistent = self.consistent
        other._rows = [row[:] for row in self._rows]  # noqa: SLF001 - of the same class
        other._place, other._least = self._place.copy(), self._least  # noqa: SLF001 - of the same class
        return other

    def __contains__(self, name: Hashable) -> bool:
        return name in self._place

    def place(self, name: Hashable) -> int:
        """The row and column of a variable, new ones where it has none."""
        found = self._place.get(name)
        if found is None:
            found = self._place[name] = len(self.names)
            self.names.append(name)
            for row in self._rows:
                row.append(UNBOUND)
            self._rows.append([UNBOUND] * found + [0])
        return found

    def limit(self, one: Hashable, other: Hashable) -> Limit:
        """The greatest value of ``one - other``; of a variable without bounds there is none."""
        if one == other:
            return 0
        if one not in self._place or other not in self._place:
            return UNBOUND
        return self._limit(self._place[one], self._place[other])

    def _limit(self, i: int, j: int) -> Limit:
        rows = self._rows
        direct = rows[i][j]
        if not (i and j):
            return direct
        through = rows[i][0] + rows[0][j]
        return direct if direct <= through else max(through, self._least)

    def add(self, one: Hashable, other: Hashable, limit: int) -> bool:
        """Take in ``one - other <= limit``; whether there still are ints that meet all bounds."""
        if self.consistent:
            self._tighten(self.place(one), self.place(other), limit)
            self._settle_holes()
        return self.consistent

    def exclude(self, one: Hashable, other: Hashable, value: int) -> bool:
        """Take in ``one - other != value``; as `add`."""
        if self.consistent:
            self.holes.append((self.place(one), self.place(other), value))
            self._settle_holes()
        return self.consistent

    def take(self, bound: Bound) -> bool:
        """Take in what a condition says of a sum; whether it could be."""
        parts = read(bound)
        if parts is None:
            return False
        differences, hole = parts
        for one, other, limit in differences:
            self.add(one, other, limit)
        if hole is not None:
            self.exclude(*hole)
        return True

    def _tighten(self, i: int, j: int, limit: int) -> None:
        if limit >= self._limit(i, j):
            return
        if self._limit(j, i) + limit < 0:
            self.consistent = False
            return
        rows, least = self._rows, self._least
        reached = enumerate(rows[j]) if j else [(0, 0)]
        onward = [(place, limit + value) for place, value in reached if value != UNBOUND]
        for row in rows if i else rows[:1]:
            before = row[i]
            if before == UNBOUND:
                continue
            for place, value in onward:
                total = before + value
                if total < row[place]:
                    row[place] = max(total, least)

    def _settle_holes(self) -> None:
        """Turn holes at the end of what is left into bounds, and drop those that lie outside."""
        changed = True
        while changed and self.consistent and self.holes:
            changed = False
            for hole in self.holes:
                i, j, value = hole
                high, low = self._limit(i, j), -self._limit(j, i)
                if low < value < high:
                    continue
                self.holes.remove(hole)
                if low <= value <= high:
                    if value == high:
                        self._tighten(i, j, value - 1)
                    else:
                        self._tighten(j, i, -value - 1)
                changed = True
                break

    def model(self, wished: Mapping[Hashable, int]) -> dict[Hashable, int] | None:
        """Ints that meet bounds and holes, each as near to what is wished as those before it allow.

        Returns:
            None where there are none, or none were found because of holes.
        """
        if not self.consistent:
            return None
        return self._near(wished) or (self._decided(wished) if self.holes else None)

    def _decided(self, wished: Mapping[Hashable, int]) -> dict[Hashable, int] | None:
        """A model with each hole passed on one side, that of the wishes where it can be."""
        decided = self.copy()
        while decided.holes and decided.consistent:
            i, j, value = decided.holes[0]
            one, other = self.names[i], self.names[j]
            sides = [(one, other, value - 1), (other, one, -value - 1)]
            if wished.get(one, 0) - wished.get(other, 0) > value:
                sides.reverse()
            first = decided.copy()
            first.add(*sides[0])
            if not first.consistent:
                first = decided
                first.add(*sides[1])
            decided = first
        return decided._near(wished) if decided.consistent else None  # noqa: SLF001 - of the same class

    def _near(self, wished: Mapping[Hashable, int]) -> dict[Hashable, int] | None:
        """A model by one variable after the other, without going back."""
        values = [0]
        for i in range(1, len(self.names)):
            high = min(value + self._limit(i, j) for j, value in enumerate(values))
            low = max(value - self._limit(j, i) for j, value in enumerate(values))
            excluded = self._excluded(i, values)
            wish = wished.get(self.names[i], 0)
            found = next((v for v in _around(wish, low, high) if v not in excluded), None)
            if found is None:
                return None
            values.append(found)
        return dict(zip(self.names[1:], values[1:], strict=True))

    def _excluded(self, i: int, values: list[int]) -> set[int]:
        """The values that holes forbid a variable, given those of the variables before it."""
        found = set()
        for one, other, value in self.holes:
            if one == i and other < i:
                found.add(values[other] + value)
            elif other == i and one < i:
                found.add(values[one] - value)
        return found

    def can_leave_out(self, kept: Container[Hashable]) -> bool:
        """Return whether the holes of all other variables say nothing of those `kept`.

        A variable without a greatest (or without a least) value can always avoid finitely many others; so can
        the next one once it is left out.
        """
        left = {place for hole in self.holes for place in hole[:2] if place and self.names[place] not in kept}
        everyone = set(range(len(self.names)))
        while left:
            free = next((place for place in sorted(left) if self._is_free(place, everyone)), None)
            if free is None:
                return False
            left.discard(free)
            everyone.discard(free)
        return True

    def _is_free(self, place: int, everyone: Iterable[int]) -> bool:
        others = [other for other in everyone if other != place]
        if all(self._limit(place, other) == UNBOUND for other in others):
            return True
        return all(self._limit(other, place) == UNBOUND for other in others)


def _around(wish: int, low: Limit, high: Limit) -> Iterator[int]:
    """The ints between two limits, those near a wish first."""
    start = wish
    if start < low:
        start = int(low)
    elif start > high:
        start = int(high)
    for step in itertools.count():
        inside = False
        if start + step <= high:
            inside = True
            yield start + step
        if step and start - step >= low:
            inside = True
            yield start - step
        if not inside:
            return
