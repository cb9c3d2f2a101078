"""Mutators of an object: public methods but plain observers, open attributes; frozen classes have none.

Which methods change something the analysis of data flow says (`ModuleFacts.changing`, made in the driver). Of
classes that it has not seen, all methods count that are not called as those of values.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from runtime.classes import bases_of
from tracetwin.analysis.scopes import is_put_into, namespace_of, own_annotations, unwrapped
from tracetwin.analysis.sources import FunctionNode, Source, node_of, read, receiver_of, walk
from tracetwin.analysis.stores import root_of
from tracetwin.support.data import dataclass

QUIET_METHODS = frozenset(
    name for kind in (str, bytes, int, float, tuple, frozenset) for name in dir(kind)
) | {"get", "keys", "values", "items"}

_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")

_USEFUL_DUNDERS = frozenset(
    f"__{name}__" for name in "setitem delitem call iadd isub imul iand ior ixor".split()
)
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
        self._sources = {module: source}
        self._known = known
        self._private = private

    def methods(self, cls: type) -> list[tuple[str, FunctionType, type]]:
        """Public methods that may change an instance: name, function, and the class that defines it."""
        told = self._known.get(_key(cls), ())
        return [
            (name, function, definer)
            for name, (function, definer) in self._methods(cls)
            if self._is_public(name) and (name in told or self._may_change(definer, name, function))
        ]

    def _may_change(self, definer: type, name: str, function: FunctionType) -> bool:
        """True if a method of a class may change something, as far as is known of the class."""
        told = self._known.get(_key(definer))
        if told is not None and name in told:
            return True
        if is_put_into(function, definer):  # who read the text of the class has not seen it
            return not _stores_nothing(function)
        return told is None and name not in QUIET_METHODS

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
        """Public attributes that the constructor only initializes and no method maintains.

        Those with a container in them only where their type is written down.
        """
        if issubclass(cls, tuple) or is_frozen(cls):
            return []
        nodes = [
            (base, name, node)
            for base in bases_of(cls)[:-1]
            for name, node in self._source_of(base).methods(base.__qualname__).items()
        ]
        methods = [node for _, name, node in nodes if name not in _CONSTRUCTORS]
        maintained = {attr for node in methods for attr in _stored(node)}
        changed = {attr for node in methods for attr in _changed_inside(node)}
        found: dict[str, OpenAttribute] = {}
        for base, name, node in nodes:
            for attr, annotation in _initialized(node) if name in _CONSTRUCTORS else ():
                hidden = not self._is_public(attr) or inspect.getattr_static(cls, attr, None) is not None
                known = own_annotations(base).get(attr, annotation)
                if not hidden and attr not in maintained and not (known is None or attr in changed):
                    found.setdefault(attr, OpenAttribute(attr, known, base))
        return list(found.values())

    def _is_public(self, name: str) -> bool:
        if name.startswith("__"):
            return name in _USEFUL_DUNDERS
        return self._private or not name.startswith("_")

    def _source_of(self, cls: type) -> Source:
        name = cls.__module__
        if name not in self._sources:
            module = sys.modules.get(name)
            self._sources[name] = Source() if module is None else read(module)
        return self._sources[name]


def _key(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def _stores_nothing(function: FunctionType) -> bool:
    """Return whether the text of a function is there, and nothing in it changes what it is called on."""
    node = node_of(function)
    return node is not None and not any((*_stored(node), *_changed_inside(node)))


def _stored(node: FunctionNode) -> Iterator[str]:
    """Attributes of the receiver that a method stores, changes or hands out items of."""
    this = receiver_of(node)
    for item in walk(node):
        own = isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name) and item.value.id == this
        if own and isinstance(item, ast.Attribute) and not isinstance(item.ctx, ast.Load):
            yield item.attr


def _changed_inside(node: FunctionNode) -> Iterator[str]:
    """Attributes of the receiver in which a method may put something, or from which it may take it."""
    for item in walk(node):
        match item:
            case ast.Subscript(ast.Attribute() as held, ctx=ast.Store() | ast.Del()):
                pass
            case ast.Call(ast.Attribute(ast.Attribute() as held, method)) if method not in QUIET_METHODS:
                pass
            case _:
                continue
        if isinstance(held.value, ast.Name) and held.value.id == receiver_of(node):
            yield held.attr


def _initialized(node: FunctionNode) -> Iterator[tuple[str, Any]]:
    """Attributes to which a constructor assigns constants or new containers.

    With each its annotation, or the type of a constant; None for a container without an annotation.
    """
    this = receiver_of(node)
    for item in walk(node):
        if isinstance(item, ast.Assign) and len(item.targets) == 1:
            target, annotation = item.targets[0], None
        elif isinstance(item, ast.AnnAssign):
            target, annotation = item.target, ast.unparse(item.annotation)
        else:
            continue
        value = item.value
        if not (isinstance(target, ast.Attribute) and root_of(target, calls=True) == this):
            continue
        if isinstance(value, ast.Constant) and (annotation is not None or value.value is not None):
            yield target.attr, annotation or type(value.value)
        elif _is_container(value):
            yield target.attr, annotation


def _is_container(value: ast.expr | None) -> bool:
    """Return whether an expression is a list, dict or set that holds constants, or nothing."""
    match value:
        case ast.List(items) | ast.Set(items):
            return all(isinstance(item, ast.Constant) for item in items)
        case ast.Dict(keys):
            return all(isinstance(key, ast.Constant) for key in keys)
        case ast.Call(ast.Name("dict" | "list" | "set"), [], []):
            return True
        case _:
            return False


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
