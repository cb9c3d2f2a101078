"""A z3 solver that lives on between queries: conditions shared with the previous query stay asserted."""

from __future__ import annotations

from typing import Any, Final

from runtime.expr import Node
from tracetwin.solving.terms import Term, Terms
from tracetwin.solving.translate import Theory, Translated, Translator, side_conditions
from tracetwin.solving.z3lib import z3

_MOST_FRAMES: Final = 4000


class Session:
    """Translator and solver for one pair of theories.

    The solver's stack holds one frame per condition, in path order: the next query of a depth-first
    search differs in a few of the last ones. `incremental=False` starts afresh for each query, which
    the theory of floats needs. `share` says which part of the limits one check may use.
    """

    def __init__(
        self, terms: Terms, floats: Theory, text: Theory, *, incremental: bool = True, share: int = 1
    ) -> None:
        self.translator = Translator(terms, floats, text)
        self.theory = f"{floats.name}+{text.name}"
        self.share = share
        self._terms = terms
        self._incremental = incremental
        self._solver: Any = None
        self._frames: list[Node] = []
        self._parts: list[Translated] = []

    def enter(self, conditions: tuple[Node, ...], goal: Node) -> None:
        """Assert a problem; `leave` must follow."""
        if self._solver is None or not self._incremental:
            self._solver = self._new_solver()
            self._frames = []
        self._keep(conditions)
        for condition in conditions[len(self._frames) :]:
            part = self.translator.translate(condition)
            self._frames.append(condition)
            self._parts.append(part)
            if self._incremental:
                self._solver.push()
            self._assert(part)
        part = self.translator.translate(goal)
        self._parts.append(part)
        self._solver.push()
        self._assert(part)

    def _new_solver(self) -> Any:
        self._parts = []
        context = self._terms.context
        return z3.SimpleSolver(ctx=context) if self._incremental else z3.Solver(ctx=context)

    def _keep(self, conditions: tuple[Node, ...]) -> None:
        """Pop the frames that the new problem does not share."""
        shared = 0
        for mine, theirs in zip(self._frames, conditions, strict=False):
            if mine is not theirs:
                break
            shared += 1
        surplus = len(self._frames) - shared
        if surplus:
            self._solver.pop(surplus)
            del self._frames[shared:], self._parts[shared:]

    def _assert(self, part: Translated) -> None:
        for side in side_conditions(self.translator, [part]):
            self._solver.add(side)
        self._solver.add(part.term)

    def leave(self) -> None:
        """Retract the goal."""
        self._solver.pop()
        self._parts.pop()
        if not self._incremental:
            self._solver = None
            self._frames, self._parts = [], []

    @property
    def abstracted(self) -> list[Node]:
        """The nodes in what is asserted that stand for any value, operands first."""
        found = {node for part in self._parts for node in part.special if node in self.translator.abstracted}
        return sorted(found, key=lambda node: node.ident)

    def check(self, rlimit: int, timeout: int, *extra: Term) -> Any:
        """Check, with further assertions for this time only.

        Returns:
            A z3 model, False when there is none, or the reason for not knowing.
        """
        solver = self._solver
        solver.set("rlimit", rlimit)
        solver.set("timeout", timeout)
        if extra:
            solver.push()
        try:
            solver.add(*extra)
            outcome = solver.check()
            if outcome == z3.sat:
                return solver.model()
            return False if outcome == z3.unsat else str(solver.reason_unknown())
        except z3.Z3Exception as error:
            return str(error)
        finally:
            if extra:
                solver.pop()

    def refutes(self, rlimit: int, timeout: int, *extra: Term) -> bool:
        """Whether what is asserted, with `extra`, is proved to have no solution.

        When some parts are only approximated, the others must suffice.
        """
        if all(part.sound for part in self._parts):
            return self.check(rlimit, timeout, *extra) is False
        trusted = [part for part in self._parts if part.sound]
        solver = z3.SimpleSolver(ctx=self._terms.context)
        solver.set("rlimit", rlimit)
        solver.set("timeout", timeout)
        solver.add(*side_conditions(self.translator, trusted), *[part.term for part in trusted], *extra)
        return bool(solver.check() == z3.unsat)

    def add(self, *facts: Term) -> None:
        """Assert further facts until `leave`."""
        self._solver.add(*facts)

    def forget(self) -> None:
        """Drop solver and translations."""
        self.translator.forget()
        self._solver = None
        self._frames, self._parts = [], []
