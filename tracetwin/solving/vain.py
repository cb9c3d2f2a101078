"""Effort in vain: what gave up again and again gets less of it, until it has an answer."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tracetwin.solving.answers import Answer, Unknown

PATIENT: Final = 8
"""Questions in a row that may be given up before the next ones get a quarter of the effort."""

DEEPEST: Final = 3
"""How often that goes on, for as many more of them each time."""

RETRIED: Final = 16
"""Of so many such questions, one is asked with all the effort."""

CUT_OFF: Final = ("canceled", "stopped", "resource", "timeout", "evaluations")
"""Words of a reason that say that an answer might have come with more effort."""


class Vain:
    """How often each of those who are asked gave up at its limits since it last had an answer."""

    def __init__(self) -> None:
        self._given_up: Counter[str] = Counter()

    def part(self, asked: str) -> float:
        """Return the part of the usual effort that one of them is worth now."""
        given_up = self._given_up[asked]
        if given_up % RETRIED == 0:
            return 1.0
        return 0.25 ** min(given_up // PATIENT, DEEPEST)

    def note(self, asked: str, answer: Answer) -> None:
        """One of them has answered; what it can do nothing with costs little and says nothing."""
        if not isinstance(answer, Unknown):
            self._given_up[asked] = 0
        elif any(word in answer.reason for word in CUT_OFF):
            self._given_up[asked] += 1
