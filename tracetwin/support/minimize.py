"""Minimising: what may be dropped of a sequence; replacing by what is simpler while an oracle agrees.

Three oracles use it: conditions that a solver's model has to satisfy, runs of a twin that have to take the
same path, and replays on the original that have to show the same. All of it is deterministic.

Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002), section 3: ddmin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import TypeVar

from tracetwin.support.data import dataclass

Subject = TypeVar("Subject")
Made = TypeVar("Made")


@dataclass
class Attempts:
    """How often an oracle may still be asked."""

    left: int

    def each(self, candidates: Iterable[Made]) -> Iterator[Made]:
        """Yield candidates as long as the oracle may be asked about them."""
        for candidate in candidates:
            if self.left <= 0:
                return
            self.left -= 1
            yield candidate


def first_accepted(
    candidates: Iterable[Made], accepted: Callable[[Made], Subject | None]
) -> Subject | None:
    """Return what the oracle makes of the first candidate that it accepts, None where it accepts none.

    To call it again with what it returned, until it returns None, is to minimise greedily.
    """
    return next((found for one in candidates if (found := accepted(one)) is not None), None)


def chunks(count: int) -> Iterator[range]:
    """Yield parts of a sequence that may be dropped: all of it, halves, quarters, down to single places."""
    size = count
    while size:
        yield from (range(start, min(start + size, count)) for start in range(0, count, size))
        size //= 2


def pairs(count: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield every two places of a sequence, where there are no more than `most`."""
    return combinations(range(count), 2) if count <= most else iter(())


def shorter_run(count: int) -> list[int]:
    """Return how many of a run of equal items may be left: few, half, and all but few."""
    left = {0, 1, 2, 3, count // 4, count // 2, 3 * count // 4}
    step = 1
    while step < count:
        left |= {count - step, step}
        step *= 2
    return sorted(number for number in left if 0 <= number < count) if count > 1 else []
