"""Walks the two trees side by side, and places calls of the interface; all parts of relocation share it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from instrumenter.interface import CALLEES
from instrumenter.relocation.positions import (
    NOT_TAKES_COMPARISON,
    NOWHERE,
    TWO_ELEMENT_SLICES,
    Position,
    at,
    everywhere,
    line_span,
    position_of,
    veiled,
)
from instrumenter.relocation.starts import becomes_fstring, begins_with_field, first_line, is_constant_display

Handler = Callable[[Any, Any], Any]

# Calls around one node, whose other arguments are ours.
_WRAPPERS: Final = CALLEES | {"iterate", "returned", "subject", "truth"}

_NEVER_REWRITTEN: Final = frozenset({
    "annotation", "arg", "asname", "attr", "cls", "conversion", "ctx", "id", "is_async", "kind", "level",
    "module", "name", "names", "op", "ops", "pattern", "returns", "simple", "tag", "type_comment",
    "type_ignores", "type_params",
})  # fmt: skip


def _node_types(base: type[ast.AST]) -> list[type[ast.AST]]:
    return [base, *(deeper for cls in base.__subclasses__() for deeper in _node_types(cls))]


_FIELDS: Final = {
    cls: tuple(field for field in cls._fields if field not in _NEVER_REWRITTEN)
    for cls in _node_types(ast.AST)
} | dict.fromkeys((ast.Import, ast.ImportFrom, ast.arg, ast.Constant, ast.Name), ())

# What an operator works on, in the order of evaluation.
_OPERANDS: Final[dict[type[ast.AST], Callable[[Any], list[Any]]]] = {
    ast.BinOp: lambda node: [node.left, node.right],
    ast.UnaryOp: lambda node: [node.operand],
    ast.Compare: lambda node: [node.left, *node.comparators],
    ast.Subscript: lambda node: [node.value, node.slice],
    ast.Slice: lambda node: [node.lower, node.upper, node.step],
    ast.Attribute: lambda node: [node.value],
}


class MismatchError(RuntimeError):
    """A twin isn't built as its original: a fault of ours, never of the source."""


class Walk:
    """The walk: each method is given a node of the original and the twin's, and returns which to use.

    Attributes:
        prelude: the name under which the twin calls the interface.
        special: the methods for nodes that the twin may have in another form.
        replaced: the methods for nodes that the twin may have calls with other arguments for.
        jump: where the compiler puts the last jump of the condition, or operand of one, just walked.
        first_jump: where it puts the first.
    """

    def __init__(self, prelude: str, module: ast.Module) -> None:
        self.prelude = prelude
        self.module = module
        self.special: dict[type[ast.AST], Handler] = {ast.Name: self.name}
        self.replaced: dict[type[ast.AST], Handler] = {}
        self.jump: Position = NOWHERE
        self.first_jump: Position = NOWHERE

    def node(self, old: Any, new: Any) -> Any:
        """Return the node to use for one of the original and its counterpart."""
        if type(new) is ast.Call and self.is_emitted(new):
            return self.emitted(old, new)
        special = self.special.get(type(old))
        return special(old, new) if special is not None else self.fields(old, new)

    def fields(self, old: Any, new: Any) -> Any:
        """Return the original's node, with what is new within it."""
        if type(old) is not type(new):
            raise MismatchError(f"{type(new).__name__} for {type(old).__name__}, line {_line(old)}")
        for field in _FIELDS[type(old)]:
            before = getattr(old, field)
            if type(before) is list:
                self.sequence(before, getattr(new, field))
            elif before is not None and isinstance(before, ast.AST):
                setattr(old, field, self.node(before, getattr(new, field)))
        return old

    def sequence(self, old: list[Any], new: list[Any]) -> None:
        """Replace nodes in a list of the original's; what clears helper variables stays where it is."""
        added = {}
        if len(old) != len(new):
            added = {index: node for index, node in enumerate(new) if self.clears_helpers(node)}
            new = [node for index, node in enumerate(new) if index not in added]
        if len(old) != len(new):
            raise MismatchError(f"{len(new)} nodes for {len(old)}")
        for index, before in enumerate(old):
            if before is not None:
                old[index] = self.node(before, new[index])
        for index, node in added.items():
            everywhere(node, NOWHERE)
            old.insert(index, at(node, NOWHERE))

    def clears_helpers(self, node: Any) -> bool:
        """Return whether a statement is `del _tt1` or `del (_tt1, _tt2)`, which the original has not."""
        if type(node) is not ast.Delete:
            return False
        names = [part.id for part in ast.walk(node) if type(part) is ast.Name]
        return all(name.startswith(self.prelude) for name in names) and bool(names)

    def name(self, old: ast.Name, new: Any) -> ast.Name:
        if type(new) is not ast.Name or old.id != new.id:
            raise MismatchError(f"not {old.id}, line {old.lineno}")
        return old

    def is_emitted(self, node: Any) -> bool:
        """Return whether a node is a call of an interface function."""
        if type(node) is not ast.Call or type(node.func) is not ast.Attribute:
            return False
        value = node.func.value
        return type(value) is ast.Name and value.id == self.prelude

    def is_truth(self, node: Any) -> bool:
        return self.is_emitted(node) and node.func.attr == "truth"

    def emitted(self, old: Any, new: Any) -> Any:
        """Return a call in place of an operation, at the operation's position."""
        if new.func.attr in _WRAPPERS:
            return self.wrapped(old, new)
        if type(old) in self.replaced:
            return self.replaced[type(old)](old, new)
        if type(old) not in _OPERANDS:
            raise MismatchError(f"{new.func.attr} for {type(old).__name__}, line {_line(old)}")
        operands = _OPERANDS[type(old)](old)
        where = position_of(old)
        start = first_line(old)
        if TWO_ELEMENT_SLICES and type(old) is ast.Slice and old.step is None and line_span(old):
            where = NOWHERE
        self.arguments(operands, new.args, position_of(old))
        if type(old) is ast.Slice and old.step is None:
            at(new.args[2], where)
        elif type(old) is ast.BinOp and becomes_fstring(old):
            at(new.args[1], NOWHERE if line_span(old.right) else position_of(old))
            if line_span(old) and begins_with_field(old):
                at(new.args[0], NOWHERE)
        elif type(old) is ast.Compare and is_constant_display(operands[-1]):
            everywhere(new.args[1], position_of(operands[-1]))
        elif NOT_TAKES_COMPARISON and new.func.attr == "not_" and _compares_once(old.operand):
            self.placed(new.args[0], where, first_line(old.operand))
        return self.placed(new, where, start)

    def arguments(self, operands: list[Any], arguments: list[Any], where: Position) -> None:
        """Match what is operated on; further arguments, and what a slice leaves out, are constants."""
        if len(arguments) < len(operands):
            raise MismatchError(f"{len(arguments)} arguments for {len(operands)} operands")
        for index, argument in enumerate(arguments):
            operand = operands[index] if index < len(operands) else None
            if operand is not None:
                arguments[index] = self.node(operand, argument)
            else:
                constant(argument, where)

    def wrapped(self, old: Any, new: Any) -> Any:
        """Return a call that passes a value on, as `iterate(old, site)`."""
        start = first_line(old)
        where = position_of(old)
        if new.func.attr == "subject" and line_span(old):
            where = NOWHERE
        self.arguments([old], new.args, where)
        if new.func.attr == "iterate" and is_constant_display(old):
            everywhere(new.args[0], position_of(old))
            start = old.lineno
        return self.placed(new, where, start)

    def placed(self, call: Any, where: Position, start: int) -> Any:
        """Give a call and the loads of what it calls their positions."""
        function = call.func
        if type(function) is ast.IfExp:
            function = function.body  # placed before, and now elsewhere
        line, column, end, _ = where
        if line == start:
            before = where if line == end else (line, column, line, column)
            call.func = function
        else:
            # CPython runs the lookup of a method on the line of its call. This is no lookup of a method.
            before = (start, 0, start, 0)
            call.func = veiled(function, before)
        at(function, before)
        at(function.value, before)
        return at(call, where)

    def once(self, old: ast.expr, new: Any, where: Position | None = None) -> Any:
        """Return an operand that a helper variable may hold: `(_tt1 := old)`."""
        if type(new) is not ast.NamedExpr or not new.target.id.startswith(self.prelude):
            return self.node(old, new)
        if where is None:
            where = NOWHERE if line_span(old) else position_of(old)
        new.value = self.node(old, new.value)
        at(new.target, where)
        return at(new, where)


def constant(node: Any, where: Position) -> None:
    """Position an argument that the original has not.

    Raises:
        MismatchError: it is no constant, so it must stand for something.
    """
    if type(node) is not ast.Constant:
        raise MismatchError(f"a {type(node).__name__} stands for nothing")
    at(node, where)


def _compares_once(node: Any) -> bool:
    if type(node) is not ast.Compare or len(node.ops) > 1:
        return False
    return type(node.ops[0]) not in (ast.Is, ast.IsNot, ast.In, ast.NotIn)


def _line(node: Any) -> int:
    return getattr(node, "lineno", 0)
