"""The time line of a run: what each process worked on and when, what was noted, and its slowest questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tracetwin.support.data import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time that one process spent on one thing.

    Attributes:
        process: its number, from 0.
        kind: ``rewriting``, ``importing``, ``exploring`` or ``writing``.
        what: the function or the module that it was about.
        begin: seconds since the run began.
        end: likewise.
        parts: seconds of it by what they were spent on, such as a stage of the solver.
    """

    process: int
    kind: str
    what: str
    begin: float
    end: float
    parts: tuple[tuple[str, float], ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {
            "process": self.process,
            "kind": self.kind,
            "what": self.what,
            "begin": round(self.begin, 3),
            "end": round(self.end, 3),
            "parts": {name: round(seconds, 4) for name, seconds in self.parts},
        }


@dataclass(frozen=True, slots=True)
class SlowQuestion:
    """A question that took z3 long.

    Attributes:
        goal: what was asked for, in Python's words.
        theory: the encodings that it was put in.
        answer: ``sat``, ``unsat``, ``unknown``, or ``stopped`` where z3 had to be ended.
        smtlib: the question as z3 got it, in the language that all solvers read; "" where it is too long.
    """

    function: str
    goal: str
    theory: str
    answer: str
    seconds: float
    smtlib: str

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {**asdict(self), "seconds": round(self.seconds, 4)}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Something that was noted while a run went on.

    Attributes:
        seconds: since the run began.
        kind: ``message``, ``module``, ``function``, ``note``, ``refusal`` or ``failure``.
        module: the name of the module that it is about, "" for none.
        text: one sentence, or several lines.
    """

    seconds: float
    kind: str
    module: str
    text: str

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}


@dataclass(frozen=True, slots=True)
class Gain:
    """A point of the curve of what a run has gained.

    Attributes:
        seconds: since the run began.
        covered: sides of conditions that these had reached.
    """

    seconds: float
    runs: int
    covered: int

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}


def spent_since(seconds: Mapping[str, float], before: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the seconds by name that came on top of earlier ones, those that are none left out."""
    more = ((name, total - before.get(name, 0.0)) for name, total in seconds.items())
    return tuple((name, spent) for name, spent in more if spent > 0.0005)
