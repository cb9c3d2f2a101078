"""Floats bit by bit: rounding puzzles, NaN, and proofs. Slow, hence asked last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from runtime.expr import Sort
from tracetwin.solving.arithmetic.widths import known_bounds
from tracetwin.solving.smt.bits.vectors import BitInts, BitTerms
from tracetwin.solving.smt.floats.exact import ExactFloats
from tracetwin.solving.smt.ints.encoding import Integers
from tracetwin.solving.smt.lengths import text_names
from tracetwin.solving.smt.seq.sequences import Sequences
from tracetwin.solving.smt.session import SolverSession
from tracetwin.solving.smt.terms import Terms
from tracetwin.solving.smt.theory import Theory, TheoryTurn, theory
from tracetwin.solving.smt.translate import Translator
from tracetwin.solving.task import Task

_HEAVY: Final = frozenset(("mul", "truediv", "pow", "math.sqrt"))
_MOST_HEAVY: Final = 16
"""Products and quotients of which z3 would make circuits that it then does nothing with but fill memory."""

_AMONG_FLOATS: Final = 66
"""Width of ints that are mixed with floats."""

_SHARE: Final = 4
"""This theory does little with its time."""


@theory
class ExactFloatTheory(Theory):
    """IEEE floats; ints as bit-vectors where they are mixed with floats."""

    name = "floats"
    turn = TheoryTurn.LAST
    sorts = frozenset((Sort.FLOAT,))

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        # push and pop slow this theory down: a new solver per query
        self._session = SolverSession(self.translator({}), incremental=False, share=_SHARE)

    def rank(self, task: Task) -> int | None:
        """Where there are floats, and not too much is done with them."""
        floats = [node for node in task.nodes if node.sort is Sort.FLOAT]
        heavy = sum(node.op in _HEAVY for node in floats)
        return 0 if floats and heavy <= _MOST_HEAVY else None

    def sessions(self, task: Task) -> Iterator[SolverSession]:
        """One; with bit-vectors if an operation takes both ints and floats."""
        if text_names(task) or not _mixes_ints_and_floats(task):
            yield self._session
            return
        known = known_bounds(task)
        bounds = {n: (a, b) for n, (a, b) in known.items() if a is not None and b is not None}
        terms = BitTerms(_AMONG_FLOATS, bounds, self.terms.context)
        translator = Translator(BitInts(terms), ExactFloats(terms), Sequences(terms))
        yield SolverSession(translator, incremental=False, share=_SHARE)

    def proves(self, session: SolverSession, task: Task, rlimit: int) -> bool:
        """A proof of bit-vectors is one of ints where no guards come in."""
        terms = session.terms
        return (not isinstance(terms, BitTerms) or terms.exact) and session.refutes(rlimit)

    def translator(self, values: Mapping[str, object]) -> Translator:
        """The encodings, for any values."""
        return Translator(Integers(self.terms), ExactFloats(self.terms), Sequences(self.terms))


def _mixes_ints_and_floats(task: Task) -> bool:
    """Return whether an operation takes both, or makes the one of the other."""
    for node in task.nodes:
        sorts = {arg.sort for arg in node.args if arg.op != "const"} | {node.sort}
        if Sort.INT in sorts and (Sort.FLOAT in sorts or any(a.sort is Sort.FLOAT for a in node.args)):
            return True
    return False
