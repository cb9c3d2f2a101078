"""Parameters of constructors that are stored as they are: what an attribute holds is what was passed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Final

from tracetwin.analysis.scopes import namespace_of, unwrapped
from tracetwin.analysis.sources import FunctionNode, node_of, receiver_of, walk
from tracetwin.analysis.stores import stores

_KNOWN: Final[dict[int, tuple[type, dict[str, str]]]] = {}
"""By the identity of classes, which may hash as they like; each is kept, so that no other gets its number."""


def parameters_stored_by(cls: type) -> dict[str, str]:
    """Return for attributes of the instances of a class the parameter of its constructor that each holds."""
    if id(cls) not in _KNOWN:
        spaces = map(namespace_of, type.__dict__["__mro__"].__get__(cls))
        maker = next((space["__init__"] for space in spaces if "__init__" in space), None)
        function = unwrapped(maker)
        node = node_of(function) if isinstance(function, FunctionType) else None
        _KNOWN[id(cls)] = cls, _stored_as_fields(cls) if node is None else _stored_in(node)
    return _KNOWN[id(cls)][1]


def _stored_as_fields(cls: type) -> dict[str, str]:
    """Return the fields of a data class whose constructor nobody wrote, each the parameter of its name."""
    fields = namespace_of(cls).get("__dataclass_fields__", {})
    return {name: name for name, field in fields.items() if field.init} if type(fields) is dict else {}


def _stored_in(node: FunctionNode) -> dict[str, str]:
    """Return the attributes that are given a value once, which is a parameter that keeps its own."""
    this, spec = receiver_of(node), node.args
    names = {item.arg for item in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)} - {this}
    found: dict[str, str] = {}
    often: set[str] = set()
    for target, value in (pair for part in walk(node) for pair in _each_stored(part)):
        match target:
            case ast.Name(name):
                names.discard(name)
            case ast.Attribute(ast.Name(owner), attribute) if owner == this:
                often |= {attribute} & found.keys()
                found[attribute] = value.id if isinstance(value, ast.Name) else ""
            case _:
                pass
    return {name: held for name, held in found.items() if name not in often and held in names}


def _each_stored(part: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield targets with their values, those of ``a, b = c, d`` one by one; None for what is added to one."""
    for target, value in stores(part):
        match target, value:
            case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
                yield from zip(targets, values, strict=True)
            case _:
                yield target, None if isinstance(part, ast.AugAssign) else value
