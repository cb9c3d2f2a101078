"""Goals: what a criterion wants covered, and what became of each."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

from tracetwin.support.data import dataclass


class GoalFate(str, enum.Enum):
    """The fates of a goal."""

    COVERED = "covered"
    INFEASIBLE = "infeasible"
    """Proved."""
    OPEN = "open"
    """Not reached."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Goal:
    """One goal of a criterion.

    Attributes:
        criterion: the name of the criterion.
        name: what the goal is, for people: ``line 12``, ``branch 12 -> 14``.
        function: the qualified name of the function that it belongs to, "" for the module's own code.
        line: where it is.
        reason: why it is infeasible or was not reached, "" where it is covered.
        details: what the criterion tells of it besides, as plain data.
    """

    criterion: str
    name: str
    function: str
    line: int
    fate: GoalFate = GoalFate.OPEN
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON, without the details, which are the criterion's own."""
        plain = asdict(self)
        del plain["details"]
        return {**plain, "fate": self.fate.value}


@dataclass(frozen=True, order=True)
class Uncovered:
    """A line that no test reaches, and why.

    Attributes:
        function: what it belongs to, where that is none of the functions that were explored.
        at: the line from which no run goes on to there, 0 where none is run.
        way: what the condition of that line would have to be, 1 or 0; -1 where it would have to raise; None
            where it is no condition.
    """

    line: int
    reason: str
    function: str = ""
    at: int = 0
    way: int | None = None
