"""The two stages that ask z3, and their theories: quick ones that mostly suffice, and exact floats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtime.expr import Sort, var
from tracetwin.solving.arithmetic.widths import known_bounds, masked_inputs, mixes_bits, widths
from tracetwin.solving.smt.bits.vectors import HANDLERS as BIT_HANDLERS
from tracetwin.solving.smt.bits.vectors import BitTerms
from tracetwin.solving.smt.chars.characters import Characters
from tracetwin.solving.smt.floats.exact import ExactFloats
from tracetwin.solving.smt.floats.reals import Reals
from tracetwin.solving.smt.lengths import candidate_lengths, cover, mentions_texts, text_names
from tracetwin.solving.smt.seq.sequences import Sequences
from tracetwin.solving.smt.session import Session
from tracetwin.solving.smt.stage import Z3Stage
from tracetwin.solving.smt.terms import Unsupported
from tracetwin.solving.task import Task

_CHARACTER_SHARE: Final = 8  # there are up to so many lengths to try

_HIGHEST: Final = {Sort.STR: 0x10FFFF, Sort.BYTES: 255}

_HEAVY: Final = frozenset(("mul", "truediv", "pow", "math.sqrt"))
_MOST_HEAVY: Final = 16
"""Products and quotients of which z3 would make circuits that it then does nothing with but fill memory."""

_AMONG_FLOATS: Final = 66
"""Width of ints that are mixed with floats."""

_EXACT_SHARE: Final = 4  # this theory does little with its time


class Quick(Z3Stage):
    """Unbounded ints, reals for floats, and texts as sequences or as lists of characters."""

    name = "z3"

    def _start(self) -> None:
        super()._start()
        self._plain = Session(self._terms, Reals(self._terms), Sequences(self._terms))

    def _sessions(self, task: Task) -> Iterator[Session]:
        """Theories, the most promising first."""
        if not mentions_texts(task):
            yield self._plain
        elif any(operator.startswith("re.") for operator in task.operators):
            yield self._plain
            yield from self._character_sessions(task)
        else:
            yield from self._character_sessions(task)
            yield self._plain

    def _character_sessions(self, task: Task) -> Iterator[Session]:
        for lengths in candidate_lengths(task):
            text = Characters(self._terms, lengths)
            yield Session(self._terms, Reals(self._terms), text, share=_CHARACTER_SHARE)

    def _proved(self, session: Session, task: Task) -> bool:
        """Where ASCII was all that was looked at, bounds on what patterns match may do."""
        if super()._proved(session, task):
            return True
        return session is self._plain and self._refuted_widely(task)

    def _refuted_widely(self, task: Task) -> bool:
        if not any(operator.startswith("re.") for operator in task.operators):
            return False
        wide = Session(self._terms, Reals(self._terms), Sequences(self._terms, wide=True))
        try:
            wide.enter(task.conditions, task.goal, texts=True)
        except Unsupported:
            return False
        try:
            return wide.refutes(self._limit(wide))
        finally:
            wide.leave()

    def _holds_for_all(self, session: Session, task: Task) -> bool:
        """A proof about texts of certain lengths is a proof if the conditions allow no others."""
        text = session.translator.text
        if not isinstance(text, Characters) or cover(text.lengths, task):
            return True
        plain, t = self._plain, self._terms
        try:
            plain.enter(task.conditions, task.goal, texts=True)
        except Unsupported:
            plain.forget()
            return False
        try:
            variables = plain.translator.variables
            other = []
            for name, (low, high) in text.lengths.items():
                if name in variables:
                    size = t.length(variables[name])
                    other += [t.lt(size, t.int(low)), t.lt(t.int(high), size)]
            return plain.refutes(self._rlimit // _CHARACTER_SHARE, t.or_(*other))
        finally:
            plain.leave()


class Bits(Z3Stage):
    """Ints as bit-vectors, where bits of several values are mixed."""

    name = "bits"

    def _sessions(self, task: Task) -> Iterator[Session]:
        floats = any(node.sort in (Sort.FLOAT, Sort.OBJ) for node in task.nodes)
        if floats or not mixes_bits(task):
            return
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
                self._terms = terms = BitTerms(width, bounds)
                text = Characters(terms, lengths)
                session = Session(terms, Reals(terms), text, incremental=False, ints=BIT_HANDLERS)
                for name, most in masked.items():
                    variable = session.translator.variable(var(name, Sort.INT))
                    session.assume(terms.le(terms.int(0), variable), terms.le(variable, terms.int(most)))
                yield session

    def _holds_for_all(self, session: Session, task: Task) -> bool:
        """A proof of bit-vectors is one of ints where neither guards nor guessed lengths come in."""
        terms = session.translator.terms
        return isinstance(terms, BitTerms) and terms.exact and not text_names(task)


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
        if not any(node.sort is Sort.FLOAT for node in task.nodes):
            return
        if sum(node.op in _HEAVY and node.sort is Sort.FLOAT for node in task.nodes) > _MOST_HEAVY:
            return
        if text_names(task) or not _mixes_ints_and_floats(task):
            self._terms = self._session.translator.terms
            yield self._session
            return
        known = known_bounds(task)
        bounds = {n: (a, b) for n, (a, b) in known.items() if a is not None and b is not None}
        self._terms = terms = BitTerms(_AMONG_FLOATS, bounds)
        floats, texts = ExactFloats(terms), Sequences(terms)
        yield Session(terms, floats, texts, incremental=False, share=_EXACT_SHARE, ints=BIT_HANDLERS)

    def _holds_for_all(self, session: Session, task: Task) -> bool:
        """A proof of bit-vectors is one of ints where no guards come in."""
        terms = session.translator.terms
        return not isinstance(terms, BitTerms) or terms.exact


def _mixes_ints_and_floats(task: Task) -> bool:
    """Whether an operation takes both, or makes the one of the other."""
    for node in task.nodes:
        sorts = {arg.sort for arg in node.args if arg.op != "const"} | {node.sort}
        if Sort.INT in sorts and (Sort.FLOAT in sorts or any(a.sort is Sort.FLOAT for a in node.args)):
            return True
    return False
