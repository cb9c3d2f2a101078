"""Type variables of classes: what they stand for, in annotations and through inheritance."""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from types import GenericAlias, UnionType
from typing import Any, Final, ForwardRef, TypeAlias

from runtime.classes import bases_of
from tracetwin.analysis.scopes import Scope, namespace_of, text_of

Bindings: TypeAlias = Mapping[Any, Any]
"""Bindings of type variables; one of variadic kind stands for a tuple."""


def is_variadic(variable: Any) -> bool:
    """True if it is a `TypeVarTuple`."""
    return type(variable).__name__ == "TypeVarTuple"


def parameters_of(cls: Any) -> tuple[Any, ...]:
    """The type variables of a generic class or alias, in the order of its arguments."""
    for name in ("__parameters__", "__type_params__"):
        found = getattr(cls, name, ())
        if isinstance(found, tuple) and found:
            return found
    return ()


def bound(cls: Any, args: Sequence[Any]) -> dict[Any, Any]:
    """The bindings of a class's variables when it is written with these arguments."""
    variables = parameters_of(cls)
    args = list(args)
    if len(variables) == 1 and _is_param_spec(variables[0]) and len(args) != 1:
        args = [tuple(args)]  # `Handler[int, str]` is short for `Handler[[int, str]]`
    place = next((n for n, item in enumerate(variables) if is_variadic(item)), None)
    if place is not None:
        after = len(variables) - place - 1
        end = max(place, len(args) - after)
        args = [*args[:place], tuple(args[place:end]), *args[end:]]
    found = dict(zip(variables, args, strict=False))
    return {variable: tuple(arg) if isinstance(arg, list) else arg for variable, arg in found.items()}


def _is_param_spec(variable: Any) -> bool:
    return type(variable).__name__ == "ParamSpec"


def substituted(annotation: Any, bindings: Bindings) -> Any:
    """An annotation with what its variables stand for; those that stand for nothing stay."""
    if _is_key(annotation) and annotation in bindings:
        return bindings[annotation]
    variables = getattr(annotation, "__parameters__", ())
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return annotation  # a bare class
    if not isinstance(variables, tuple) or not any(item in bindings for item in variables):
        return annotation
    args: list[Any] = []
    for item in variables:
        value = bindings.get(item, item)
        if is_variadic(item):
            args += value if isinstance(value, tuple) else item
        else:
            args.append(list(value) if isinstance(value, tuple) else value)
    try:
        return annotation[tuple(args)]
    except TypeError:
        return annotation


def _is_key(annotation: Any) -> bool:
    """True if it is a variable: others may have a `__hash__` of their own."""
    return type(annotation).__module__ in ("typing", "typing_extensions")


def settled(annotation: Any, scope: Scope) -> Any:
    """An annotation whose texts are read where it stands: it will be used in the scope of a class.

    Raises:
        Unbuildable: a text can't be read.
    """
    if isinstance(annotation, (str, ForwardRef)):
        return scope.evaluate(text_of(annotation))
    if isinstance(annotation, list):
        return [settled(item, scope) for item in annotation]
    args = typing.get_args(annotation)
    if not any(isinstance(item, ForwardRef) or typing.get_args(item) for item in args):
        return annotation
    if typing.get_origin(annotation) is typing.Literal or hasattr(annotation, "__metadata__"):
        return annotation
    inner = tuple(settled(item, scope) for item in args)
    if isinstance(annotation, GenericAlias):
        return GenericAlias(typing.get_origin(annotation), inner)
    return annotation.copy_with(inner) if inner != args and hasattr(annotation, "copy_with") else annotation


def inherited(cls: type, base: type, bindings: Bindings) -> dict[Any, Any]:
    """The bindings of a base class's variables in a class whose own are bound."""
    if cls is base:
        return dict(bindings)
    written = namespace_of(cls).get("__orig_bases__", ()) or cls.__bases__
    for item in written:
        origin = typing.get_origin(item) or item
        if isinstance(origin, type) and any(other is base for other in bases_of(origin)):
            args = [substituted(arg, bindings) for arg in typing.get_args(item)]
            return inherited(origin, base, bound(origin, args))
    return {}


def narrowed(cls: type, base: type, bindings: Bindings) -> dict[Any, Any] | None:
    """The bindings of a subclass's variables where the base is wanted with these bindings.

    Returns:
        None where it is not such a subclass: ``class Names(Box[str])`` is no ``Box[int]``.
    """
    found: dict[Any, Any] = {}
    for variable, given in inherited(cls, base, {}).items():
        if variable in bindings and not unify(given, bindings[variable], found):
            return None
    return found


def unify(pattern: Any, wanted: Any, found: dict[Any, Any]) -> bool:
    """True if a pattern can mean what is wanted; what its variables stand for then is added to `found`.

    Forms that are not known are taken to fit.
    """
    if isinstance(pattern, typing.TypeVar):
        known = found.setdefault(pattern, wanted)
        return bool(known is wanted or text_of(known) == text_of(wanted))
    own, other = _class_of(pattern), _class_of(wanted)
    if own is not None and other is not None and not _derives(own, other):
        return False
    mine, theirs = typing.get_args(pattern), typing.get_args(wanted)
    if not mine or len(mine) != len(theirs):
        return True
    if _form(pattern) is not _form(wanted):
        return True
    return all(unify(part, other, found) for part, other in zip(mine, theirs, strict=True))


_WIDER: Final[dict[type, tuple[type, ...]]] = {int: (float, complex), float: (complex,)}
"""Numbers that type checkers take for others."""


def _class_of(annotation: Any) -> type | None:
    """The class of a plain or generic annotation; None for other forms."""
    origin = typing.get_origin(annotation) or annotation
    return origin if isinstance(origin, type) and origin is not UnionType else None


def _derives(cls: type, base: type) -> bool:
    if base is object or base in _WIDER.get(cls, ()) or any(item is base for item in bases_of(cls)):
        return True
    try:
        return issubclass(cls, base)
    except BaseException:  # noqa: BLE001 - a metaclass, or a protocol that says nothing at run time
        return True


def _form(annotation: Any) -> Any:
    """The generic class or form of an annotation; ``X | Y`` and ``Union[X, Y]`` are one."""
    origin = typing.get_origin(annotation)
    return typing.Union if origin is UnionType else origin
