"""Sides for which the solver gave up: asked again later, each time with more effort.

The first question about a side gets a small effort, so that what is easy comes before what is hard. All
waiting is counted in attempts, never in seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from tracetwin.explore.loop.tree import Flip
from tracetwin.support.data import dataclass

EFFORTS: Final = (0.25, 1.0, 4.0, 16.0)
"""Parts of the solver's usual limits, by level."""

_WAIT: Final = (0, 0, 40, 160)
"""Attempts to wait before a level."""

_MOST: Final = (0, 400, 12, 4)
"""Questions per side and level; the first level alone is for every side."""

LONGER: Final = 2.0
"""How much longer than before a turn has to be for a question that had too little time."""


@dataclass
class _Waiting:
    flip: Flip
    level: int
    due: int
    reason: str


class Postponed:
    """The questions to ask again, first come, first served within a level."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []
        self._hurried: list[tuple[Flip, int, str, float]] = []
        self._asked: Counter[tuple[tuple[int, int], int]] = Counter()

    def __len__(self) -> int:
        return len(self._waiting)

    def put_off(self, flip: Flip, level: int, reason: str, left: float) -> None:
        """Remember a question for which there was too little time: `left` were the seconds of the turn."""
        self._hurried.append((flip, level, reason, left))

    def revive(self, has_left: Callable[[float], bool], now: int) -> None:
        """Take up the questions of shorter turns in a longer one, which can tell what it has left."""
        for entry in [one for one in self._hurried if has_left(LONGER * one[3])]:
            self._hurried.remove(entry)
            flip, level, reason, _ = entry
            self.put(flip, max(level, 1) - 1, reason, now)

    def put(self, flip: Flip, level: int, reason: str, now: int) -> None:
        """Remember a question that was given up at a level."""
        if level + 1 < len(EFFORTS):
            self._waiting.append(_Waiting(flip, level + 1, now + _WAIT[level + 1], reason))

    def pop(
        self, now: int, wanted: Callable[[Flip, int], bool], *, idle: bool
    ) -> tuple[Flip, int, str] | None:
        """The next question, its level, and why it was given up; None where none is due.

        `idle`: nothing else is left to do, so that all are due.
        """
        best: _Waiting | None = None
        for each in self._waiting:
            if best is not None and each.level >= best.level:
                continue
            if (idle or each.due <= now) and self._is_worth_it(each, wanted, idle=idle):
                best = each
        if best is None:
            return None
        self._waiting.remove(best)
        self._asked[best.flip.goal, best.level] += 1
        return best.flip, best.level, best.reason

    def _is_worth_it(self, each: _Waiting, wanted: Callable[[Flip, int], bool], *, idle: bool) -> bool:
        if self._asked[each.flip.goal, each.level] >= _MOST[each.level]:
            return False
        return wanted(each.flip, each.level) or (idle and each.level == 1)
