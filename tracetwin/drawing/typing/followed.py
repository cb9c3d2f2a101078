"""Uses of what a function or member of that name gives, followed as a parameter is followed."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Final, NamedTuple

from tracetwin.analysis.sources import FunctionNode, Source, copied, walk

RESULT: Final = "the result"
"""Stands for what the member gives; no name of a program is like that."""


class _Following(ast.NodeTransformer):
    """Puts a name in the place of every use of a member, to follow it as a parameter is followed.

    Attributes:
        used: something is done with what one of them gave.
    """

    def __init__(self, name: str, *, is_called: bool, is_function: bool = False) -> None:
        self.seen = False
        self.used = False
        self._name = name
        self._is_called = is_called
        self._is_function = is_function

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Skips an expression that stands alone: it is not used."""
        before = self.used
        self.generic_visit(node)
        if _is_result(node.value):
            self.used = before
        return node

    def visit_Await(self, node: ast.Await) -> ast.AST:
        """Follows the value of a coroutine as that of its call."""
        self.generic_visit(node)
        return node.value if _is_result(node.value) else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace a call of the member, or of the builtin behind it."""
        self.generic_visit(node)
        match node.func:
            case ast.Attribute(attr=name) if name == self._name and self._is_called:
                return self._found(node)
            case ast.Name(id=name) if _BUILTINS.get(name) == self._name:
                return self._found(node)
            case ast.Name(id="getattr") if not self._is_called and _named(node) == self._name:
                return self._found(node)
            case ast.Name(id=name) if name == self._name and self._is_function:
                return self._found(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace a value that is read."""
        self.generic_visit(node)
        is_it = node.attr == self._name and isinstance(node.ctx, ast.Load) and not self._is_called
        return self._found(node) if is_it else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Replace an item that is read."""
        self.generic_visit(node)
        is_it = self._name == "__getitem__" and isinstance(node.ctx, ast.Load)
        return self._found(node) if is_it else node

    def _found(self, node: ast.expr) -> ast.AST:
        self.seen = self.used = True
        return ast.copy_location(ast.Name(RESULT, ast.Load()), node)


def _named(node: ast.Call) -> object:
    """The attribute that a call of `getattr` names."""
    named = node.args[1] if len(node.args) > 1 else None
    return named.value if isinstance(named, ast.Constant) else None


def _is_result(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == RESULT


_BUILTINS: Final = {"next": "__next__", "anext": "__anext__"}


class User(NamedTuple):
    """A function that uses a member, with a name in the place of what that gives, and if it uses this."""

    qualname: str
    body: FunctionNode
    used: bool


def users(
    source: Source, name: str, *, is_called: bool = True, is_function: bool = False
) -> Iterator[User]:
    """The functions that use a member, with a name in the place of what it gives."""
    for qualname, nodes in source.definitions.items():
        for node in nodes:
            if not isinstance(node, ast.ClassDef) and _may_use(node, name):
                following = _Following(name, is_called=is_called, is_function=is_function)
                body = following.visit(copied(node))
                if following.seen:
                    yield User(qualname, body, following.used)


def _may_use(node: FunctionNode, name: str) -> bool:
    """True if a function mentions a member at all, or uses a special one without its name."""
    return name in _mentioned(node)


@functools.cache
def _mentioned(node: FunctionNode) -> frozenset[str]:
    """All names in a function, texts included, as those for `getattr` are, and members used by syntax."""
    found: set[str] = set()
    for part in walk(node):
        match part:
            case ast.Name(id=word):
                found |= {word, _BUILTINS.get(word, word)}
            case ast.Attribute(attr=word) | ast.Constant(value=str(word)):
                found.add(word)
            case ast.Subscript():
                found.add("__getitem__")
            case _:
                pass
    return frozenset(found)


def first_parameter(node: FunctionNode) -> str | None:
    """The name of the first parameter of a function, None where it takes none."""
    items = [*node.args.posonlyargs, *node.args.args]
    return items[0].arg if items else None
