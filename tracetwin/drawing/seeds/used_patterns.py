"""Regular expressions that functions use, themselves or through others of the module."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tracetwin.analysis.evidence.expressions import dotted
from tracetwin.analysis.sources import FunctionNode, Source, walk
from tracetwin.drawing.objects.pattern_texts import matching_texts, pattern_of

MOST_DEPTH: Final = 2
"""Calls within the module that are followed for the patterns that they use."""

_mro_of: Final[Any] = type.__dict__["__mro__"].__get__
_dict_of: Final[Any] = type.__dict__["__dict__"].__get__


class UsedPatterns:
    """The regular expressions that functions of one module use."""

    def __init__(self, names: Mapping[str, Any], source: Source) -> None:
        self._names = names
        self._source = source
        self._known: dict[tuple[FunctionNode, str | None], list[tuple[str, int]]] = {}

    def texts(self, qualname: str, line: int, owner: str | None) -> Iterator[list[str]]:
        """Yield for each pattern that a function uses, directly or through others, texts that match it."""
        seen: set[tuple[str, int]] = set()
        waiting = [(self._source.function(qualname, line), 0)]
        visited: set[int] = set()
        while waiting:
            node, depth = waiting.pop(0)
            if node is None or id(node) in visited:
                continue
            visited.add(id(node))
            if (node, owner) not in self._known:
                self._known[node, owner] = list(self._patterns(node, owner))
            for pattern in self._known[node, owner]:
                if pattern not in seen:
                    seen.add(pattern)
                    yield matching_texts(*pattern)
            if depth < MOST_DEPTH:
                waiting += [(inner, depth + 1) for inner in self._called(node, owner)]

    def _patterns(self, node: FunctionNode, owner: str | None) -> Iterator[tuple[str, int]]:
        for part in walk(node):
            match part:
                case ast.Name(name):
                    yield from _held(self._names.get(name))
                case ast.Attribute(ast.Name("self" | "cls"), name) if owner is not None:
                    spaces = _namespaces(self._names.get(owner.partition(".")[0]))
                    yield from _held(next((space[name] for space in spaces if name in space), None))
                case ast.Attribute(ast.Name(home), name):
                    spaces = _namespaces(self._names.get(home))
                    yield from _held(next((space[name] for space in spaces if name in space), None))
                case ast.Call(func, [ast.Constant(str() as text), *_]) if dotted(func).startswith("re."):
                    yield text, 0
                case _:
                    pass

    def _called(self, node: FunctionNode, owner: str | None) -> Iterator[FunctionNode | None]:
        for part in walk(node):
            match part:
                case ast.Call(ast.Name(name)):
                    yield self._source.function(name) or self._source.function(f"{name}.__init__")
                case ast.Call(ast.Attribute(ast.Name("self" | "cls"), name)) if owner is not None:
                    yield self._source.function(f"{owner}.{name}")
                case _:
                    pass


def _namespaces(holder: Any) -> list[Mapping[str, Any]]:
    """Return where the names of a module or a class stand; nothing of the program is asked."""
    if issubclass(type(holder), types.ModuleType):
        return [object.__getattribute__(holder, "__dict__")]
    if not issubclass(type(holder), type):
        return []
    return [_dict_of(base) for base in _mro_of(holder)]


def _held(value: Any) -> Iterator[tuple[str, int]]:
    """Yield the pattern that a value is, or that its method belongs to."""
    if (found := pattern_of(value)) is not None:
        yield found
