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
from tracetwin.solving.terms import Unsupported
from tracetwin.solving.z3_chars import Characters
from tracetwin.solving.z3_floats import ExactFloats
from tracetwin.solving.z3_reals import Reals
from tracetwin.solving.z3_seq import Sequences
from tracetwin.solving.z3_session import Session
from tracetwin.solving.z3_stage import Z3Stage

_CHARACTER_SHARE: Final = 8  # there are up to so many lengths to try

_EXACT_SHARE: Final = 4  # this theory does little with its time


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
        for lengths in candidate_lengths(task):
            text = Characters(self._terms, lengths)
            yield Session(self._terms, Reals(self._terms), text, share=_CHARACTER_SHARE)

    def _holds_for_all(self, session: Session, task: Task) -> bool:
        """A proof about texts of certain lengths is a proof if the conditions allow no others."""
        text = session.translator.text
        if not isinstance(text, Characters):
            return True
        lengths = text.lengths
        if all(pinned_lengths(task).get(name) == length for name, length in lengths.items()):
            return True
        plain, t = self._plain, self._terms
        try:
            plain.enter(task.conditions, task.goal, texts=True)
        except Unsupported:
            plain.forget()
            return False
        try:
            variables = plain.translator.variables
            other = [
                t.not_(t.eq(t.length(variables[n]), t.int(size)))
                for n, size in lengths.items()
                if n in variables
            ]
            return plain.refutes(self._rlimit // _CHARACTER_SHARE, t.or_(*other))
        finally:
            plain.leave()


class Exact(Z3Stage):
    """Floats bit by bit: rounding puzzles, NaN, and proofs. Slow, hence asked last."""

    name = "floats"

    def _start(self) -> None:
        super()._start()
        # push and pop slow this theory down: a new solver per query
        self._session = Session(
            self._terms,
            ExactFloats(self._terms),
            Sequences(self._terms),
            incremental=False,
            share=_EXACT_SHARE,
        )

    def _sessions(self, task: Task) -> Iterator[Session]:
        if any(node.sort is Sort.FLOAT for node in task.nodes):
            yield self._session
