"""The question put to the solver chain, and the three answers it can give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Protocol, TypeAlias

from runtime.expr import Node, Sort
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Sat:
    """A complete assignment under which the conditions and the goal hold (checked by the evaluator).

    Attributes:
        model: an exact Python value for every variable of the problem.
        theory: which stage or theory found it.
    """

    model: dict[str, object]
    theory: str


@dataclass(frozen=True)
class Unsat:
    """Proved: no Python values satisfy the conditions and the goal."""


HURRIED: Final = "there was little time for it"
"""In the reason of an `Unknown` whose question may be worth another try when there is more time."""


@dataclass(frozen=True)
class Unknown:
    """Neither found nor refuted; never to be read as `Unsat`."""

    reason: str


Answer: TypeAlias = Sat | Unsat | Unknown


@dataclass(frozen=True)
class Problem:
    """One branch to take.

    Attributes:
        conditions: boolean nodes that hold on the run just made, in path order; may be gone through again.
        goal: the boolean node that must become true.
        current: the exact values of all variables in that run; they satisfy the conditions, not the goal.
        sorts: the sort of every variable.
        effort: the part of its usual limits that the solver may spend.
    """

    conditions: Iterable[Node]
    goal: Node
    current: Mapping[str, object]
    sorts: Mapping[str, Sort]
    effort: float = 1.0


class Solver(Protocol):
    """Whatever answers problems."""

    def solve(self, problem: Problem) -> Answer:
        """Find values for the problem, prove that there are none, or say why neither was possible."""
        ...
