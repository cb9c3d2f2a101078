"""Unbounded ints, reals for floats, and texts as lists of characters of guessed lengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from runtime.expr import Sort
from tracetwin.solving.smt.chars.characters import Characters
from tracetwin.solving.smt.floats.reals import Reals
from tracetwin.solving.smt.ints.encoding import Integers
from tracetwin.solving.smt.lengths import candidate_lengths, cover, mentions_texts
from tracetwin.solving.smt.seq.sequences import Sequences
from tracetwin.solving.smt.session import SolverSession
from tracetwin.solving.smt.terms import Unsupported
from tracetwin.solving.smt.theory import Theory, theory
from tracetwin.solving.smt.translate import Translator
from tracetwin.solving.task import Task

_SHARE: Final = 8
"""There are up to so many lengths to try."""


@theory
class CharacterTheory(Theory):
    """Ints, reals, characters."""

    name = "characters"
    sorts = frozenset((Sort.STR, Sort.BYTES))
    steady = False

    def rank(self, task: Task) -> int | None:
        return 1 if mentions_texts(task) else None

    def sessions(self, task: Task) -> Iterator[SolverSession]:
        """One for each assignment of lengths."""
        for lengths in candidate_lengths(task):
            yield SolverSession(self._translator(lengths), share=_SHARE)

    def proves(self, session: SolverSession, task: Task, rlimit: int) -> bool:
        """A proof about texts of certain lengths is a proof if the conditions allow no others."""
        text = session.translator.text
        assert isinstance(text, Characters)
        if not session.refutes(rlimit):
            return False
        return cover(text.lengths, task) or self._no_others(text.lengths, task, rlimit)

    def _no_others(self, lengths: Mapping[str, tuple[int, int]], task: Task, rlimit: int) -> bool:
        t = self.terms
        any_length = SolverSession(Translator(Integers(t), Reals(t), Sequences(t)))
        try:
            any_length.enter(task.conditions, task.goal, texts=True)
        except Unsupported:
            return False
        try:
            variables = any_length.translator.variables
            other = []
            for name, (low, high) in lengths.items():
                if name in variables:
                    size = t.length(variables[name])
                    other += [t.lt(size, t.int(low)), t.lt(t.int(high), size)]
            return any_length.refutes(rlimit, t.or_(*other))
        finally:
            any_length.leave()

    def translator(self, values: Mapping[str, object]) -> Translator:
        """The encodings, for texts of exactly these lengths."""
        sizes = {name: len(value) for name, value in values.items() if isinstance(value, (str, bytes))}
        return self._translator({name: (size, size) for name, size in sizes.items()})

    def _translator(self, lengths: Mapping[str, tuple[int, int]]) -> Translator:
        terms = self.terms
        return Translator(Integers(terms), Reals(terms), Characters(terms, lengths))
