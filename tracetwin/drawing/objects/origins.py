"""Origins of instances besides the constructor: subclasses, class methods, functions, other classes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

from runtime.classes import bases_of
from tracetwin.analysis.scopes import (
    annotations_of,
    is_defined_in,
    module_of,
    own_annotations,
    text_of,
    unwrapped,
)
from tracetwin.analysis.sources import FunctionNode, Source
from tracetwin.drawing.adapters.registry import ADAPTERS
from tracetwin.drawing.plans.special_forms import is_protocol, subclasses
from tracetwin.drawing.typing.open_bases import leaves_members_open
from tracetwin.model import recipes


def concrete_classes(cls: type, module: ModuleType) -> list[type]:
    """The class and its subclasses that can have instances: those of the module first, then the project's.

    Those that leave something open, which others derived from them define, come last.
    """
    near = (module.__name__, cls.__module__)
    known = subclasses(cls)
    own = [item for item in known if module_of(item) in near]
    own += [item for item in known if item not in own and recipes.is_traced(module_of(item))]
    concrete = [item for item in (cls, *own) if not inspect.isabstract(item) and not is_protocol(item)]
    return sorted(concrete, key=lambda item: _leaves_data_open(item) or leaves_members_open(item, own))


def _leaves_data_open(cls: type) -> bool:
    """True if a class declares variables of classes that its subclasses have to set."""
    declared = [
        name for base in bases_of(cls) for name, annotation in own_annotations(base).items()
        if text_of(annotation).startswith(("ClassVar", "typing.ClassVar", "t.ClassVar"))
    ]  # fmt: skip
    return any(all(name not in vars(base) for base in bases_of(cls)) for name in declared)


def alternative_constructors(cls: type, source: Source) -> list[tuple[str, Callable[..., Any]]]:
    """Public class methods that return an instance: by their annotation, or by `return cls(...)`.

    An inherited one must be written for subclasses: it says `Self`, or calls `cls`.
    """
    found: dict[str, Callable[..., Any]] = {}
    seen: set[str] = set()
    adapter = ADAPTERS.of(cls)
    for base in bases_of(cls)[:-1]:
        if adapter is not None and not adapter.inherits_constructors and not adapter.owns(base):
            break
        for name, member in list(vars(base).items()):
            hidden = name in seen or name.startswith("_")
            seen.add(name)
            if (
                not hidden
                and isinstance(member, classmethod)
                and _constructs(member, name, base, cls, source)
            ):
                found[name] = getattr(cls, name)
    return list(found.items())


def _constructs(member: Any, name: str, base: type, cls: type, source: Source) -> bool:
    """True if a class method of `base` returns instances of `cls`."""
    result = annotations_of(member.__func__).get("return")
    if result is not None and text_of(result).strip("\"'") == "Self":
        return True
    if base is cls and result is not None:
        return _names_class(result, cls)
    node = source.methods(base.__qualname__).get(name)
    names = ("cls", cls.__name__) if base is cls else ("cls",)
    return node is not None and _returns_call_of(node, names)


def factories(cls: type, module: ModuleType, source: Source) -> list[tuple[str, Callable[..., Any]]]:
    """Public functions of the module that return an instance."""
    found = []
    for name, thing in list(vars(module).items()):
        function = unwrapped(thing) if isinstance(thing, FunctionType) else None
        if function is None or name.startswith("_") or thing.__module__ != module.__name__:
            continue
        if _is_lazy(function):
            continue
        result = annotations_of(function).get("return")
        node = source.function(name)
        returns = result is None and node is not None and _returns_call_of(node, (cls.__name__,))
        if returns or (result is not None and _names_class(result, cls)):
            found.append((name, thing))
    return found


def makers(cls: type, module: ModuleType, source: Source) -> Iterator[tuple[type, str, Callable[..., Any]]]:
    """Public methods of other classes of the module that return an instance."""
    for owner in list(vars(module).values()):
        if not isinstance(owner, type) or not is_defined_in(owner, module) or owner is cls:
            continue
        for name, member in list(vars(owner).items()):
            if not isinstance(member, FunctionType) or name.startswith("_") or _is_lazy(member):
                continue
            result = annotations_of(member).get("return")
            node = source.methods(owner.__qualname__).get(name)
            returns = result is None and node is not None and _returns_call_of(node, (cls.__name__,))
            if returns or (result is not None and _names_class(result, cls)):
                yield owner, name, member


def _is_lazy(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function)


def _names_class(annotation: Any, cls: type) -> bool:
    """True if an annotation is the class itself, whatever path leads to it."""
    return annotation is cls or text_of(annotation).strip("\"'").rpartition(".")[2] == cls.__name__


def _returns_call_of(node: FunctionNode, names: tuple[str, ...]) -> bool:
    """True if a function returns what calling one of these names gives, directly or from a variable."""
    made: set[str] = set()
    for item in ast.walk(node):
        if isinstance(item, ast.Assign) and _is_call_of(item.value, names):
            made |= {target.id for target in item.targets if isinstance(target, ast.Name)}
    returned = [item.value for item in ast.walk(node) if isinstance(item, ast.Return)]
    return any(
        _is_call_of(value, names) or (isinstance(value, ast.Name) and value.id in made) for value in returned
    )


def _is_call_of(node: ast.AST | None, names: tuple[str, ...]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
