"""Relocates comparisons, conditions, and the statements and expressions that have conditions."""

from __future__ import annotations

import ast
from typing import Any

from instrumenter.relocation.positions import (
    JUMPS_AT_STATEMENT,
    NOWHERE,
    at,
    everywhere,
    line_span,
    position_of,
)
from instrumenter.relocation.starts import first_line
from instrumenter.relocation.walk import MismatchError, Walk, constant


class ConditionRelocation(Walk):
    """Relocates decisions: the jumps after them are to stand where the original's do."""

    def compare(self, old: Any, new: Any) -> Any:
        """Return a chain, `(lt(a, (_tt1 := b)) and lt(_tt1, c))`, or what stayed as it was.

        With helper variables it is the first part of a tuple, `(chain, (_tt1 := None))[0]`.
        """
        if type(new) is ast.Subscript and type(new.value) is ast.Tuple:
            where = NOWHERE if line_span(old) else position_of(old)
            new.value.elts[0] = self.compare(old, new.value.elts[0])
            for added in (*new.value.elts[1:], new.slice):
                everywhere(added, where)
            at(new.value, where)
            return at(new, where)
        if type(new) is not ast.BoolOp:
            return self.fields(old, new)
        if len(new.values) != len(old.comparators):
            raise MismatchError(f"not the same chain, line {old.lineno}")
        where = position_of(old)
        start = first_line(old)
        pieces: list[tuple[Any, Any]] = list(zip(new.values, old.comparators, strict=True))
        for index, (piece, right) in enumerate(pieces):
            link = piece
            if self.is_truth(piece):
                link = piece.args[0]
                constant(piece.args[1], where)
            if not self.is_emitted(link):
                raise MismatchError(f"not a comparison, line {old.lineno}")
            if index:
                everywhere(link.args[0], where)
            else:
                link.args[0] = self.node(old.left, link.args[0])
            link.args[1] = self.once(right, link.args[1], where)
            self.arguments([], link.args[2:], where)
            for call in (link, piece):
                self.placed(call, where, old.lineno if index else start)
        return at(new, where)

    def condition(self, old: Any, new: Any) -> Any:
        """Return the tested expression of a condition."""
        outer = new if self.is_truth(new) else None
        inner = new if outer is None else outer.args[0]
        start = first_line(old)
        if type(old) is ast.BoolOp:
            inner = self.operands(old, inner, outer is not None)
        elif type(old) is ast.UnaryOp and type(old.op) is ast.Not:
            inner = self.negation(old, inner, start)
        else:
            statement = JUMPS_AT_STATEMENT and type(old) is not ast.Compare
            jump = self.jump if statement else position_of(old)
            inner = self.node(old, inner)
            self.jump = self.first_jump = jump
        if outer is None:
            return inner
        where = self.first_jump
        outer.args[0] = inner
        self.arguments([], outer.args[1:], where)
        return self.placed(outer, where, start)

    def negation(self, old: ast.UnaryOp, new: Any, start: int) -> Any:
        """Return a `not` within a condition."""
        if not self.is_emitted(new):
            new.operand = self.condition(old.operand, new.operand)
            return at(new, self.first_jump)
        new.args[0] = self.condition(old.operand, new.args[0])
        self.arguments([], new.args[1:], self.first_jump)
        return self.placed(new, self.first_jump, start)

    def operands(self, old: ast.BoolOp, new: Any, valued: bool) -> Any:
        """Return an `and` or `or` within a condition; if its value is wanted, its jumps are the operands'."""
        if type(new) is not ast.BoolOp or len(old.values) != len(new.values):
            raise MismatchError(f"not the same operands, line {old.lineno}")
        new.values[0] = self.condition(old.values[0], new.values[0])
        # All of it counts as the first, which is always evaluated: no line is visited that is left out.
        first = self.first_jump
        for index in range(1, len(old.values)):
            new.values[index] = self.condition(old.values[index], new.values[index])
        self.first_jump = first
        return at(new, NOWHERE if valued and line_span(old) else position_of(old))

    def decision(self, old: Any, new: Any) -> Any:
        """Return an `if` or `while`, whose own position is that of the jump only."""
        if type(old) is not type(new):
            raise MismatchError(f"not the same statement, line {old.lineno}")
        self.jump = position_of(old)
        old.test = self.condition(old.test, new.test)
        jump = self.first_jump
        self.sequence(old.body, new.body)
        self.sequence(old.orelse, new.orelse)
        if JUMPS_AT_STATEMENT and jump[0] != old.lineno:
            at(old, jump)
        return old

    def assertion(self, old: ast.Assert, new: Any) -> Any:
        """Return an `assert`, which raises where its last jump is, or its condition."""
        if type(new) is not ast.Assert:
            raise MismatchError(f"not an assert, line {old.lineno}")
        self.jump = position_of(old)
        where = position_of(old.test)
        start = first_line(old.test)
        emitted = self.is_emitted(new.test)
        old.test = self.condition(old.test, new.test)
        jump = self.jump
        if not JUMPS_AT_STATEMENT:
            old.test = self.placed(old.test, where, start) if emitted else at(old.test, where)
        if old.msg is not None:
            old.msg = self.node(old.msg, new.msg)
        return at(old, jump) if JUMPS_AT_STATEMENT else old

    def conditional(self, old: ast.IfExp, new: Any) -> Any:
        if type(new) is not ast.IfExp:
            raise MismatchError(f"not a conditional, line {old.lineno}")
        outer, self.jump = self.jump, position_of(old)
        old.test = self.condition(old.test, new.test)
        jump, self.jump = self.first_jump, outer
        old.body = self.node(old.body, new.body)
        old.orelse = self.node(old.orelse, new.orelse)
        if JUMPS_AT_STATEMENT and jump[0] != old.lineno:
            at(old, jump)
        return old

    def comprehension(self, old: Any, new: Any) -> Any:
        if type(old) is not type(new) or len(old.generators) != len(new.generators):
            raise MismatchError(f"not the same comprehension, line {old.lineno}")
        outer, self.jump = self.jump, position_of(old)
        for before, after in zip(old.generators, new.generators, strict=True):
            before.target = self.node(before.target, after.target)
            before.iter = self.node(before.iter, after.iter)
            before.ifs = [self.condition(*pair) for pair in zip(before.ifs, after.ifs, strict=True)]
        self.jump = outer
        for field in ("elt", "key", "value"):
            if hasattr(old, field):
                setattr(old, field, self.node(getattr(old, field), getattr(new, field)))
        return old

    def case(self, old: Any, new: Any) -> Any:
        if old.guard is not None:
            self.jump = position_of(old.pattern)
            old.guard = self.condition(old.guard, new.guard)
        self.sequence(old.body, new.body)
        return old
