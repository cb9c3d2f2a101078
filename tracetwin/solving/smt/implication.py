"""Does one condition follow from another? Asked of z3, with a limit that is counted and not timed.

The answer is yes only where it is proved. What a theory says of facts and claims is weakened on one side
only: a fact that can't be translated faithfully is left out, a claim that can't be is not proved.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from runtime.expr import Node
from tracetwin.solving.smt.alarm import Alarm
from tracetwin.solving.smt.floats.reals import Reals
from tracetwin.solving.smt.ints.encoding import Integers
from tracetwin.solving.smt.seq.sequences import Sequences
from tracetwin.solving.smt.terms import Term, Terms, Unsupported
from tracetwin.solving.smt.translate import Translated, Translator, side_conditions
from tracetwin.solving.smt.z3lib import z3
from tracetwin.solving.split import names_of

RLIMIT: Final = 100_000
CPU_SECONDS: Final = 1.0

MOST_QUESTIONS: Final = 100
"""Questions after which z3's memory is given back."""


@functools.cache
def shared() -> Implication:
    """The prover of this process: each has a thread that watches it, and a z3 of its own."""
    return Implication()


class Implication:
    """A prover; keeps some translations, but nothing else, from one question to the next."""

    def __init__(self, rlimit: int = RLIMIT) -> None:
        self._rlimit = rlimit
        self._alarm = Alarm(self._interrupt, CPU_SECONDS)
        self._start()

    def _start(self) -> None:
        self._questions = 0
        self._terms = Terms()
        self._translator = Translator(Integers(self._terms), Reals(self._terms), Sequences(self._terms))

    def _interrupt(self) -> None:
        self._terms.context.interrupt()

    def proves(
        self,
        facts: Sequence[Node],
        claims: Sequence[Node],
        exists: Callable[[str], bool] = lambda name: False,
    ) -> bool:
        """Return whether all claims follow from the facts.

        Those in `exists` are variables of the claims for which some value will do.
        """
        if self._questions == MOST_QUESTIONS:
            self._start()
        self._questions += 1
        try:
            with self._alarm:
                return self._proves(facts, claims, exists)
        except (Unsupported, z3.Z3Exception):
            return False
        finally:
            if self._alarm.rang:  # what an interrupted solver still knows is not to be relied on
                self._start()

    def _proves(self, facts: Sequence[Node], claims: Sequence[Node], exists: Callable[[str], bool]) -> bool:
        known = self._trusted(facts)
        said = set(facts)
        wanted = [claim for claim in claims if claim not in said]
        proved = list(known)
        if all(self._follows(proved, claim) for claim in wanted):
            return True
        hidden = sorted(name for name in names_of(wanted) if exists(name))
        return bool(hidden) and self._some_value_does(known, claims, hidden)

    def _trusted(self, facts: Iterable[Node]) -> list[Translated]:
        """The facts that have a faithful translation."""
        parts = [self._translator.translate(fact) for fact in facts]
        return [part for part in parts if part.sound]

    def _follows(self, known: list[Translated], claim: Node) -> bool:
        part = self._translator.translate(claim)
        if not part.sound:
            return False
        denial = self._terms.not_(part.term)
        proved = self._refuted([*known, part], [fact.term for fact in known], denial)
        known.append(part)  # later claims may rest on it; where it is not proved, they are not asked
        return proved

    def _refuted(self, parts: list[Translated], facts: list[Term], denial: Term) -> bool:
        solver = z3.SimpleSolver(ctx=self._terms.context)
        solver.set("rlimit", self._rlimit)
        solver.set("ctrl_c", False)  # else z3 takes the interrupt for itself
        solver.add(*side_conditions(self._translator, parts), *facts, denial)
        return bool(solver.check() == z3.unsat)

    def _some_value_does(self, known: list[Translated], claims: Sequence[Node], hidden: list[str]) -> bool:
        """The claims as a whole, for values that depend on those of the other variables."""
        t = self._terms
        parts = [self._translator.translate(claim) for claim in claims]
        variables = self._translator.variables
        hidden = [name for name in hidden if name in variables]
        faithful = all(part.sound and not part.special for part in parts)
        if not faithful or any(variables[name].sort() not in (t.int_sort, t.bool_sort) for name in hidden):
            return False
        renamed = [z3.FreshConst(variables[name].sort(), "some") for name in hidden]
        body = z3.substitute(
            t.and_(*[part.term for part in parts]),
            *[(variables[name], other) for name, other in zip(hidden, renamed, strict=True)],
        )
        return self._refuted(known, [fact.term for fact in known], z3.ForAll(renamed, t.not_(body)))
