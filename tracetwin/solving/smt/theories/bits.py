"""Ints as bit-vectors, where bits of several values are mixed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from runtime.expr import Sort, var
from tracetwin.solving.arithmetic.widths import known_bounds, masked_inputs, mixes_bits, widths
from tracetwin.solving.smt.bits.vectors import BitInts, BitTerms
from tracetwin.solving.smt.chars.characters import Characters
from tracetwin.solving.smt.floats.reals import Reals
from tracetwin.solving.smt.lengths import candidate_lengths, text_names
from tracetwin.solving.smt.session import SolverSession
from tracetwin.solving.smt.theory import Theory, TheoryTurn, theory
from tracetwin.solving.smt.translate import Translator
from tracetwin.solving.task import Task

_HIGHEST: Final = {Sort.STR: 0x10FFFF, Sort.BYTES: 255}
_TESTED: Final = 72
"""Width in which the handlers are tested."""


@theory
class BitTheory(Theory):
    """Bit-vectors, with texts as characters."""

    name = "bits"
    turn = TheoryTurn.SPECIAL
    sorts = frozenset((Sort.INT, Sort.BOOL))
    only = True
    guarded = True

    def rank(self, task: Task) -> int | None:
        """Where bits are mixed and there are no floats."""
        foreign = any(node.sort in (Sort.FLOAT, Sort.OBJ) for node in task.nodes)
        return 0 if not foreign and mixes_bits(task) else None

    def sessions(self, task: Task) -> Iterator[SolverSession]:
        """One for each width and assignment of lengths."""
        masked = masked_inputs(task)
        bounds = {
            **{name: (0, most) for name, most in masked.items()},
            **{
                name: (low, high)
                for name, (low, high) in known_bounds(task).items()
                if low is not None and high is not None and name not in masked
            },
            **{name: (0, _HIGHEST[task.sorts[name]]) for name in text_names(task)},
        }
        for width in widths(task, bounds):
            for lengths in candidate_lengths(task) if text_names(task) else [{}]:
                terms = BitTerms(width, bounds, self.terms.context)
                translator = Translator(BitInts(terms), Reals(terms), Characters(terms, lengths))
                session = SolverSession(translator, incremental=False)
                for name, most in masked.items():
                    variable = translator.variable(var(name, Sort.INT))
                    session.assume(terms.le(terms.int(0), variable), terms.le(variable, terms.int(most)))
                yield session

    def proves(self, session: SolverSession, task: Task, rlimit: int) -> bool:
        """A proof of bit-vectors is one of ints where neither guards nor guessed lengths come in."""
        terms = session.terms
        exact = isinstance(terms, BitTerms) and terms.exact and not text_names(task)
        return exact and session.refutes(rlimit)

    def translator(self, values: Mapping[str, object]) -> Translator:
        """The encodings in a width that has room for most values."""
        terms = BitTerms(_TESTED, {})
        return Translator(BitInts(terms), Reals(terms), Characters(terms, {}))
