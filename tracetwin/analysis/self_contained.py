"""Functions by their text: calling builtins only, only looking something up, with defaults that change."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Final

from tracetwin.analysis.sources import FunctionNode


def changeable_defaults(node: FunctionNode) -> tuple[str, ...]:
    """Return the parameters whose default may be changed in place: a list, a dict, an object.

    Those that begin with an underscore are left out: nobody is to pass them, and what they keep is meant.
    """
    return tuple(
        name for name, default in _defaults(node.args) if not (name.startswith("_") or _is_fixed(default))
    )


def _defaults(given: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    by_position = [*given.posonlyargs, *given.args]
    first = len(by_position) - len(given.defaults)
    yield from ((one.arg, default) for one, default in zip(by_position[first:], given.defaults, strict=True))
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    yield from ((one.arg, default) for one, default in pairs if default is not None)


def _is_fixed(default: ast.expr) -> bool:
    match default:
        case ast.Constant() | ast.Lambda() | ast.JoinedStr():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_fixed(operand)
        case ast.BinOp(left=left, right=right):
            return _is_fixed(left) and _is_fixed(right)
        case ast.Tuple(elts=parts):
            return all(map(_is_fixed, parts))
        case _:
            return False


_PROTOCOL: Final = frozenset(
    "__getitem__ __delitem__ __setitem__ __missing__ __getattr__ __getattribute__ __delattr__".split()
)
"""Methods of which the language says that they raise such errors."""

_BUILTIN: Final = frozenset("pop popitem popleft remove index".split())
"""Methods of the builtin containers that do."""


def only_looks_up(node: FunctionNode) -> bool:
    """Return whether a function does nothing but to ask a container for what its caller names.

    It hands its own parameters on as they are: `return self.items[key]`, `del table[key]`,
    `self.items.pop()`.
    """
    if node.name in _PROTOCOL:
        return True
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    if len(body) != 1:
        return False
    given = {one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    asked = list(_asked(body[0]))
    return bool(asked) and all(_forwards(one, given) for one in asked)


def _asked(statement: ast.stmt) -> Iterator[ast.expr]:
    match statement:
        case ast.Return(value=ast.expr() as value) | ast.Expr(value=value):
            yield value.value if isinstance(value, ast.Await) else value
        case ast.Delete(targets=targets):
            yield from targets
        case _:
            return


def _forwards(asked: ast.expr, given: set[str]) -> bool:
    match asked:
        case ast.Subscript(value=container, slice=ast.Tuple(elts=keys)):
            return _is_named(container) and all(_is_given(key, given) for key in keys)
        case ast.Subscript(value=container, slice=key):
            return _is_named(container) and _is_given(key, given)
        case ast.Call(func=ast.Attribute(value=container, attr=name), args=args, keywords=[]):
            return name in _BUILTIN and _is_named(container) and all(_is_given(one, given) for one in args)
        case _:
            return False


def _is_named(container: ast.expr) -> bool:
    """Return whether an expression is a name, or an attribute of one."""
    while isinstance(container, ast.Attribute):
        container = container.value
    return isinstance(container, ast.Name)


def _is_given(key: ast.expr, given: set[str]) -> bool:
    return isinstance(key, ast.Name) and key.id in given


_OUTSIDE: Final = frozenset(
    "open eval exec compile input print getattr setattr delattr __import__ iter next".split()
)
_FUNCTIONS: Final = frozenset(vars(builtins)) - _OUTSIDE
_METHODS: Final = frozenset(
    name for kind in (str, bytes, int, float, list, dict, set, tuple) for name in vars(kind) if name[0] != "_"
)


def is_self_contained(node: FunctionNode) -> bool:
    """Return whether a function calls only builtin functions and methods of builtin types."""
    if node.decorator_list or isinstance(node, ast.AsyncFunctionDef):
        return False
    parts = [part for statement in node.body for part in ast.walk(statement)]
    if any(
        isinstance(part, (ast.With, ast.Yield, ast.YieldFrom, ast.Import, ast.ImportFrom)) for part in parts
    ):
        return False
    return all(_is_builtin(part.func) for part in parts if isinstance(part, ast.Call))


def _is_builtin(called: ast.expr) -> bool:
    match called:
        case ast.Name(id=name):
            return name in _FUNCTIONS
        case ast.Attribute(attr=name):
            return name in _METHODS
        case _:
            return False
