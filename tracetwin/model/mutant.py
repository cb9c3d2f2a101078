"""Mutants: small changes of the code under test, and what became of each."""

from __future__ import annotations

import enum
from dataclasses import astuple
from typing import Final, TypeAlias

from tracetwin.model.field_types import Plain
from tracetwin.support.data import dataclass

Difficulty: TypeAlias = int
"""The order in which mutants of one place are tried: what is hard to notice first."""


KILLS: Final = "kills "
"""Begins an entry of a case's ``shows`` for a mutant that a test of it notices; its number follows."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change of the code.

    Attributes:
        number: its place in the list of the module's mutants.
        site: the number of the expression or statement that is changed.
        choice: which of the changes of that site it is, from 0.
        function: the qualified name of the function that the site stands in.
        column: of the site, from 0.
        operator: the kind of change, such as ``comparison``.
        change: what is changed into what, for people.
        difficulty: low for those that many tests miss.
    """

    number: int
    site: int
    choice: int
    function: str
    line: int
    column: int
    operator: str
    change: str
    difficulty: Difficulty = 1

    @property
    def name(self) -> str:
        """The mutant for people: its line and its change."""
        return f"line {self.line}: {self.change}"

    def to_plain(self) -> Plain:
        """Return it as a tuple of numbers and texts."""
        return astuple(self)


class MutantFate(str, enum.Enum):
    """The fates of a mutant."""

    KILLED = "killed"
    """Some test fails on it."""
    SURVIVED = "survived"
    """Tests run it, and none fails."""
    EQUIVALENT = "equivalent"
    """The same results for all inputs of the types that are annotated: proved."""
    UNREACHED = "not reached"
    """No test runs it."""
    UNTRIED = "not tried"
    """The time was up before it was tried."""

    def __str__(self) -> str:
        return self.value
