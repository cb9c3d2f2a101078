"""Annotations and defaults as they are written, with what their names stand for, for another file to use."""

from __future__ import annotations

import ast
import builtins
import sys
import types
from collections.abc import Iterator
from typing import Any

from tracetwin.analysis.sources import Source, read
from tracetwin.model import recipes
from tracetwin.model.observation import Spelled

_VARIABLES = ("TypeVar", "ParamSpec", "TypeVarTuple")

_METHODS = (types.FunctionType, property, classmethod, staticmethod)
"""Members that no annotation speaks of: beside a method `list`, `list[str]` is still a list."""


class Unspeakable(Exception):
    """A name that means nothing outside of its class or function."""


class Speller:
    """Reads what stands in the body of one class.

    Args:
        owner: the class.
    """

    def __init__(self, owner: type) -> None:
        self.owner = owner
        self.module = sys.modules.get(owner.__module__) or types.ModuleType(owner.__module__)
        self.source: Source = read(self.module)

    def annotation(self, node: ast.expr | None) -> Spelled | None:
        """An annotation without the quotes; None where there is none, or none that another file can use."""
        try:
            return None if node is None else self._spelled(_Unquoted().visit(node), hidden=_METHODS)
        except (Unspeakable, SyntaxError, ValueError):
            return None

    def default(self, node: ast.expr | None) -> Spelled | None:
        """A default; None as for annotations."""
        try:
            return None if node is None else self._spelled(node)
        except Unspeakable:
            return None

    def _spelled(self, node: ast.expr, hidden: tuple[type, ...] = ()) -> Spelled:
        names = tuple((name, *self._place(name, hidden)) for name in dict.fromkeys(_dotted_names(node)))
        return Spelled(ast.unparse(node), names)

    def _place(self, name: str, hidden: tuple[type, ...]) -> tuple[str, str]:
        """Where to import from what a dotted name stands for; members of these types are passed over."""
        first, *rest = name.split(".")
        if first in self.source.checking_imports and not hasattr(self.module, first):
            module, attribute = self.source.checking_imports[first]
            if attribute == "":  # ``import module.submodule``
                inside = name.startswith(f"{module}.")
                return (module, name[len(module) + 1 :]) if inside else (first, ".".join(rest))
            return module, ".".join([*([attribute] if attribute else []), *rest])
        own = {member: value for member, value in vars(self.owner).items() if not isinstance(value, hidden)}
        for place in (own, vars(self.module)):
            if first in place:
                return self._known(name, place[first], rest)
        if hasattr(builtins, first):
            return "builtins", name
        raise Unspeakable(name)

    def _known(self, name: str, start: Any, rest: list[str]) -> tuple[str, str]:
        found = start
        for part in rest:
            found = getattr(found, part, None)
        if type(found).__name__ in _VARIABLES:
            raise Unspeakable(name)
        try:
            return recipes.reference(found)
        except recipes.NotNameable:
            pass  # an alias or a constant: it has the name that the module gives it
        if isinstance(start, types.ModuleType) and rest:
            return start.__name__, ".".join(rest)
        if vars(self.module).get(name.partition(".")[0]) is not start:
            raise Unspeakable(name)
        return self.module.__name__, name


class _Unquoted(ast.NodeTransformer):
    """Annotations in quotes as expressions, and of annotated types the type."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        inner: ast.expr = self.visit(ast.parse(node.value, mode="eval").body)
        return inner

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        name = ast.unparse(node.value).rpartition(".")[2]
        if name == "Literal":
            return node
        if name == "Annotated" and isinstance(node.slice, ast.Tuple):
            first: ast.expr = self.visit(node.slice.elts[0])
            return first
        return ast.Subscript(self.visit(node.value), self.visit(node.slice), node.ctx)


def _dotted_names(node: ast.AST) -> Iterator[str]:
    """The names, each with all attributes that are asked of it."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute) and _is_dotted(node):
        yield ast.unparse(node)
    else:
        for part in ast.iter_child_nodes(node):
            yield from _dotted_names(part)


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
