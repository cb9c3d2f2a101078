"""Relocates statements that store, and class bodies."""

from __future__ import annotations

import ast
from typing import Any

from instrumenter.relocation.positions import LISTS_ATTRIBUTES, at, everywhere, position_of
from instrumenter.relocation.starts import first_line
from instrumenter.relocation.walk import MismatchError, Walk


class Stores(Walk):
    """Relocates `setitem(v, a, i)`, `delitem(a, i)`, `x = iadd(x, v)`, and what holds their operands."""

    def class_body(self, old: ast.ClassDef, new: Any) -> ast.ClassDef:
        """Return a class whose namespace is not asked for the twin's name: a metaclass may have made it."""
        self.fields(old, new)
        first = old.body[0]
        documented = type(first) is ast.Expr and type(first.value) is ast.Constant
        old.body.insert(int(documented), at(ast.Global([self.prelude]), position_of(first)))
        return old

    def assign(self, old: ast.Assign, new: Any) -> Any:
        if type(new) is ast.Assign:
            return self.fields(old, new)
        call, target = self.statement(new), old.targets[0]
        if type(target) is not ast.Subscript:
            raise MismatchError(f"not a store, line {old.lineno}")
        start = first_line(old.value)
        self.arguments([old.value, target.value, target.slice], call.args, position_of(target))
        new.value = self.placed(call, position_of(target), start)
        return at(new, position_of(old))

    def delete(self, old: ast.Delete, new: Any) -> Any:
        if type(new) is ast.Delete:
            return self.fields(old, new)
        new.value = self.emitted(old.targets[0], self.statement(new))
        return at(new, position_of(old))

    def statement(self, new: Any) -> Any:
        """Return the call that a statement consists of."""
        if type(new) is not ast.Expr or not self.is_emitted(new.value):
            raise MismatchError(f"not a call: {type(new).__name__}")
        return new.value

    def augmented(self, old: ast.AugAssign, new: Any) -> Any:
        if type(new) is ast.AugAssign:
            return self.fields(old, new)
        where = position_of(old)
        start = first_line(old.target)
        if type(new) is ast.Assign:
            new.value = self.combined(old, new.value, start)
            self.again(old, new.targets[0])
        else:
            store = self.statement(new)
            store.args[0] = self.combined(old, store.args[0], start)
            for repeated in store.args[1:]:
                everywhere(repeated, where)
            self.placed(store, position_of(old.target), start)
        return at(new, where)

    def combined(self, old: ast.AugAssign, new: Any, start: int) -> Any:
        if not self.is_emitted(new) or len(new.args) != 2:
            raise MismatchError(f"not an operation, line {old.lineno}")
        load, value = new.args
        target: Any = old.target
        where = position_of(target)
        if type(target) is ast.Name:
            everywhere(load, where)
        elif type(target) is ast.Attribute:
            at(load, where)
            load.value = self.once(target.value, load.value)
        else:
            load.args = [self.once(target.value, load.args[0]), self.once(target.slice, load.args[1])]
            self.placed(load, where, start)
        new.args = [load, self.node(old.value, value)]
        return self.placed(new, position_of(old), start)

    def again(self, old: ast.AugAssign, target: Any) -> None:
        """Return the target, whose object and key are only looked up again."""
        where = position_of(old)
        for part in ("value", "slice"):
            if hasattr(target, part):
                everywhere(getattr(target, part), where)
        if LISTS_ATTRIBUTES and type(target) is ast.Attribute:
            # What assigns to `self.x` is listed in the class's `__static_attributes__`; `self.x += 1` isn't.
            never = at(ast.Constant(None), where)
            target.value = at(ast.IfExp(at(ast.Constant(True), where), target.value, never), where)
        at(target, position_of(old.target))
