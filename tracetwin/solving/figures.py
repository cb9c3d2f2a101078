"""Figures of the solver chain: questions, answers and seconds, of each stage and each theory."""

from __future__ import annotations

from dataclasses import dataclass, field

from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat


@dataclass
class StageStatistics:
    """The figures of one stage or theory.

    Attributes:
        queries: problems put to it; `sat`, `unsat` and `unknown` count its answers.
        refused: models of it that the evaluator did not confirm.
        seconds: time spent in it.
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
        cache_hits: those answered from memory.
        unknown: those that nobody answered.
        seconds: time spent in all.
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
