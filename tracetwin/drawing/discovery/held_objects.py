"""Objects of private classes that a module holds under public names: what is called through them."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

from tracetwin.analysis.scopes import is_defined_in, qualname_of
from tracetwin.drawing.discovery.inherited import is_hidden


def through_objects(module: ModuleType) -> Iterator[tuple[str, type, FunctionType]]:
    """Yield the name in the module, the class that defines it, and the function, of each such method.

    An object that is called has its own name, ``parse = _Parser()`` as well as ``parse = _Parser().parse``.
    """
    seen: set[tuple[int, str]] = set()
    for name, thing in list(vars(module).items()):
        if isinstance(thing, MethodType):
            rows = [(name, thing.__self__, getattr(thing.__func__, "__name__", ""))]
        else:
            paths = {method: f"{name}.{method}".removesuffix(".__call__") for method in _methods(thing)}
            rows = [(path, thing, method) for method, path in paths.items()]
        for path, receiver, method in rows:
            place = _home(type(receiver), method, module)
            if place is not None and (id(receiver), method) not in seen:
                seen.add((id(receiver), method))
                yield path, *place


def _methods(thing: Any) -> list[str]:
    """The names of what may be called through an object, that of a call of itself first."""
    names = {name: None for base in type.mro(type(thing))[:-1] for name in list(vars(base))}
    return ["__call__", *(name for name in names if not name.startswith("_"))]


def _home(cls: type, method: str, module: ModuleType) -> tuple[type, FunctionType] | None:
    """The class of the module, and the function, that a method of a private class of it is."""
    if not is_defined_in(cls, module) or not is_hidden(cls):
        return None
    base = next((base for base in cls.__mro__ if method in vars(base)), None)
    found = None if base is None else vars(base)[method]
    if base is None or not isinstance(found, FunctionType) or not is_defined_in(base, module):
        return None
    return (base, found) if "<locals>" not in qualname_of(base) else None
