"""Classes that stand for a protocol or a base class, and the bindings of their type variables."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType, ModuleType
from typing import Any, Final

from runtime.classes import bases_of
from tracetwin.analysis.scopes import (
    Scope,
    annotations_of,
    is_defined_in,
    namespace_of,
    own_annotations,
    text_of,
)
from tracetwin.drawing.plans.special_forms import is_protocol
from tracetwin.drawing.typing.generics import narrowed, settled, substituted, unify
from tracetwin.drawing.typing.usage import Usage
from tracetwin.model.errors import Unbuildable

_DUNDERS: Final = frozenset(
    ("__call__", "__len__", "__iter__", "__getitem__", "__contains__", "__enter__", "__exit__", "__next__")
)
"""Special methods that a protocol asks for, besides its public members."""


def conforming(protocol: type, module: ModuleType, usage: Usage) -> list[type]:
    """Classes of the module that have the public members of a protocol."""
    wanted: set[str] = set()
    for base in bases_of(protocol):
        if is_protocol(base):
            wanted |= {*namespace_of(base), *own_annotations(base)}
    wanted = {name for name in wanted if not name.startswith("_") or name in _DUNDERS}
    found = []
    for item in list(vars(module).values()):
        if not isinstance(item, type) or not is_defined_in(item, module) or is_protocol(item):
            continue
        fits = wanted and wanted <= usage.attributes(item) and not inspect.isabstract(item)
        if fits and all(_is_alike(item, protocol, name) for name in wanted):
            found.append(item)
    return found


def _is_alike(cls: type, protocol: type, name: str) -> bool:
    """True if what a class has under a name is a method where the protocol's is one, else data."""
    wanted, found = inspect.getattr_static(protocol, name, None), inspect.getattr_static(cls, name, None)
    is_method = callable(found) or isinstance(found, (classmethod, staticmethod))
    if callable(wanted) or isinstance(wanted, (classmethod, staticmethod)):
        return is_method  # what only instances have may be data
    return not is_method or "Callable" in text_of(_hints(protocol, name).get("return", ""))


def _hints(cls: type, name: str) -> dict[str, Any]:
    """The annotations of a method; that of a property or an attribute is what it returns."""
    member = inspect.getattr_static(cls, name, None)
    if isinstance(member, FunctionType):
        return annotations_of(member)
    if isinstance(member, property) and member.fget is not None:
        return {key: value for key, value in annotations_of(member.fget).items() if key == "return"}
    for base in bases_of(cls):
        if name in (own := own_annotations(base)):
            return {"return": own[name]}
    return {}


def scope_of(cls: type, wanted: type, scope: Scope, home: Callable[[Any, type], Scope]) -> Scope:
    """The scope for the annotations of a class that stands for the wanted one.

    Raises:
        Unbuildable: its type variables can't stand for what is wanted.
    """
    if cls is wanted:
        return scope
    if any(base is wanted for base in bases_of(cls)):
        bindings = narrowed(cls, wanted, scope.bindings)
    else:
        bindings = _implementing(cls, wanted, scope, home)
    if bindings is None:
        raise Unbuildable(f"{cls.__name__} is another {wanted.__name__} than the one wanted")
    return replace(home(None, cls), bindings=bindings)


def _implementing(
    cls: type, protocol: type, scope: Scope, home: Callable[[Any, type], Scope]
) -> dict[Any, Any] | None:
    """The bindings of a class's variables, by the annotations of members that the protocol has, too."""
    found: dict[Any, Any] = {}
    names = [*namespace_of(protocol), *own_annotations(protocol)]
    for name in [name for name in names if not name.startswith("_") or name in _DUNDERS]:
        mine, theirs = _hints(cls, name), _hints(protocol, name)
        for key in [key for key in mine if key in theirs]:
            try:
                pattern = settled(mine[key], home(_code(cls, name), cls))
                wanted = settled(theirs[key], home(_code(protocol, name), protocol))
            except Unbuildable:
                continue
            fits = unify(pattern, substituted(wanted, scope.bindings), found)
            if not fits and key == "return":  # parameters may take more than what is asked for
                return None
    return found


def _code(cls: type, name: str) -> Any:
    """The function that a method or property is."""
    member = inspect.getattr_static(cls, name, None)
    return member.fget if isinstance(member, property) else member
