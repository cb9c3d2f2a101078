"""Parts of `typing` that are no types: special forms by name, classes as values."""

from __future__ import annotations

import collections
import inspect
import sys
import types
import typing
from typing import Any, Final, ForwardRef

from tracetwin.analysis.scopes import Scope, module_of, text_of
from tracetwin.drawing.plans.plans import MemberPlan, Plan
from tracetwin.drawing.plans.type_forms import type_forms
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import Reference
from tracetwin.model.recipes import Recipe

MOST_CLASSES: Final = 6
"""Classes derived from one, and that one, that stand for it as values."""

_ANY: Final = (int, str)
"""Classes for where any may stand."""


def is_special(annotation: Any, *names: str) -> bool:
    """True if it is one of these objects of `typing` or, if the target has loaded it, `typing_extensions`."""
    homes = (typing, sys.modules.get("typing_extensions"))
    return any(annotation is getattr(home, name) for home in homes for name in names if hasattr(home, name))


def default_of(variable: Any) -> Any:
    """The default of a type variable (PEP 696), None without it."""
    default = getattr(variable, "__default__", None)
    return None if is_special(default, "NoDefault") else default


def class_object(wanted: Any, scope: Scope) -> Plan:
    """A class itself: ``type[T]``.

    Raises:
        Unbuildable: no class for it can be imported.
    """
    classes: list[type] = []
    meant = _meant(wanted, scope)
    for item in meant:
        if isinstance(item, type):
            classes += _offered(item, scope)
    usable: list[tuple[Any, Recipe]] = []
    for cls in classes:
        try:
            usable.append((cls, Reference(*recipes.reference(cls, scope.module))))
        except recipes.NotNameable:
            continue
    if meant is _ANY:
        forms = type_forms(scope.module)
        usable = [*forms[:1], *usable, *forms[1:]]  # the code may ask for what no plain class has
    if not usable:
        raise Unbuildable("no class for it can be imported")
    label = f"type[{next(c.__name__ for c, _ in usable if isinstance(c, type))}]"
    return MemberPlan(tuple(c for c, _ in usable), tuple(r for _, r in usable), label)


def _offered(cls: type, scope: Scope) -> list[type]:
    """A class and those derived from it in the module, then in that of the class, then in the project.

    Those of which there are no instances come last.
    """
    derived = subclasses(cls)
    package = scope.module.__name__.partition(".")[0]
    near = [scope.module.__name__, *([cls.__module__] if cls.__module__.partition(".")[0] == package else ())]
    found = [cls, *(one for home in dict.fromkeys(near) for one in derived if module_of(one) == home)]
    found += [one for one in derived if one not in found and recipes.is_traced(module_of(one))]
    return sorted(found, key=inspect.isabstract)[:MOST_CLASSES]


def _meant(wanted: Any, scope: Scope) -> tuple[Any, ...]:
    """The types that the T of ``type[T]`` stands for."""
    if isinstance(wanted, (str, ForwardRef)):
        wanted = scope.evaluate(text_of(wanted))
    if isinstance(wanted, typing.TypeVar):
        wanted = scope.bindings.get(wanted, wanted.__bound__ or wanted.__constraints__ or object)
        return _meant(wanted, scope) if isinstance(wanted, (str, ForwardRef)) else _meant_plain(wanted)
    return _meant_plain(wanted)


def _meant_plain(wanted: Any) -> tuple[Any, ...]:
    origin = typing.get_origin(wanted)
    if origin is typing.Union or origin is types.UnionType:
        parts = typing.get_args(wanted)
        return _ANY if any(isinstance(part, typing.TypeVar) for part in parts) else parts
    wanted = wanted if origin is None else origin
    if wanted is object or is_special(wanted, "Any"):
        return _ANY
    return wanted if isinstance(wanted, tuple) else (wanted,)


def subclasses(cls: type) -> list[type]:
    """All subclasses that exist, nearest first, without repetition."""
    found: list[type] = []
    queue = collections.deque([cls])
    while queue:
        try:
            children: list[type] = type.__subclasses__(queue.popleft())
        except TypeError:
            continue
        for child in children:
            if child not in found:
                found.append(child)
                queue.append(child)
    return found


def is_protocol(cls: type) -> bool:
    """True if a class is a `typing.Protocol` definition, not an implementation."""
    return bool(_dict_of(cls).get("_is_protocol", False))


_dict_of: Final[Any] = type.__dict__["__dict__"].__get__
"""Reads the body of a class, whatever its metaclass makes of attributes."""


def unpacked(annotation: Any) -> Any:
    """The type that is unpacked in ``*tuple[...]`` or ``Unpack[...]``, None for anything else."""
    if is_special(typing.get_origin(annotation), "Unpack"):
        return typing.get_args(annotation)[0]
    if getattr(annotation, "__unpacked__", False) is True:
        return typing.get_origin(annotation)[typing.get_args(annotation)]
    return None
