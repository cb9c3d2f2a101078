"""Barriers: what runs do not get past, as advice speaks of it."""

from __future__ import annotations

from tracetwin.analysis.entries import Definition
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Barrier:
    """A condition, or a line from which nothing goes on, in a function.

    Attributes:
        name: the qualified name of the function.
        node: its definition.
        takes: what has to hold there, in a sentence; "" where that is not known.
    """

    name: str
    node: Definition
    line: int
    reason: str
    takes: str = ""

    @property
    def example(self) -> str:
        """Advice to show an input that leads past it."""
        which = "for which that holds" if self.takes else "that comes there"
        return f'A test or a doctest of yours {which} shows the way: `--learn-from "pytest -q"`.'
