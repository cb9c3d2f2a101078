"""Floats bit by bit: rounding puzzles, NaN, and proofs. Slow, hence asked last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from runtime.expr import Sort
from tracetwin.solving.smt.floats.exact import ExactFloats
from tracetwin.solving.smt.ints.encoding import Integers
from tracetwin.solving.smt.seq.sequences import Sequences
from tracetwin.solving.smt.session import SolverSession
from tracetwin.solving.smt.terms import Terms
from tracetwin.solving.smt.theory import Theory, TheoryTurn, theory
from tracetwin.solving.smt.translate import Translator
from tracetwin.solving.task import Task

_HEAVY: Final = frozenset(("mul", "truediv", "pow", "math.sqrt"))
_MOST_HEAVY: Final = 16
"""Products and quotients of which z3 would make circuits that it then does nothing with but fill memory."""

_SHARE: Final = 4
"""This theory does little with its time."""


@theory
class ExactFloatTheory(Theory):
    """IEEE floats, where no operation takes both floats and ints."""

    name = "floats"
    turn = TheoryTurn.LAST
    sorts = frozenset((Sort.FLOAT,))

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        # push and pop slow this theory down: a new solver per query
        self._session = SolverSession(self.translator({}), incremental=False, share=_SHARE)

    def rank(self, task: Task) -> int | None:
        """Where there are floats, and not too much is done with them; z3's ints do not mix with them."""
        floats = [node for node in task.nodes if node.sort is Sort.FLOAT]
        heavy = sum(node.op in _HEAVY for node in floats)
        return 0 if floats and heavy <= _MOST_HEAVY and not _mixes_ints_and_floats(task) else None

    def sessions(self, task: Task) -> Iterator[SolverSession]:
        """One for all questions."""
        yield self._session

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
