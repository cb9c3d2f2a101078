"""The goals of a module that tests meet which are there already: others are written for the rest.

Those are of a suite of the user's own, or such that we wrote and of which no more is known than their text.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, TypeAlias

from tracetwin.model.mutant import KILLS
from tracetwin.support.data import dataclass

MetEnding: TypeAlias = tuple[str, str, tuple[str, str] | None, int | None]
"""The qualified name of what was called, the outcome, an exception's class, the line that it came from."""

_RETURNED: Final = "returned"


@dataclass(frozen=True)
class Met:
    """The goals of one module that tests meet which are there already.

    Attributes:
        tests: how many of the user's own pass.
        arcs: pairs of lines that they run one after the other.
        endings: how calls end that they make.
        shown: sides of conditions that they take, and ways in which operands decide these.
        killed: the numbers of the mutants that they notice.
        ours: how many there are that we wrote.
        called: functions of which all goals count as met that no report tells of; None for all functions.
    """

    tests: int = 0
    lines: frozenset[int] = frozenset()
    arcs: frozenset[tuple[int, int]] = frozenset()
    endings: frozenset[MetEnding] = frozenset()
    shown: frozenset[int | str] = frozenset()
    killed: frozenset[int] = frozenset()
    ours: int = 0
    called: frozenset[str] | None = None

    def is_enough_for(self, target: str) -> bool:
        """Return whether only goals of a function are wanted that are reported."""
        return self.called is None or target in self.called

    def meets(self, goal: tuple[Hashable, ...]) -> bool:
        """Return whether they meet what a case reaches, as criteria select it."""
        kind, *words = goal
        match kind, words:
            case "line" | "own line", [line]:
                return line in self.lines
            case "arc" | "own arc", [arc]:
                return arc in self.arcs
            case "shown", [entry]:
                return entry in self.shown
            case "kill", [entry]:
                return int(str(entry).removeprefix(KILLS)) in self.killed
            case "called", [(_, str(target))]:
                return any(one == target for one, *_ in self.endings)
            case "end" | "raised", [(_, str(target)), outcome, place, line]:
                return self._ends(target, outcome, place, line)
            case _:
                return False

    def _ends(self, target: str, outcome: Hashable, place: Hashable, line: Hashable) -> bool:
        if outcome == _RETURNED:
            return (target, outcome, None, None) in self.endings
        return (target, outcome, place, line) in self.endings
