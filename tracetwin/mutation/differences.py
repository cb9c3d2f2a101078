"""Differences between mutants and their original, as a search for them tells of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tracetwin.model.case import Case
from tracetwin.model.mutant import Mutant
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class MutantDifferences:
    """The outcome of running mutants and their original together.

    Attributes:
        cases: calls of the original that notice mutants.
        equivalent: the numbers of those that give the same results for all inputs: proved.
    """

    cases: tuple[Case, ...] = ()
    equivalent: frozenset[int] = frozenset()


Differ: TypeAlias = Callable[[Sequence[Mutant], float], MutantDifferences]
"""Searches differences of some mutants, for some seconds."""


def no_differences(_mutants: Sequence[Mutant], _seconds: float) -> MutantDifferences:
    """Search nothing."""
    return MutantDifferences()
