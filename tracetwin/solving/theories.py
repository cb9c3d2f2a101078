"""The two stages that ask z3, and their theories: quick ones that mostly suffice, and exact floats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtime.expr import Sort
from tracetwin.solving.lengths import (
    calculates_with_characters,
    candidate_lengths,
    pinned_lengths,
    text_names,
)
from tracetwin.solving.task import Task
from tracetwin.solving.z3_chars import Characters
from tracetwin.solving.z3_floats import ExactFloats
from tracetwin.solving.z3_reals import Reals
from tracetwin.solving.z3_seq import Sequences
from tracetwin.solving.z3_session import Session
from tracetwin.solving.z3_stage import Z3Stage

_CHARACTER_SHARE: Final = 8  # there are up to so many lengths to try


class Quick(Z3Stage):
    """Unbounded ints, reals for floats, and texts as sequences or as lists of characters."""

    name = "z3"

    def _start(self) -> None:
        super()._start()
        self._plain = Session(self._terms, Reals(self._terms), Sequences(self._terms))

    def _sessions(self, task: Task) -> Iterator[Session]:
        """Theories, the most promising first."""
        if not text_names(task):
            yield self._plain
        elif calculates_with_characters(task):
            yield from self._character_sessions(task)
            yield self._plain
        else:
            yield self._plain
            yield from self._character_sessions(task)

    def _character_sessions(self, task: Task) -> Iterator[Session]:
        pinned = pinned_lengths(task).keys() >= set(text_names(task))
        for lengths in candidate_lengths(task):
            text = Characters(self._terms, lengths, pinned=pinned)
            yield Session(self._terms, Reals(self._terms), text, share=_CHARACTER_SHARE)


class Exact(Z3Stage):
    """Floats bit by bit: rounding puzzles, NaN, and proofs. Slow, hence asked last."""

    name = "floats"

    def _start(self) -> None:
        super()._start()
        # push and pop slow this theory down: a new solver per query
        self._session = Session(
            self._terms, ExactFloats(self._terms), Sequences(self._terms), incremental=False
        )

    def _sessions(self, task: Task) -> Iterator[Session]:
        if any(node.sort is Sort.FLOAT for node in task.nodes):
            yield self._session
