"""Shapes of texts by the names of what holds them: what they begin with, hold, or are read as."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

WORD: Final = "{}"
"""In the place of a word that says nothing."""

NUMBER: Final = "#"
"""A number."""

_READ_AS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("urlsplit", "urlparse"), "https://{}.example.com/a"),
    **dict.fromkeys(("int", "float", "Decimal"), NUMBER),
    "ip_address": "10.0.0.1",
    "ip_network": "10.0.0.0/8",
    "UUID": "12345678-1234-5678-1234-567812345678",
}
"""Texts that functions of the standard library take."""

_SAME: Final = frozenset(
    "lower upper casefold strip lstrip rstrip removeprefix removesuffix replace".split()
)
"""Methods whose results are texts of the same shape."""


def shapes_of(tree: ast.Module) -> dict[str, list[str]]:
    """Return for names of variables, fields and keys the shapes that the module asks of texts under them."""
    listed = dict(_listed(tree))
    found: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        for name, shape in _asked(node, listed):
            some = found.setdefault(name, [])
            some += [shape] if shape not in some else []
    for one, other in _coming_from(tree):
        found.setdefault(other, []).extend(shape for shape in found.get(one, ()) if shape not in found[other])
    return {name: shapes for name, shapes in found.items() if name and shapes}


def _listed(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """The texts that names of the module stand for."""
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], value) if texts := _texts(value, {}):
                yield name, texts
            case _:
                pass


def _texts(node: ast.AST, listed: Mapping[str, list[str]]) -> list[str]:
    match node:
        case ast.Constant(str() as text) if text:
            return [text]
        case ast.Tuple(parts):
            return [text for part in parts for text in _texts(part, listed)]
        case ast.Name(name):
            return listed.get(name, [])
        case _:
            return []


def _asked(node: ast.AST, listed: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    """The shapes that one expression asks of texts, each with the name of what holds the text."""
    match node:
        case ast.Call(ast.Attribute(base, ("startswith" | "endswith" | "split") as how), [given, *_]):
            name = _word(base)
            for text in _texts(given, listed):
                before = WORD if how != "startswith" else ""
                behind = WORD if how != "endswith" else ""
                yield name, f"{before}{text}{'example.com/' * text.endswith('://')}{behind}"
        case ast.Compare(ast.Constant(str() as text), [ast.In() | ast.NotIn()], [where]):
            if not text.isidentifier():
                yield _word(where), f"{WORD}{text}{WORD}"
        case ast.Call(ast.Name(name) | ast.Attribute(_, name), [given, *_]) if name in _READ_AS:
            yield _word(given), _READ_AS[name]
        case _:
            pass


def _word(node: ast.expr) -> str:
    """The name of a variable, field or key; "" for anything else."""
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name
        case ast.Subscript(_, ast.Constant(str() as key)):
            return key
        case ast.Call(ast.Attribute(_, "get"), [ast.Constant(str() as key), *_]):
            return key
        case ast.Call(ast.Attribute(base, name)) if name in _SAME:
            return _word(base)
        case _:
            return ""


def _coming_from(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Pairs of a variable and what its value may be: what is looked up under a key, or the key itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name(one)], ast.Call(ast.Attribute(base, "get"), args) as value):
                parts = [value, base, *args]
            case ast.Assign([ast.Name(one)], value):
                parts = [value]
            case ast.NamedExpr(ast.Name(one), value):
                parts = [value]
            case _:
                continue
        yield from ((one, other) for other in map(_word, parts) if other not in ("", one))
