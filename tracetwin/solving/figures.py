"""Figures of the solver chain: questions, answers and seconds, of each stage and each theory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Final

from runtime.expr import Node
from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat
from tracetwin.support.data import dataclass

SLOW_SECONDS: Final = 0.05
"""What a question takes at least that is shown to people."""

MOST_SLOW: Final = 5
"""Questions of one exploration that are shown."""


@dataclass(frozen=True)
class Slow:
    """A question that took z3 long; the fields are those of `tracetwin.model.timeline.SlowQuestion`."""

    seconds: float
    theory: str
    answer: str
    smtlib: str
    goal: Node | None = None


class Slowest(list[Slow]):
    """The slowest questions, the slowest first."""

    def wants(self, seconds: float) -> bool:
        """Return whether a question is among them that took so long."""
        return seconds >= SLOW_SECONDS and (len(self) < MOST_SLOW or seconds > self[-1].seconds)

    def take(self, slow: Slow) -> None:
        """Take a question in, where it is among them."""
        if self.wants(slow.seconds):
            self.append(slow)
            self.sort(key=lambda one: -one.seconds)
            del self[MOST_SLOW:]

    def note(self, seconds: float, theory: str, answer: Answer, text: Callable[[], str]) -> None:
        """Take a question in that was just answered."""
        if self.wants(seconds):
            self.take(Slow(seconds, theory, type(answer).__name__.lower(), text()))


@dataclass
class StageStatistics:
    """The figures of one stage or theory.

    Attributes:
        queries: problems put to it; `sat`, `unsat` and `unknown` count its answers.
        refused: models of it that the evaluator did not confirm.
    """

    queries: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    refused: int = 0
    seconds: float = 0.0

    def add(self, other: StageStatistics) -> None:
        """Take in figures that were counted elsewhere."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def count(self, answer: Answer, seconds: float) -> None:
        """Take note of an answer."""
        self.queries += 1
        self.seconds += seconds
        match answer:
            case Sat():
                self.sat += 1
            case Unsat():
                self.unsat += 1
            case Unknown():
                self.unknown += 1


@dataclass
class Statistics:
    """The figures of the chain.

    Attributes:
        queries: problems put to the chain.
        folded: those decided by constants, intervals and equalities alone.
        stages: figures per stage, in the order of the chain.
        theories: figures per theory of the stages that ask z3.
    """

    queries: int = 0
    folded: int = 0
    cache_hits: int = 0
    unknown: int = 0
    seconds: float = 0.0
    stages: dict[str, StageStatistics] = field(default_factory=dict)
    theories: dict[str, StageStatistics] = field(default_factory=dict)
