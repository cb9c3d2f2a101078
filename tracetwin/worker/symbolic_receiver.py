"""Free receivers: attributes that are symbolic inputs, so that a method is run on every state at once.

A receiver that its constructor made gets some of its attributes overwritten by drawn values, as a shape says.
The path of a method over it is then a summary (Buy, Orso, Pezze, section 5): a precondition on attributes and
arguments. A shape is plain data:

- ``("int" | "bool" | "float" | "str" | "bytes", default)``: a drawn scalar,
- ``("const", value)``: as in a heap, so also ``("enum", "module:Class", member)``,
- ``("list", (shapes of an element, ...), default length)``,
- ``("object", "module:Class", ((attribute, shape), ...))``: the object that is there already with these
  attributes overwritten, or a bare one of the class,
- ``("union", (shape, ...))``: one of them, by choice,
- ``("kept",)``: what the constructor made.

The variables are ``self.attr``, ``self.attr[0]``, ``self.attr#`` for a length, ``self.attr?`` for a choice.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, Final

from runtime.inputs import Inputs

LONGEST: Final = 8

_MISSING: Final = object()


class NotFree(Exception):
    """A shape that can't be given to this receiver; the message says why."""


def overwrite(inputs: Inputs, receiver: Any, shape: Any, name: str = "self") -> None:
    """Give a receiver the attributes of an object shape.

    Raises:
        NotFree: an attribute can't be set.
    """
    for attribute, inner in shape[2]:
        if inner[0] == "kept":
            continue
        value = _drawn(inputs, inner, f"{name}.{attribute}", _present(receiver, attribute))
        try:
            object.__setattr__(receiver, attribute, value)
        except (AttributeError, TypeError) as error:
            raise NotFree(f"{attribute} can't be set: {error}") from error


def _drawn(inputs: Inputs, shape: Any, name: str, present: Any) -> Any:
    kind = shape[0]
    if kind in _SCALARS:
        return _SCALARS[kind](inputs, name, shape[1])
    if kind == "const":
        return _constant(shape[1])
    if kind == "kept":
        return None if present is _MISSING else present
    if kind == "union":
        chosen = inputs.choice(f"{name}?", len(shape[1]))
        return _drawn(inputs, shape[1][chosen], name if chosen == 0 else f"{name}|{chosen}", present)
    if kind == "list":
        count, token = inputs.length(f"{name}#", shape[2], max(LONGEST, shape[2]))
        inner = shape[1][0] if len(shape[1]) == 1 else ("union", shape[1])
        return inputs.listed([_drawn(inputs, inner, f"{name}[{i}]", _MISSING) for i in range(count)], token)
    if kind == "object":
        made = _of_class(present, shape[1])
        overwrite(inputs, made, shape, name)
        return made
    raise NotFree(f"no shape: {shape!r:.60}")


def _scalar(method: str) -> Any:
    return lambda inputs, name, default: getattr(inputs, method)(name, default)


_SCALARS: Final[dict[str, Any]] = {
    "int": _scalar("integer"),
    "bool": _scalar("boolean"),
    "float": _scalar("floating"),
    "str": _scalar("text"),
    "bytes": _scalar("octets"),
}


def _present(receiver: Any, attribute: str) -> Any:
    try:
        return object.__getattribute__(receiver, attribute)
    except AttributeError:
        return _MISSING


def _of_class(present: Any, wanted: str) -> Any:
    cls = _named(wanted)
    if present is not _MISSING and type(present) is cls:
        return present
    try:
        return cls.__new__(cls)
    except TypeError as error:
        raise NotFree(f"no bare {wanted}: {error}") from error


def _constant(value: Any) -> Any:
    if not isinstance(value, (tuple, list)):
        return value
    kind, place, *rest = value
    thing = _named(place)
    return thing[rest[0]] if kind == "enum" else thing


def _named(place: str) -> Any:
    module, _, qualname = place.partition(":")
    try:
        found: Any = sys.modules.get(module) or importlib.import_module(module)
        for part in qualname.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:  # a stand-in of ours, say
        raise NotFree(f"{place} is not to be had: {error}") from error
    return found
