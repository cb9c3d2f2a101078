"""Mutators of an object: public methods but plain observers, open attributes; frozen classes have none.

A quick look at the source: a method observes when neither it nor the methods it calls on its receiver store
attributes or items, or call what could change an object. What can't be seen through counts as a change.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from runtime.classes import bases_of
from tracetwin.analysis.scopes import namespace_of, own_annotations, unwrapped
from tracetwin.analysis.sources import FunctionNode, Source, read

QUIET_METHODS = frozenset(
    name for kind in (str, bytes, int, float, tuple, frozenset) for name in dir(kind)
) | {"get", "keys", "values", "items"}

_CHANGING_BUILTINS = frozenset(("setattr", "delattr", "next", "exec", "eval"))

_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")

_USEFUL_DUNDERS = ("__setitem__", "__delitem__")
"""Special methods that a sequence may call by their names."""


@dataclass(frozen=True)
class OpenAttribute:
    """An attribute that others may store.

    Attributes:
        annotation: its type, or a value that it starts with where there is none.
    """

    name: str
    annotation: Any
    owner: type


class Changing:
    """The changing methods and open attributes of classes."""

    def __init__(
        self, source: Source, module: str, known: Mapping[str, Sequence[str]], *, private: bool = False
    ) -> None:
        """Look at nothing yet.

        Args:
            source: that of the module.
            module: its name.
            known: for ``module:Class`` the methods that define something, as the analysis of data flow says.
            private: whether names that begin with an underscore count like others.
        """
        self._sources = {module: source}
        self._known = known
        self._private = private

    def methods(self, cls: type) -> list[tuple[str, FunctionType, type]]:
        """Public methods that may change an instance: name, function, and the class that defines it."""
        told = self._known.get(f"{cls.__module__}:{cls.__qualname__}")
        own = dict(self._methods(cls))
        if told is not None:
            changing = [name for name in own if name in told]
        else:
            nodes = {name: self._node(definer, name) for name, (_, definer) in own.items()}
            changing = [name for name in own if _changes(name, nodes, set())]
        return [(name, *own[name]) for name in changing if self._is_public(name)]

    def _methods(self, cls: type) -> Iterator[tuple[str, tuple[FunctionType, type]]]:
        """Methods written in Python, overridden ones left out, in the order of the text."""
        seen: set[str] = set()
        for base in bases_of(cls)[:-1]:
            for name, member in list(vars(base).items()):
                inner = unwrapped(member)
                if name not in seen and isinstance(inner, FunctionType) and not isinstance(member, type):
                    yield name, (member, base)
                seen.add(name)

    def properties(self, cls: type) -> list[tuple[str, FunctionType, type]]:
        """Public properties that can be stored: name, setter, and the class that defines it."""
        found = []
        seen: set[str] = set()
        for base in bases_of(cls)[:-1]:
            for name, member in list(vars(base).items()):
                put = getattr(member, "fset", None) if isinstance(member, property) else None
                if name not in seen and isinstance(put, FunctionType) and self._is_public(name):
                    found.append((name, put, base))
                seen.add(name)
        return found

    def attributes(self, cls: type) -> list[OpenAttribute]:
        """Public attributes that the constructor only initializes and no method maintains."""
        if issubclass(cls, tuple) or is_frozen(cls):
            return []
        nodes = [
            (base, name, node)
            for base in bases_of(cls)[:-1]
            for name, node in self._source_of(base).methods(base.__qualname__).items()
        ]
        maintained = {attr for _, name, node in nodes if name not in _CONSTRUCTORS for attr in _stored(node)}
        found: dict[str, OpenAttribute] = {}
        for base, name, node in nodes:
            for attr, annotation in _initialized(node) if name in _CONSTRUCTORS else ():
                hidden = not self._is_public(attr) or inspect.getattr_static(cls, attr, None) is not None
                if attr not in maintained and not hidden:
                    known = own_annotations(base).get(attr, annotation)
                    found.setdefault(attr, OpenAttribute(attr, known, base))
        return list(found.values())

    def _is_public(self, name: str) -> bool:
        if name.startswith("__"):
            return name in _USEFUL_DUNDERS
        return self._private or not name.startswith("_")

    def _node(self, definer: type, name: str) -> FunctionNode | None:
        return self._source_of(definer).methods(definer.__qualname__).get(name)

    def _source_of(self, cls: type) -> Source:
        name = cls.__module__
        if name not in self._sources:
            module = sys.modules.get(name)
            self._sources[name] = Source() if module is None else read(module)
        return self._sources[name]


def _changes(name: str, nodes: dict[str, FunctionNode | None], seen: set[str]) -> bool:
    """True if a method, or one that it calls on its receiver, may change something."""
    node = nodes.get(name)
    if name in seen:
        return False
    seen.add(name)
    if node is None:
        return True
    this = _receiver(node)
    outer = _arguments(node)
    for item in ast.walk(node):
        if isinstance(item, (ast.Attribute, ast.Subscript)) and not isinstance(item.ctx, ast.Load):
            return True
        if isinstance(item, (ast.Global, ast.Nonlocal)):
            return True
        if isinstance(item, ast.Call) and _call_changes(item, this, outer, nodes, seen):
            return True
    return False


def _call_changes(
    call: ast.Call, this: str, outer: set[str], nodes: dict[str, FunctionNode | None], seen: set[str]
) -> bool:
    function = call.func
    if isinstance(function, ast.Attribute):
        if isinstance(function.value, ast.Name) and function.value.id == this:
            return _changes(function.attr, nodes, seen)
        root = _root(function.value)
        return root in outer and function.attr not in QUIET_METHODS
    if not isinstance(function, ast.Name):
        return True
    if function.id in _CHANGING_BUILTINS:
        return True
    if hasattr(builtins, function.id):
        return False
    given = [*call.args, *(item.value for item in call.keywords)]
    if function.id[:1].isupper():  # a constructor keeps what it gets, and may hold the receiver
        return any(isinstance(part, ast.Name) and part.id == this for part in given)
    return any(_root(part) == this for part in given)


def _receiver(node: FunctionNode) -> str:
    items = [*node.args.posonlyargs, *node.args.args]
    return items[0].arg if items else ""


def _arguments(node: FunctionNode) -> set[str]:
    """Names that may stand for objects from outside: parameters, and locals made from anything."""
    items = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    stored = {
        item.id for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)
    }
    return {item.arg for item in items} | stored


def _root(node: ast.AST) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _stored(node: FunctionNode) -> Iterator[str]:
    """Attributes of the receiver that a method stores, changes or hands out items of."""
    this = _receiver(node)
    for item in ast.walk(node):
        own = isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name) and item.value.id == this
        if own and isinstance(item, ast.Attribute) and not isinstance(item.ctx, ast.Load):
            yield item.attr


def _initialized(node: FunctionNode) -> Iterator[tuple[str, Any]]:
    """Attributes to which a constructor assigns constants, with their annotation or the constant's type."""
    this = _receiver(node)
    for item in ast.walk(node):
        if isinstance(item, ast.Assign) and len(item.targets) == 1:
            target, annotation = item.targets[0], None
        elif isinstance(item, ast.AnnAssign):
            target, annotation = item.target, ast.unparse(item.annotation)
        else:
            continue
        value = item.value
        if not (isinstance(target, ast.Attribute) and _root(target) == this):
            continue
        if isinstance(value, ast.Constant) and (annotation is not None or value.value is not None):
            yield target.attr, annotation or type(value.value)


def is_frozen(cls: type) -> bool:
    """True if a class was declared frozen."""
    for base in bases_of(cls):
        own = namespace_of(base)
        if getattr(own.get("__dataclass_params__"), "frozen", False):
            return True
        if getattr(own.get("__setattr__"), "__name__", "") == "_frozen_setattrs":  # of attrs
            return True
        config = own.get("model_config") or own.get("__pydantic_config__")
        if isinstance(config, Mapping) and config.get("frozen"):
            return True
    return False
