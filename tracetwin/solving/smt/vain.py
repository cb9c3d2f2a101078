"""Theories that answer nothing again and again in one exploration are asked with less effort.

All is counted in questions, so that the same questions get the same effort on every machine.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from tracetwin.solving.answers import Answer, Unknown

PATIENT: Final = 8
"""Questions in a row that a theory may give up on before the next ones get a quarter of the effort."""

DEEPEST: Final = 3
"""How often that goes on, for as many more of them each time."""

RETRIED: Final = 16
"""Of so many such questions, one is asked with all the effort."""

CUT_OFF: Final = ("canceled", "stopped", "resource", "timeout")
"""Words of a reason that say that an answer might have come with more effort."""


class Vain:
    """How often each theory gave up at its limits since it last had an answer."""

    def __init__(self) -> None:
        """None did."""
        self._given_up: Counter[str] = Counter()

    def part(self, theory: str) -> float:
        """Return the part of the usual effort that a theory is worth now."""
        given_up = self._given_up[theory]
        if given_up % RETRIED == 0:
            return 1.0
        return 0.25 ** min(given_up // PATIENT, DEEPEST)

    def note(self, theory: str, answer: Answer) -> None:
        """A theory has answered; what it can do nothing with costs little and says nothing."""
        if not isinstance(answer, Unknown):
            self._given_up[theory] = 0
        elif any(word in answer.reason for word in CUT_OFF):
            self._given_up[theory] += 1
