"""Keys of ``**kwargs`` that code takes from a list of names: ``for name in OPTIONS: if name in kwargs``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

from tracetwin.analysis.sources import FunctionNode, Source, arguments, walk

MOST_NAMED: Final = 48
"""Keys that are taken from lists of names."""

_DEEPEST: Final = 2
"""Functions into which the mapping is followed."""


class NamedKeys:
    """The keys that the functions of a module, or who gets the mapping from them, ask for by such names."""

    def __init__(self, source: Source, texts: Callable[[ast.expr], Iterator[str]]) -> None:
        """`texts` yields those that an expression holds, a container of the module or one written out."""
        self._source = source
        self._texts = texts
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def of(self, qualname: str, name: str) -> tuple[str, ...]:
        """The keys of ``**name`` of one function."""
        place = (qualname, name)
        if place not in self._known:
            found = dict.fromkeys(self._asked(qualname, name, 0))
            self._known[place] = tuple(key for key in found if key.isidentifier())[:MOST_NAMED]
        return self._known[place]

    def _asked(self, qualname: str, name: str, depth: int) -> Iterator[str]:
        node = self._source.function(qualname)
        owner = qualname.rpartition(".")[0]
        parts = () if node is None else walk(node)
        variables = {key for part in parts for key in _asked_with(part, name)}
        for part in parts:
            if isinstance(part, (ast.For, ast.comprehension)):
                if isinstance(part.target, ast.Name) and part.target.id in variables:
                    for held in _lists(self._source, owner, part.iter):
                        yield from self._texts(held)
            elif isinstance(part, ast.Call) and depth < _DEEPEST:
                for inner, parameter in _handed_to(self._source, owner, part, name):
                    yield from self._asked(inner, parameter, depth + 1)


def _asked_with(node: ast.AST, name: str) -> Iterator[str]:
    """Yield the variable that holds the key for which a part of a function asks a mapping."""
    match node:
        case ast.Compare(ast.Name(asked), [ast.In() | ast.NotIn()], [ast.Name(mapping)]):
            pass
        case ast.Subscript(ast.Name(mapping), ast.Name(asked)):
            pass
        case ast.Call(ast.Attribute(ast.Name(mapping), "get" | "pop" | "setdefault"), [ast.Name(asked), *_]):
            pass
        case _:
            return
    if mapping == name:
        yield asked


def _lists(source: Source, owner: str, node: ast.expr) -> Iterator[ast.expr]:
    """Yield the expressions that say what a loop goes over; for an attribute what its class gives it."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
        yield node
        return
    body: list[ast.stmt] = getattr(source.class_(owner), "body", [])
    for part in (*body, *(part for method in source.methods(owner).values() for part in walk(method))):
        match part:
            case ast.Assign([ast.Attribute(attr=name) | ast.Name(name)], value) if name == node.attr:
                yield value
            case ast.AnnAssign(ast.Attribute(attr=name) | ast.Name(name), value=value) if name == node.attr:
                yield from filter(None, [value])
            case _:
                pass


def _handed_to(source: Source, owner: str, call: ast.Call, name: str) -> Iterator[tuple[str, str]]:
    """Yield the functions of the module that get a mapping, as it is or as ``**name``, and its name there."""
    match call.func:
        case ast.Name(called):
            qualname, method = called, False
        case ast.Attribute(ast.Name("self" | "cls"), called):
            qualname, method = f"{owner}.{called}", True
        case _:
            return
    callee = source.function(qualname)
    if callee is None:
        return
    for parameter in _given(callee, call, name, method):
        yield qualname, parameter


def _given(callee: FunctionNode, call: ast.Call, name: str, method: bool) -> Iterator[str]:
    for parameter, given in arguments(callee, call, method):
        if isinstance(given, ast.Name) and given.id == name:
            yield parameter.arg
    for keyword in call.keywords:
        spread = keyword.arg is None and isinstance(keyword.value, ast.Name) and keyword.value.id == name
        if spread and callee.args.kwarg is not None:
            yield callee.args.kwarg.arg
