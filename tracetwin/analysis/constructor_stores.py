"""Parameters of constructors that are stored as they are: what an attribute holds is what was passed."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from types import FunctionType

from tracetwin.analysis.scopes import namespace_of, unwrapped
from tracetwin.analysis.sources import FunctionNode, read, receiver_of
from tracetwin.analysis.stores import stores


def node_of(function: FunctionType) -> FunctionNode | None:
    """Return the text of a function, whichever module it is of; None for one of the standard library."""
    module = sys.modules.get(function.__module__ or "")
    if module is None or module.__name__.partition(".")[0] in sys.stdlib_module_names:
        return None
    source, line = read(module), function.__code__.co_firstlineno
    if getattr(module, "__file__", None) != function.__code__.co_filename:
        return None
    return source.at_line(line)


@functools.lru_cache(maxsize=512)
def parameters_stored_by(cls: type) -> dict[str, str]:
    """Return for attributes of the instances of a class the parameter of its constructor that each holds."""
    spaces = map(namespace_of, type.__dict__["__mro__"].__get__(cls))
    maker = next((space["__init__"] for space in spaces if "__init__" in space), None)
    function = unwrapped(maker)
    node = node_of(function) if isinstance(function, FunctionType) else None
    this = None if node is None else receiver_of(node)
    if node is None or this is None:
        return {}
    spec = node.args
    names = {item.arg for item in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)} - {this}
    found: dict[str, str] = {}
    for target, value in (pair for statement in node.body for pair in _each_stored(statement)):
        match target, value:
            case ast.Attribute(ast.Name(owner), attribute), ast.Name(name) if owner == this and name in names:
                found[attribute] = name
            case _:
                pass
    return found


def _each_stored(statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield targets with their values, those of ``a, b = c, d`` one by one."""
    for target, value in stores(statement):
        match target, value:
            case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
                yield from zip(targets, values, strict=True)
            case _:
                yield target, value
