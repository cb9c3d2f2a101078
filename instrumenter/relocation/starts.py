"""Finds where CPython's compiler puts the first instruction of an expression, and the call of a method."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

from instrumenter.relocation.positions import Position, position_of

# From this number of arguments on, a call of a method looks it up as any attribute.
_MANY_ARGUMENTS: Final = 30

# In 3.10 a call with named arguments is none of a method; from 3.12 on, what was imported has no methods.
_NAMED_ARGUMENTS_MATTER: Final = sys.version_info < (3, 11)
_NAMES_ARE_NO_MATTER: Final = sys.version_info < (3, 12)

_INLINED: Final = (ast.ListComp, ast.SetComp, ast.DictComp) if sys.version_info >= (3, 12) else ()


# From 3.11 on, CPython makes an f-string of `'%s' % (a,)` if the text has nothing but these.
_SIMPLE_FORMAT: Final = re.compile(r"(?:[^%]|%%|%-*\d{0,3}(?:\.\d{0,3})?[sra])*")

_FORMATS_EARLY: Final = sys.version_info >= (3, 11)

_DISPLAYS: Final = (ast.List, ast.Set, ast.Tuple)


def is_folded(node: Any) -> bool:
    """Return whether an expression is one constant to CPython's compiler."""
    if isinstance(node, ast.Tuple):
        return all(is_folded(item) for item in node.elts)
    if isinstance(node, ast.UnaryOp):
        return is_folded(node.operand)
    if isinstance(node, ast.BinOp):
        return is_folded(node.right) and is_folded(node.left)
    return isinstance(node, ast.Constant)


def is_constant_display(node: Any) -> bool:
    """Return whether a list, set or tuple is one constant where it is only walked over or looked into."""
    return isinstance(node, _DISPLAYS) and all(is_folded(item) for item in node.elts)


def becomes_fstring(node: Any) -> bool:
    """Return whether CPython formats `'%s' % (a,)` without making the tuple."""
    return (
        _FORMATS_EARLY
        and isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mod)
        and isinstance(node.left, ast.Constant)
        and isinstance(node.left.value, str)
        and isinstance(node.right, ast.Tuple)
        and _SIMPLE_FORMAT.fullmatch(node.left.value) is not None
    )


def begins_with_field(node: Any) -> bool:
    """Return whether the text that CPython formats early has nothing before its first field."""
    return becomes_fstring(node) and node.left.value[:1] == "%" and node.left.value[:2] != "%%"


def _of_items(node: Any) -> Any:
    one_by_one = len(node.elts) in {1, 2} or not is_constant_display(node)
    return node.elts[0] if one_by_one else None


def _of_dict(node: Any) -> Any:
    if len(node.keys) > 1 and all(isinstance(key, ast.Constant) for key in node.keys):
        return node.values[0]
    return node.keys[0] if node.keys else None


_FIRST: Final[dict[type[ast.AST], Callable[[Any], Any]]] = {
    ast.Attribute: lambda node: node.value,
    ast.Await: lambda node: node.value,
    ast.BinOp: lambda node: node.right.elts[0] if begins_with_field(node) else node.left,
    ast.BoolOp: lambda node: node.values[0],
    ast.Call: lambda node: node.func,
    ast.Compare: lambda node: node.left,
    ast.Dict: _of_dict,
    ast.FormattedValue: lambda node: node.value,
    ast.IfExp: lambda node: node.test,
    ast.JoinedStr: lambda node: node.values[0] if node.values else None,
    ast.Lambda: lambda node: node.args.defaults[0] if node.args.defaults else None,
    ast.List: _of_items,
    ast.NamedExpr: lambda node: node.value,
    ast.Set: _of_items,
    ast.Slice: lambda node: node.lower,
    ast.Starred: lambda node: node.value,
    ast.Subscript: lambda node: node.value,
    ast.Tuple: lambda node: node.elts[0],
    ast.UnaryOp: lambda node: node.operand,
    ast.Yield: lambda node: node.value,
    ast.YieldFrom: lambda node: node.value,
} | dict.fromkeys(_INLINED, lambda node: node.generators[0].iter)


def first_line(node: Any) -> int:
    """Return the line of the instruction that an expression begins with."""
    while node.lineno != node.end_lineno and not is_folded(node):
        first = _FIRST.get(type(node))
        inner = None if first is None else first(node)
        if inner is None:
            break
        node = inner
    return node.lineno  # type: ignore[no-any-return]


def method_position(call: ast.Call) -> Position:
    """Return where a method is called: at its name, if that is further down than where its call begins."""
    function: Any = call.func
    where = position_of(call)
    if not isinstance(function, ast.Attribute) or function.end_lineno == call.lineno:
        return where
    _, _, line, end = position_of(function)
    return (line, end - len(function.attr), *where[2:])


def is_method(call: ast.Call, module: ast.Module) -> bool:
    """Return whether CPython's compiler calls a method, rather than what an attribute is."""
    function = call.func
    if not isinstance(function, ast.Attribute):
        return False
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return False
    named = len(call.keywords)
    many = len(call.args) + named + bool(named) >= _MANY_ARGUMENTS
    if many or any(keyword.arg is None for keyword in call.keywords):
        return False
    if _NAMES_ARE_NO_MATTER:
        return not (named and _NAMED_ARGUMENTS_MATTER)
    value = function.value
    return not isinstance(value, ast.Name) or value.id not in set(_imported(module.body))


def _imported(statements: list[Any]) -> Iterator[str]:
    """Return the names that the module's own code imports."""
    for node in statements:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((name.asname or name.name).partition(".")[0] for name in node.names)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                yield from _imported(getattr(node, field, []))
