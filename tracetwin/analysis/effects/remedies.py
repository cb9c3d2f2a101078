"""Remedies where an object can't be built: the calls on its arguments that could change that.

Backward generation (JTestCraft 4.2) from the condition that failed: what it reads, other calls may write.
Each such call on an object that was drawn before becomes a remedy: the same input with one more call on it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import TracebackType

from tracetwin.analysis.effects.relevance import Relevance

MOST_REMEDIES = 4


def remedies(
    openings: Sequence[tuple[str, Sequence[Collection[str]]]], error: BaseException, relevance: Relevance
) -> list[tuple[str, int]]:
    """Choices to take instead, the latest first: the name of each and its value.

    Args:
        openings: for each object that could get one more call the name of the choice, and which attributes
            each of its words may write, in order.
        error: what was raised.
        relevance: what code reads and writes.
    """
    reads = _reads_of_failed_condition(error, relevance)
    found = [
        (name, index + 1)
        for name, words in reversed(openings)
        for index, writes in enumerate(words)
        if not reads.isdisjoint(writes)
    ]
    return found[:MOST_REMEDIES]


def _reads_of_failed_condition(error: BaseException, relevance: Relevance) -> set[str]:
    """The attributes that the innermost condition of the project's code reads that led to an exception."""
    found: set[str] = set()
    step: TracebackType | None = error.__traceback__
    while step is not None:
        module = str(step.tb_frame.f_globals.get("__name__", ""))
        found = relevance.of_condition(module, step.tb_lineno).reads or found
        step = step.tb_next
    return found
