"""Members that code asks for before it uses them: `hasattr(x, "flush")`, `getattr(x, "priority", 0)`.

No interface promises them. So a mock has such a one or not, as the input says.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from typing import Final

_SPECIAL: Final = frozenset(
    f"__{name}__"
    for name in "iter len getitem setitem delitem contains call next enter exit reversed aiter anext aenter"
    " aexit int float index bool bytes fspath length_hint".split()
)
"""Methods that Python looks up in the class: a mock has them from the start, or never."""


def is_special(name: str) -> bool:
    """True if the class itself has to have a member."""
    return name in _SPECIAL


@functools.lru_cache(maxsize=4)
def asked_for(tree: ast.Module) -> Mapping[str, str]:
    """The names of such members in a module, with their kinds: methods are called there."""
    called = {
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    names = dict.fromkeys(name for node in ast.walk(tree) for name in _asked(node))
    return {
        name: "method" if name in called or is_special(name) else "attribute"
        for name in names
        if is_special(name) or not name.startswith("_")
    }


def _asked(node: ast.AST) -> Iterator[str]:
    """The names that a call or a `try` asks for."""
    match node:
        case ast.Call(func=ast.Name("hasattr"), args=[_, ast.Constant(str(name))]):
            yield name
        case ast.Call(func=ast.Name("callable"), args=[_]):
            yield "__call__"
        case ast.Call(func=ast.Name("getattr"), args=[_, ast.Constant(str(name)), _]):
            yield name
        case ast.Try(body=body, handlers=handlers) if any(map(_is_for_attributes, handlers)):
            for inner in (inner for statement in body for inner in ast.walk(statement)):
                if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Load):
                    yield inner.attr


def _is_for_attributes(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id == "AttributeError" for kind in kinds)
