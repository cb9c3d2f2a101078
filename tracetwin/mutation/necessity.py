"""Finds what of a program is watched: the sites whose values tell which mutants need no run."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Sequence
from typing import Any, Final

from tracetwin.mutation.operators import Change
from tracetwin.mutation.watches import Key, Made, Receiver, WatchedOperation

OPERATIONS: Final[dict[type[ast.AST], Made]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip

_CHOOSING: Final[dict[str, Made]] = {"min": min, "max": max}

_TEXT_METHODS: Final = frozenset("lower upper strip lstrip rstrip casefold title capitalize swapcase".split())

_WITHOUT_PROPERTIES: Final = frozenset(("ABC", "Protocol", "Generic", "NamedTuple", "TypedDict"))

_QUIET: Final = (
    ast.Name, ast.Constant, ast.Compare, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.expr_context, ast.operator,
    ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
"""Expressions that call nothing. Attributes may, but for those of the receiver that are no properties."""


def operation_of(
    node: ast.AST, changes: Sequence[Change], site: int, constants: Sequence[Sequence[tuple[Key, Any]]]
) -> WatchedOperation | None:
    """Return the watch of a comparison, an operation or the choice of two values; None for anything else.

    Args:
        node: what is changed.
        changes: its changes.
        site: its number.
        constants: for either operand the mutants that put a constant there.
    """
    made = _made_by(node)
    if made is None:
        return None
    found: list[tuple[Key, Made]] = []
    for choice, change in enumerate(changes):
        other = _made_by(change.node) if _has_operands_of(change.node, node) else _picking(change.node, node)
        if other is not None:
            found.append(((site, choice), other))
    for key, value in constants[0]:
        found.append((key, _with_left(made, value)))
    for key, value in constants[1]:
        found.append((key, _with_right(made, value)))
    return WatchedOperation(made, found) if found else None


def operands_of(node: Any) -> tuple[ast.expr, ast.expr] | None:
    """Return the two operands of a comparison, an operation or a choice; None for anything else."""
    match node:
        case ast.Compare(left, [_], [right]):
            return left, right
        case ast.BinOp(left, _, right):
            return left, right
        case ast.Call(ast.Name("min" | "max"), [left, right], []) if not isinstance(left, ast.Starred):
            return None if isinstance(right, ast.Starred) else (left, right)
        case _:
            return None


def _made_by(node: ast.AST) -> Made | None:
    match node:
        case ast.Compare(_, [op], [_]) | ast.BinOp(_, op, _):
            return OPERATIONS.get(type(op))
        case ast.Call(ast.Name("min" | "max" as name), [_, _], []):
            return _CHOOSING[name]
        case _:
            return None


def _has_operands_of(node: ast.AST, original: ast.AST) -> bool:
    return operands_of(node) == operands_of(original)


def _picking(node: ast.AST, original: ast.AST) -> Made | None:
    """A change into one of the operands, or of `min(a, b)` into `min(b, a)`."""
    left, right = operands_of(original) or (None, None)
    made = _made_by(original)
    if node is left:
        return _left
    if node is right:
        return _right
    if made is not None and operands_of(node) == (right, left):
        return lambda one, other: made(other, one)
    return None


def _left(left: Any, _right: Any) -> Any:
    return left


def _right(_left: Any, right: Any) -> Any:
    return right


def _with_left(made: Made, value: Any) -> Made:
    return lambda _, right: made(value, right)


def _with_right(made: Made, value: Any) -> Made:
    return lambda left, _: made(left, value)


def receiver_of(node: ast.AST, changes: Sequence[Change], site: int) -> Receiver | None:
    """Return the watch of the thing that a method is called on; None where nothing can be told of it."""
    match node:
        case ast.Call(ast.Attribute(_, "append"), [_], []):
            keys = [
                ((site, choice), "")
                for choice, change in enumerate(changes)
                if isinstance(change.node, ast.Call) and getattr(change.node.func, "attr", "") == "insert"
            ]
            return Receiver("append", keys) if keys else None
        case ast.Call(ast.Attribute(value, method), [], []) if method in _TEXT_METHODS:
            found: list[tuple[Key, str]] = []
            for choice, change in enumerate(changes):
                match change.node:
                    case ast.Call(ast.Attribute(_, other), [], []) if other in _TEXT_METHODS:
                        found.append(((site, choice), other))
                    case _ if change.node is value:
                        found.append(((site, choice), ""))
                    case _:
                        pass
            return Receiver(method, found) if found else None
        case _:
            return None


def accumulation_of(node: ast.AugAssign, changes: Sequence[Change], site: int) -> WatchedOperation | None:
    """Return the watch of something added to a variable, and the like; None where nothing can be told."""
    made = OPERATIONS.get(type(node.op))
    if made is None or not isinstance(node.target, ast.Name) or not is_quiet(node.value):
        return None
    found: list[tuple[Key, Made]] = []
    for choice, change in enumerate(changes):
        match change.node:
            case ast.AugAssign(_, op) if type(op) in OPERATIONS:
                found.append(((site, choice), OPERATIONS[type(op)]))
            case ast.Assign():
                found.append(((site, choice), _right))
            case ast.Pass():
                found.append(((site, choice), _left))
            case _:
                pass
    return WatchedOperation(made, found)


def is_quiet(node: ast.AST, loud: frozenset[str] | None = None) -> bool:
    """Return whether nobody sees whether an expression is evaluated: it calls nothing.

    Args:
        node: the expression.
        loud: attributes of a receiver that may be more than that; None: all of them.
    """
    if isinstance(node, ast.Attribute):
        plain = isinstance(node.value, ast.Name) and node.value.id == "self"
        return plain and loud is not None and node.attr not in loud
    return isinstance(node, _QUIET) and all(is_quiet(part, loud) for part in ast.iter_child_nodes(node))


def has_breaks(node: ast.AST) -> bool:
    """Return whether other code may run in the middle of an expression."""
    return any(isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await)) for part in ast.walk(node))


def loud_attributes(tree: ast.AST) -> frozenset[str] | None:
    """Return the names of attributes that are computed in a module; None where any may be."""
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    known = {*dir(builtins), *_WITHOUT_PROPERTIES, *(node.name for node in classes)}
    if not known.issuperset(_name_of(base) for node in classes for base in node.bases):
        return None  # a class of another module may compute any attribute
    if any(node.name in ("__getattr__", "__getattribute__") for node in functions):
        return None
    parts = [part for node in classes for part in node.body]
    made = [part for part in parts if isinstance(getattr(part, "value", None), ast.Call)]
    held = [name.id for part in made for name in ast.walk(part) if isinstance(name, ast.Name)]
    return frozenset((*held, *(node.name for node in functions if node.decorator_list)))


def _name_of(base: ast.expr) -> str:
    return ast.unparse(base).partition("[")[0].rpartition(".")[2]
