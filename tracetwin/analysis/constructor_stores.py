"""Parameters of constructors that are stored as they are: what an attribute holds is what was passed."""

from __future__ import annotations

import ast
import functools
import sys
from types import FunctionType

from tracetwin.analysis.scopes import namespace_of, unwrapped
from tracetwin.analysis.sources import FunctionNode, read
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
    if node is None:
        return {}
    this, *names = (item.arg for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
    found: dict[str, str] = {}
    for target, value in (pair for statement in node.body for pair in stores(statement)):
        match target, value:
            case ast.Attribute(ast.Name(owner), attribute), ast.Name(name) if owner == this and name in names:
                found[attribute] = name
            case _:
                pass
    return found
