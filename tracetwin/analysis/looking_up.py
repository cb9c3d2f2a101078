"""Functions that only look something up: what they are asked for may not be there, as their callers know."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tracetwin.analysis.sources import FunctionNode

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
