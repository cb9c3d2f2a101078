"""Sums: leaves such as ``x1 + x2`` in terms of each other, the arguments that they were added up of gone.

An argument is eliminated by Fourier and Motzkin's rule: each lower bound that it has lies below each upper
bound. Over ints that is exact as long as its factor is 1 in all the lower or all the upper ones, and only
then is it done.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import Final, TypeAlias

from runtime.expr import Node
from tracetwin.solving.arithmetic.differences import ZERO, Differences
from tracetwin.solving.arithmetic.forms import Bound, Form

Terms: TypeAlias = "tuple[tuple[Hashable, int], ...]"
"""Variables with their factors, in a fixed order."""

MOST: Final = 120
"""Inequalities at a time: the rule may multiply them."""


class System:
    """Inequalities ``sum + constant <= 0``: by their sums, each with the greatest constant."""

    def __init__(self) -> None:
        self._least: dict[Terms, int] = {}
        self._order: dict[Hashable, int] = {}

    def add(self, factors: Mapping[Hashable, int], constant: int) -> None:
        """Take in one; one without variables holds anyway, as the path was run."""
        divisor = math.gcd(*factors.values())
        if divisor == 0:
            return
        for name in factors:
            self._order.setdefault(name, len(self._order))
        terms = tuple(
            sorted(
                ((name, factor // divisor) for name, factor in factors.items() if factor),
                key=lambda pair: self._order[pair[0]],
            )
        )
        constant = -(-constant // divisor)  # an int sum is below the floor of what it is below
        if constant > self._least.get(terms, constant - 1):
            self._least[terms] = constant

    def bound(self, bound: Bound) -> None:
        """Take in what a condition says of a sum."""
        if bound.high is not None:
            self.add(dict(bound.weights), -bound.high)
        if bound.low is not None:
            self.add({atom: -factor for atom, factor in bound.weights}, bound.low)

    def define(self, name: Hashable, form: Form) -> None:
        """Take in ``name == form``."""
        sides: dict[Hashable, int] = dict(form.weights)
        self.add({**sides, name: -1}, form.constant)
        self.add({**{atom: -factor for atom, factor in sides.items()}, name: 1}, -form.constant)

    def eliminate(self, names: Iterable[Node]) -> bool:
        """Project on the other variables; whether that was possible exactly."""
        left = list(names)
        while left:
            # The cheapest first, the first mentioned among equals.
            found = [(self._cost(name), place) for place, name in enumerate(left)]
            costs = [(cost, place) for cost, place in found if cost is not None]
            if not costs or len(self._least) > MOST:
                return False
            self._eliminate(left.pop(min(costs)[1]))
        return True

    def _cost(self, name: Hashable) -> int | None:
        """How many inequalities eliminating a variable makes; None where it would not be exact."""
        factors = [factor for terms in self._least for other, factor in terms if other == name]
        lower, upper = [-f for f in factors if f < 0], [f for f in factors if f > 0]
        if lower and upper and max(lower) > 1 and max(upper) > 1:
            return None
        return len(lower) * len(upper) - len(factors)

    def _eliminate(self, name: Hashable) -> None:
        above: list[tuple[dict[Hashable, int], int]] = []
        below: list[tuple[dict[Hashable, int], int]] = []
        for terms, constant in list(self._least.items()):
            factors = dict(terms)
            factor = factors.get(name, 0)
            if factor:
                del self._least[terms]
                (above if factor > 0 else below).append((factors, constant))
        for high, first in above:
            for low, second in below:
                self._combine(name, high, first, low, second)

    def _combine(
        self,
        name: Hashable,
        high: Mapping[Hashable, int],
        first: int,
        low: Mapping[Hashable, int],
        second: int,
    ) -> None:
        many, few = -low[name], high[name]
        sums = {other: factor * many for other, factor in high.items()}
        for other, factor in low.items():
            sums[other] = sums.get(other, 0) + factor * few
        self.add({other: factor for other, factor in sums.items() if factor}, first * many + second * few)

    def differences(self) -> Differences | None:
        """The inequalities as differences, None where they are about more."""
        found = Differences()
        for terms, constant in self._least.items():
            parts = terms if len(terms) > 1 else (terms[0], (ZERO, -terms[0][1]))
            if len(parts) != 2 or {parts[0][1], parts[1][1]} != {1, -1}:
                return None
            one, other = sorted(parts, key=lambda part: -part[1])
            found.add(one[0], other[0], -constant)
        return found
