"""A z3 solver that lives on between queries: conditions shared with the previous query stay asserted."""

from __future__ import annotations

from typing import Any, Final

from runtime.expr import Node
from tracetwin.solving.smt.terms import Term
from tracetwin.solving.smt.translate import Translated, Translator, side_conditions
from tracetwin.solving.smt.z3lib import z3
from tracetwin.support.data import dataclass

_FRAME: Final = 16
"""Conditions asserted between two calls of `push`, which costs more than a condition does."""

_LONGEST: Final = 60_000
"""Characters of a question that is shown to people."""


@dataclass
class _Frame:
    """The conditions of one `push`, their translations, and the nodes first seen in them."""

    nodes: tuple[Node, ...]
    parts: list[Translated]
    special: list[Node]
    seen: set[Node]


class SolverSession:
    """A translator and its solver.

    Where it pays, one solver serves query after query: its stack holds frames of conditions in path order,
    and the next query along the same path differs in a few of the last ones. Otherwise every
    check gets a solver of its own: the theory of floats is faster so, and with texts z3 may spend any
    time in `push`, to which no limit applies. `share` says which part of the limits one check may use.
    """

    def __init__(self, translator: Translator, *, incremental: bool = True, share: int = 1) -> None:
        self.translator = translator
        self.terms = translator.terms
        self.share = share
        self._incremental = incremental
        self._solver: Any = None  # the incremental one
        self._frames: list[_Frame] = []  # the last one holds the goal
        self._seen: set[Node] = set()
        self._facts: list[Term] = []  # what a solver of its own is given
        self._assumed: list[Term] = []
        self._alone = False

    @property
    def name(self) -> str:
        """The names of the encodings of floats and texts, and of ints where they are not the usual ones."""
        translator = self.translator
        usual = translator.floats.name if translator.ints_as.flat_sums else translator.ints_as.name
        return f"{usual}+{translator.text.name}"

    def assume(self, *facts: Term) -> None:
        """Let every problem have these facts, where each gets a solver of its own."""
        self._assumed += facts

    def enter(self, conditions: tuple[Node, ...], goal: Node, *, texts: bool) -> None:
        """Assert a problem; `leave` must follow."""
        self._alone = texts or not self._incremental
        if self._alone:
            self._solver = None
            self._drop_frames(0)
            self._facts = [*self._assumed, *self._frame((*conditions, goal))]
            return
        if self._solver is None:
            self._drop_frames(0)
            self._solver = z3.SimpleSolver(ctx=self.terms.context)
        kept = self._keep(conditions)
        for start in range(kept, len(conditions), _FRAME):
            self._push(conditions[start : start + _FRAME])
        self._push((goal,))

    def _push(self, nodes: tuple[Node, ...]) -> None:
        facts = self._frame(nodes)
        self._solver.push()
        self._solver.add(*facts)

    def _frame(self, nodes: tuple[Node, ...]) -> list[Term]:
        """Put a frame on the list; gives what it asserts: side conditions that are new, then the nodes."""
        parts = [self.translator.translate(node) for node in nodes]
        seen = _Fresh(self._seen)
        special = [each for node in nodes for each in self.translator.special_below(node, seen)]
        self._seen |= seen
        self._frames.append(_Frame(nodes, parts, special, seen))
        sides = [side for node in special for side in self.translator.sides.get(node, ())]
        return [*sides, *(part.term for part in parts)]

    def _keep(self, conditions: tuple[Node, ...]) -> int:
        """Pop the frames that the new problem does not share; gives how many conditions remain asserted."""
        shared = start = 0
        for frame in self._frames:
            end = start + len(frame.nodes)
            if conditions[start:end] != frame.nodes:
                break
            if end < len(conditions) and len(frame.nodes) < _FRAME:
                break  # to be asserted anew in a full frame
            shared, start = shared + 1, end
        surplus = len(self._frames) - shared
        if surplus:
            self._solver.pop(surplus)
            self._drop_frames(shared)
        return start

    def _drop_frames(self, kept: int) -> None:
        for frame in self._frames[kept:]:
            self._seen -= frame.seen
        del self._frames[kept:]

    def leave(self) -> None:
        if self._alone:
            self._drop_frames(0)
            self._facts = []
            return
        self._solver.pop()
        self._drop_frames(len(self._frames) - 1)

    @property
    def _parts(self) -> list[Translated]:
        return [part for frame in self._frames for part in frame.parts]

    @property
    def abstracted(self) -> list[Node]:
        """The nodes in what is asserted that stand for any value, operands first."""
        abstracted = self.translator.abstracted
        found = [node for frame in self._frames for node in frame.special if node in abstracted]
        return sorted(found, key=lambda node: node.ident)

    def check(self, rlimit: int, *extra: Term) -> Any:
        """Check, with further assertions for this time only.

        Returns:
            A z3 model, False when there is none, or the reason for not knowing.
        """
        solver = self._own_solver() if self._alone else self._solver
        solver.set("rlimit", rlimit)
        solver.set("ctrl_c", False)  # else z3 takes the interrupt for itself
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
        solver = make(ctx=self.terms.context)
        solver.add(*self._facts)
        return solver

    def refutes(self, rlimit: int, *extra: Term) -> bool:
        """Return whether what is asserted, with `extra`, is proved to have no solution.

        When some parts are only approximated, the others must suffice.
        """
        parts = self._parts
        if all(part.sound for part in parts):
            return self.check(rlimit, *extra) is False
        trusted = [part for part in parts if part.sound]
        solver = z3.SimpleSolver(ctx=self.terms.context)
        solver.set("rlimit", rlimit)
        solver.set("ctrl_c", False)  # else z3 takes the interrupt for itself
        solver.add(*side_conditions(self.translator, trusted), *[part.term for part in trusted], *extra)
        return bool(solver.check() == z3.unsat)

    def add(self, *facts: Term) -> None:
        """Assert further facts until `leave`."""
        if self._alone:
            self._facts.extend(facts)
        else:
            self._solver.add(*facts)

    def smtlib(self) -> str:
        """Return what is asserted in the language that all solvers read; "" where it is very long."""
        facts = list(self._facts if self._alone else self._solver.assertions()) or [self.terms.true]
        array = (z3.Ast * len(facts))(*[fact.ast for fact in facts])
        last, context = facts[-1].ast, self.terms.context.ref()
        text: str = z3.Z3_benchmark_to_smtlib_string(
            context, "a question of tracetwin", "", "unknown", "", len(facts) - 1, array, last
        )
        return text if len(text) <= _LONGEST else ""

    def forget(self) -> None:
        self.translator.forget()
        self._solver = None
        self._frames, self._seen = [], set()


class _Fresh(set[Node]):
    """A set that starts as a view of another, without copying it; holds what was added."""

    def __init__(self, old: set[Node]) -> None:
        super().__init__()
        self._old = old

    def __contains__(self, node: object) -> bool:
        return node in self._old or super().__contains__(node)
