"""Annotations of variables for empty lists, dicts and sets: no item tells a type checker what they hold."""

from __future__ import annotations

import ast
import builtins
from typing import Final

from tracetwin.emit.source.imports import Namespace
from tracetwin.model.recipe import Dictionary, Recipe, Series

_WIDER: Final = {
    "list": ("List", "MutableSequence", "Sequence", "Collection", "Iterable"),
    "dict": ("Dict", "MutableMapping", "Mapping"),
    "set": ("Set", "MutableSet", "AbstractSet", "Collection", "Iterable"),
}
"""Of which annotations each is an instance."""

_EITHER: Final = ("Optional", "Union")
_COUNT: Final = {"list": 1, "dict": 2, "set": 1}


def annotation(recipe: Recipe, wanted: str, space: Namespace) -> str:
    """`: dict[str, int]`, or "" where nothing is needed, or nothing that can be repeated is known."""
    kind = _kind_of_empty(recipe)
    if kind not in _WIDER:
        return ""
    inner = _inner(wanted, kind)
    if inner is None or not _is_known(inner):
        return ""
    for part in ast.walk(inner):
        if isinstance(part, ast.Name) and part.id == "Any":
            part.id = space.name("typing", "Any")
    return f": {kind}[{ast.unparse(inner).strip('()')}]"


def _kind_of_empty(recipe: Recipe) -> str:
    """The type of an empty container, "" for everything else."""
    match recipe:
        case Series(kind, ()):
            return kind.value
        case Dictionary(()):
            return "dict"
        case _:
            return ""


def _inner(wanted: str, kind: str) -> ast.expr | None:
    """Return what stands between the brackets, where there is as much as one of the kind takes."""
    try:
        node = ast.parse(wanted.strip("'\""), mode="eval").body
    except SyntaxError:
        return None
    for part in _alternatives(node):
        if isinstance(part, ast.Subscript):
            head = ast.unparse(part.value).rpartition(".")[2]
            count = len(part.slice.elts) if isinstance(part.slice, ast.Tuple) else 1
            if head in (kind, *_WIDER[kind]) and count == _COUNT[kind]:
                return part.slice
    return None


def _alternatives(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_alternatives(node.left), *_alternatives(node.right)]
    if isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] in _EITHER:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return [inner for part in parts for inner in _alternatives(part)]
    return [node]


def _is_known(inner: ast.expr) -> bool:
    """Return whether it speaks only of what any file knows."""
    names = {part.id for part in ast.walk(inner) if isinstance(part, ast.Name)}
    plain = (ast.Name, ast.Constant, ast.Subscript, ast.Tuple, ast.BinOp, ast.BitOr, ast.Load)
    known = all(name == "Any" or hasattr(builtins, name) for name in names)
    return known and all(isinstance(part, plain) for part in ast.walk(inner))
