"""Goals: what a criterion wants covered, and what became of each."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias

GoalName: TypeAlias = int | str
"""What a criterion calls a goal; the same in every process."""


class GoalFate(str, enum.Enum):
    """What became of a goal."""

    COVERED = "covered"
    INFEASIBLE = "infeasible"
    """Proved."""
    MISSED = "missed"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal.

    Attributes:
        name: what its criterion calls it.
        place: for people, such as ``line 12 -> 14``.
        fate: what became of it.
        reason: why it is infeasible or was not reached; "" where it is covered.
    """

    name: GoalName
    place: str
    fate: GoalFate = GoalFate.MISSED
    reason: str = ""
