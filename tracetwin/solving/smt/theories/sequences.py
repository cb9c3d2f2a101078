"""Unbounded ints, reals for floats, and texts as z3's sequences: the theory that mostly suffices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tracetwin.solving.smt.floats.reals import Reals
from tracetwin.solving.smt.ints.encoding import Integers
from tracetwin.solving.smt.lengths import mentions_texts
from tracetwin.solving.smt.seq.sequences import Sequences
from tracetwin.solving.smt.session import SolverSession
from tracetwin.solving.smt.terms import Terms, Unsupported
from tracetwin.solving.smt.theory import Theory, theory
from tracetwin.solving.smt.translate import Translator
from tracetwin.solving.task import Task

_SHARE: Final = 4
"""Where texts were asked for as characters before, an answer comes soon or not at all."""


@theory
class SequenceTheory(Theory):
    """Ints, reals, sequences."""

    name = "sequences"

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._session = SolverSession(self.translator({}))

    def rank(self, task: Task) -> int | None:
        """First, unless there are texts and no patterns: those are found more quickly as characters."""
        return 0 if not mentions_texts(task) or has_patterns(task) else 2

    def sessions(self, task: Task) -> Iterator[SolverSession]:
        self._session.share = 1 if self.rank(task) == 0 else _SHARE
        yield self._session

    def proves(self, session: SolverSession, task: Task, rlimit: int) -> bool:
        """Where ASCII was all that was looked at, bounds on what patterns match may do."""
        return session.refutes(rlimit) or (has_patterns(task) and self._refuted_widely(task, rlimit))

    def _refuted_widely(self, task: Task, rlimit: int) -> bool:
        terms = self.terms
        wide = SolverSession(Translator(Integers(terms), Reals(terms), Sequences(terms, wide=True)))
        try:
            wide.enter(task.conditions, task.goal, texts=True)
        except Unsupported:
            return False
        try:
            return wide.refutes(rlimit)
        finally:
            wide.leave()

    def translator(self, values: Mapping[str, object]) -> Translator:
        """The encodings, for any values."""
        return Translator(Integers(self.terms), Reals(self.terms), Sequences(self.terms))


def has_patterns(task: Task) -> bool:
    """Return whether a regular expression occurs."""
    return any(operator.startswith("re.") for operator in task.operators)
