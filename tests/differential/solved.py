"""An operator on given operands as z3 reads it: Python's value is allowed, and where z3 is exact no other."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from runtime.evaluate import Undefined, evaluate
from runtime.expr import Node, Sort, apply, const, sort_of, var
from runtime.ops import DOMAIN_ERRORS, MEANINGS
from tracetwin.solving.smt.terms import Terms, Unsupported
from tracetwin.solving.smt.theory import Theory
from tracetwin.solving.smt.translate import Translator, side_conditions
from tracetwin.solving.smt.z3lib import z3

RLIMIT = 200_000


class Verdict(enum.Enum):
    """What is known of one example in one theory."""

    EXACT = "exact"  # Python's value is the only one
    ALLOWED = "allowed"  # Python's value is one of several: the operation is abstracted
    APPROXIMATE = "approximate"  # the theory says itself that it can't be trusted here
    UNSUPPORTED = "unsupported"  # no term at all, or not for these values
    UNDEFINED = "undefined"  # Python raises
    UNKNOWN = "unknown"  # z3 gave up


class Wrong(AssertionError):
    """z3's reading is not Python's."""


class Loose(Wrong):
    """z3 allows other values than Python's, and does not say so: a proof still holds, a model may not."""


@dataclass
class Question:
    """An operator, its operands as nodes, and what Python makes of it."""

    node: Node
    values: dict[str, object]
    expected: object
    defined: bool = field(default=True)


def question(op: str, operands: list[Any], constants: int, sort: Sort | None) -> Question | None:
    """The operator on variables, or None where there is nothing to ask.

    Args:
        op: the operator.
        operands: their values.
        constants: a bit for each operand that is a literal.
        sort: the sort of its results as far as one is known, for operands that Python refuses.
    """
    values: dict[str, object] = {}
    nodes = []
    for place, operand in enumerate(operands):
        if constants >> place & 1 or sort_of(operand) is Sort.OBJ:
            nodes.append(const(operand))
        else:
            name = f"{sort_of(operand).name.lower()}{place}"  # a name has one sort
            values[name] = operand
            nodes.append(var(name, sort_of(operand)))
    try:
        expected, defined = MEANINGS[op](*operands), True
    except DOMAIN_ERRORS:
        expected, defined = None, False
    if not values or (sort is None and not defined):
        return None
    node = apply(op, sort_of(expected) if defined or sort is None else sort, *nodes)
    return None if node.op == "const" else Question(node, values, expected, defined)


def agrees(asked: Question) -> None:
    """The evaluator on the operator's expression gives what the operator gives.

    Raises:
        Wrong: it does not.
    """
    try:
        said = evaluate(asked.node, asked.values)
    except Undefined as error:
        if not asked.defined:
            return
        said = error
    if repr(said) != repr(asked.expected) or type(said) is not type(asked.expected):
        raise Wrong(f"{asked.node} is {said!r} for {asked.values}, not {asked.expected!r}")


class Reader:
    """Asks one theory about one operator."""

    def __init__(self, theory: type[Theory]) -> None:
        self.theory = theory(Terms())
        self.figures: Counter[Verdict] = Counter()
        self._translator: Translator | None = None

    def ask(self, asked: Question) -> Verdict:
        """The verdict on one example.

        Raises:
            Wrong: z3 excludes Python's value, or allows another one without saying that it abstracts.
        """
        if not self.theory.is_for(asked.node):
            return Verdict.UNSUPPORTED
        verdict = self._ask(asked)
        self.figures[verdict] += 1
        return verdict

    def _ask(self, asked: Question) -> Verdict:
        if self._translator is None or not self.theory.steady:
            self._translator = self.theory.translator(asked.values)
        translator = self._translator
        try:
            part = translator.translate(asked.node)
            if part.term is None:
                return Verdict.UNSUPPORTED
            if not part.sound:
                return Verdict.APPROXIMATE
            variables = [var(name, sort_of(value)) for name, value in asked.values.items()]
            parts = [part, *map(translator.translate, variables)]
            pins = [translator.equals(v, asked.values[str(v.data)]) for v in variables]
            sides = [*side_conditions(translator, parts)]
            is_value = translator.equals(asked.node, asked.expected) if asked.defined else None
        except Unsupported:
            return Verdict.UNSUPPORTED
        return self._verdict(translator, asked, pins, sides, is_value)

    def _undefined(self, solver: Any, asked: Question) -> Verdict:
        """Where Python raises nothing may be said: the operation may stand where it isn't evaluated."""
        if solver.check() == z3.unsat and not self.theory.guarded:
            raise Wrong(f"{self.theory.name}: {asked.node} excludes {asked.values}")
        return Verdict.UNDEFINED

    def forget(self) -> None:
        """Drop what refers to nodes."""
        self._translator = None
        self.theory = type(self.theory)(Terms())

    def _verdict(
        self, translator: Translator, asked: Question, pins: list[Any], sides: list[Any], is_value: Any
    ) -> Verdict:
        t = translator.terms
        solver = z3.SimpleSolver(ctx=t.context)
        solver.set("rlimit", RLIMIT)
        solver.add(*pins, *sides)
        if not asked.defined:
            return self._undefined(solver, asked)
        allowed = solver.check(is_value)
        if allowed == z3.unsat:
            if self.theory.guarded and solver.check() == z3.unsat:
                return Verdict.UNSUPPORTED
            raise Wrong(f"{self.theory.name}: {asked.node} can't be {asked.expected!r} for {asked.values}")
        if asked.node in translator.abstracted:
            return Verdict.ALLOWED
        other = solver.check(t.not_(is_value))
        if other == z3.sat:
            raise Loose(f"{self.theory.name}: {asked.node} need not be {asked.expected!r} for {asked.values}")
        return Verdict.EXACT if other == z3.unsat else Verdict.UNKNOWN
