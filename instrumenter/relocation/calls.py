"""Relocates calls of the program, and formatted strings."""

from __future__ import annotations

import ast
from typing import Any

from instrumenter.interface import CALLEES
from instrumenter.relocation.positions import (
    CALLS_BEGIN_EARLY,
    NOWHERE,
    Position,
    at,
    line_span,
    position_of,
    veiled,
)
from instrumenter.relocation.starts import first_line, is_method, method_position
from instrumenter.relocation.walk import MismatchError, Walk, constant


class CallRelocation(Walk):
    """Calls, whose callee is handed to the runtime, and the parts of formatted strings."""

    def call(self, old: Any, new: Any) -> Any:
        if type(new) is not ast.Call:
            raise MismatchError(f"not a call, line {old.lineno}")
        self.sequence(old.args, new.args)
        self.sequence(old.keywords, new.keywords)
        function: Any = new.func
        if not self.is_emitted(function) or function.func.attr not in CALLEES:
            old.func = self.node(old.func, function)
            return old
        if line_span(old.func):
            return self.spread_call(old, new)
        old.func = self.callee(old.func, new.func, position_of(old.func))
        return old

    def spread_call(self, old: ast.Call, new: Any) -> ast.Call:
        """Return a call whose callee is on several lines: CPython's version decides which line counts."""
        method = is_method(old, self.module)
        where = method_position(old) if method else position_of(old)
        start = old.func.lineno
        if method:
            # The name of a method is looked up and called without anything in between.
            start = first_line(old.func) if CALLS_BEGIN_EARLY else -1
        callee = self.callee(old.func, new.func, NOWHERE)
        old.func = callee if start < 0 else veiled(callee, (start, 0, start, 0))
        return at(old, where)  # type: ignore[no-any-return]

    def callee(self, old: ast.expr, new: Any, where: Position) -> Any:
        """Return the call of the interface that chooses what to call."""
        start = first_line(old)
        self.arguments([old], new.args, where)
        return self.placed(new, where, start)

    def fstring(self, old: ast.JoinedStr, new: Any) -> Any:
        start = first_line(old)
        where = position_of(old)
        rest: list[Any] = old.values[::-1]
        for index, argument in enumerate(new.args):
            text = where
            while rest and type(rest[-1]) is ast.Constant:
                text = position_of(rest.pop())
            if not self.is_emitted(argument):
                constant(argument, text)
                # What follows the text is its own; a text the original has not is a label, `{x=}`.
                continue
            if not rest:
                raise MismatchError(f"too many fields, line {old.lineno}")
            new.args[index] = self.node(rest.pop(), argument)
        if any(type(value) is not ast.Constant for value in rest):
            raise MismatchError(f"too few fields, line {old.lineno}")
        return self.placed(new, where, start)

    def field(self, old: ast.FormattedValue, new: Any) -> Any:
        start = first_line(old)
        where = position_of(old)
        value, conversion, spec = new.args
        if self.is_emitted(value) and value.func.attr == "field":
            # Converted on its own, before the format is evaluated.
            self.arguments([old.value], value.args, where)
            new.args[0] = self.placed(value, where, start)
        else:
            new.args[0] = self.node(old.value, value)
        constant(conversion, NOWHERE if line_span(old) else where)
        if old.format_spec is None or not self.is_emitted(spec):
            constant(spec, where)
        else:
            new.args[2] = self.node(old.format_spec, spec)
        return self.placed(new, where, start)
