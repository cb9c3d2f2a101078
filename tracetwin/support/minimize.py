"""Minimising: what may be dropped of a sequence; replacing by what is simpler while an oracle agrees.

Three oracles use it: conditions that a solver's model has to satisfy, runs of a twin that have to take the
same path, and replays on the original that have to show the same. All of it is deterministic.

Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002), section 3: ddmin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

Subject = TypeVar("Subject")
Made = TypeVar("Made")


@dataclass
class Attempts:
    """How many questions to an oracle are left."""

    left: int

    def spend(self) -> bool:
        """Take one of them, and return whether there was one."""
        self.left -= 1
        return self.left >= 0


def replaced(
    subject: Subject,
    simpler: Callable[[Subject], Iterable[Made]],
    accepted: Callable[[Made], Subject | None],
) -> Subject:
    """Return what is left when nothing that is simpler is accepted any more.

    Args:
        subject: to begin with.
        simpler: what may take its place, the best first.
        accepted: the oracle: what takes the place, None where that can't be.
    """
    while (found := first_accepted(simpler(subject), accepted)) is not None:
        subject = found
    return subject


def first_accepted(
    candidates: Iterable[Made], accepted: Callable[[Made], Subject | None]
) -> Subject | None:
    """Return what the oracle makes of the first candidate that it accepts, None where it accepts none."""
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
