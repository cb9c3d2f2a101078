"""Keywords in ``**kwargs`` that a function takes for given, itself or by whom it hands them on to."""

from __future__ import annotations

import ast
from typing import Final

from tracetwin.analysis.evidence.callees import arguments, left_open, needed
from tracetwin.analysis.sources import Source, walk

_DEEPEST: Final = 3
"""Functions through which keywords are followed."""


def taken_for_given(source: Source, qualname: str, name: str, depth: int = 0) -> frozenset[str]:
    """Return the keys that a function looks up in ``**name``, or hands on, without asking for them first.

    None where it handles exceptions, of which the lack of one may be the cause.
    """
    node = source.function(qualname)
    if node is None or any(isinstance(part, ast.ExceptHandler) for part in walk(node)):
        return frozenset()
    taken: set[object] = set()
    asked: set[object] = set()
    for part in walk(node):
        match part:
            case ast.Subscript(ast.Name(id), ast.Constant(key), ast.Load()) if id == name:
                taken.add(key)
            case ast.AugAssign(ast.Subscript(ast.Name(id), ast.Constant(key))) if id == name:
                taken.add(key)
            case ast.Call(ast.Attribute(ast.Name(id)), [ast.Constant(key), *_]) if id == name:
                asked.add(key)
            case ast.Compare(ast.Constant(key), _, [ast.Name(id)]) if id == name:
                asked.add(key)
            case ast.Call() if depth < _DEEPEST and _hands_on(part, name):
                taken |= _handed_on(source, part, depth)
            case _:
                pass
    return frozenset(key for key in taken - asked if isinstance(key, str))


def _hands_on(node: ast.Call, name: str) -> bool:
    """Return whether a call passes ``**name``."""
    spread = [one.value for one in node.keywords if one.arg is None]
    return any(isinstance(value, ast.Name) and value.id == name for value in spread)


def _handed_on(source: Source, node: ast.Call, depth: int) -> frozenset[str]:
    """Return the keys that who is called by name, a function or a class of the module, needs."""
    called = ast.unparse(node.func)
    qualname = f"{called}.__init__" if source.class_(called) is not None else called
    callee = source.function(qualname)
    if callee is None:
        return frozenset()
    method = qualname.endswith(".__init__")
    found = {item.arg for item in left_open(callee, node, method)} & needed(callee)
    if callee.args.kwarg is not None:
        found |= taken_for_given(source, qualname, callee.args.kwarg.arg, depth + 1)
    return frozenset(found - {item.arg for item, _ in arguments(callee, node, method)})
