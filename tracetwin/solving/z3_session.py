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

    Where it pays, one solver serves query after query: its stack holds one frame per condition, in path
    order, and the next query of a depth-first search differs in a few of the last ones. Otherwise every
    check gets a solver of its own: the theory of floats is faster so, and with texts z3 may spend any
    time in `push`, to which no limit applies. `share` says which part of the limits one check may use.
    """

    def __init__(
        self, terms: Terms, floats: Theory, text: Theory, *, incremental: bool = True, share: int = 1
    ) -> None:
        self.translator = Translator(terms, floats, text)
        self.theory = f"{floats.name}+{text.name}"
        self.share = share
        self._terms = terms
        self._incremental = incremental
        self._solver: Any = None  # the incremental one
        self._frames: list[Node] = []
        self._parts: list[Translated] = []
        self._facts: list[Term] = []  # what a solver of its own is given
        self._alone = False

    def enter(self, conditions: tuple[Node, ...], goal: Node, *, texts: bool) -> None:
        """Assert a problem; `leave` must follow.

        Args:
            conditions: the conditions, in path order.
            goal: the goal.
            texts: whether a variable of them is a text.
        """
        self._alone = texts or not self._incremental
        if self._alone:
            self._enter_alone((*conditions, goal))
            return
        if self._solver is None:
            self._frames, self._parts = [], []
            self._solver = z3.SimpleSolver(ctx=self._terms.context)
        self._keep(conditions)
        for condition in conditions[len(self._frames) :]:
            part = self.translator.translate(condition)
            self._frames.append(condition)
            self._parts.append(part)
            self._solver.push()
            self._solver.add(*self._with_sides(part))
        part = self.translator.translate(goal)
        self._parts.append(part)
        self._solver.push()
        self._solver.add(*self._with_sides(part))

    def _enter_alone(self, nodes: tuple[Node, ...]) -> None:
        self._solver = None
        self._frames = []
        self._parts = [self.translator.translate(node) for node in nodes]
        self._facts = [term for part in self._parts for term in self._with_sides(part)]

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

    def _with_sides(self, part: Translated) -> list[Term]:
        return [*side_conditions(self.translator, [part]), part.term]

    def leave(self) -> None:
        """Retract the goal."""
        if self._alone:
            self._parts, self._facts = [], []
            return
        self._solver.pop()
        self._parts.pop()

    @property
    def abstracted(self) -> list[Node]:
        """The nodes in what is asserted that stand for any value, operands first."""
        found = {node for part in self._parts for node in part.special if node in self.translator.abstracted}
        return sorted(found, key=lambda node: node.ident)

    def check(self, rlimit: int, *extra: Term) -> Any:
        """Check, with further assertions for this time only.

        Returns:
            A z3 model, False when there is none, or the reason for not knowing.
        """
        solver = self._own_solver() if self._alone else self._solver
        solver.set("rlimit", rlimit)
        framed = bool(extra) and not self._alone
        if framed:
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
            if framed:
                solver.pop()

    def _own_solver(self) -> Any:
        make = z3.SimpleSolver if self._incremental else z3.Solver
        solver = make(ctx=self._terms.context)
        solver.add(*self._facts)
        return solver

    def refutes(self, rlimit: int, *extra: Term) -> bool:
        """Whether what is asserted, with `extra`, is proved to have no solution.

        When some parts are only approximated, the others must suffice.
        """
        if all(part.sound for part in self._parts):
            return self.check(rlimit, *extra) is False
        trusted = [part for part in self._parts if part.sound]
        solver = z3.SimpleSolver(ctx=self._terms.context)
        solver.set("rlimit", rlimit)
        solver.add(*side_conditions(self.translator, trusted), *[part.term for part in trusted], *extra)
        return bool(solver.check() == z3.unsat)

    def add(self, *facts: Term) -> None:
        """Assert further facts until `leave`."""
        if self._alone:
            self._facts.extend(facts)
        else:
            self._solver.add(*facts)

    def forget(self) -> None:
        """Drop solver and translations."""
        self.translator.forget()
        self._solver = None
        self._frames, self._parts = [], []
