"""Looks values up in frames and objects without running any code of the target."""

from __future__ import annotations

import ast
import collections
from types import FrameType, MemberDescriptorType, ModuleType
from typing import Any, Final

from tracetwin.process.own_attributes import own_attributes

MISSING: Final = object()
"""There is no such value, or it can't be looked up without running code."""

_CONTAINERS: Final = (list, dict, set, collections.deque, bytearray)


def container(value: Any) -> bool:
    """True if a value is a container that can be changed in place."""
    return issubclass(type(value), _CONTAINERS)


def lookup(node: ast.expr | None, frame: FrameType) -> Any:
    """The value of an expression of names, attributes and elements."""
    if isinstance(node, ast.Name):
        return _variable(node.id, frame)
    if isinstance(node, ast.Attribute):
        base = lookup(node.value, frame)
        return MISSING if base is MISSING else _value(base, node.attr, frame)
    if isinstance(node, ast.Subscript):
        return _element(lookup(node.value, frame), lookup(node.slice, frame))
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.NamedExpr):
        return MISSING
    if isinstance(node, ast.Call):
        return _call(node, frame)
    return MISSING


def _call(node: ast.Call, frame: FrameType) -> Any:
    """`super()` is the receiver, `type(x)` the class of `x`."""
    if not isinstance(node.func, ast.Name):
        return MISSING
    if node.func.id == "super" and not node.args:
        first = frame.f_code.co_varnames[:1]
        return frame.f_locals.get(first[0], MISSING) if first else MISSING
    if node.func.id == "type" and len(node.args) == 1:
        value = lookup(node.args[0], frame)
        return MISSING if value is MISSING else type(value)
    return MISSING


def _variable(name: str, frame: FrameType) -> Any:
    found = frame.f_locals.get(name, MISSING)
    return frame.f_globals.get(name, MISSING) if found is MISSING else found


def _value(base: Any, name: str, frame: FrameType) -> Any:
    if name.startswith("__") and not name.endswith("__"):
        name = next((n for n in frame.f_code.co_names if n.endswith(name) and n.startswith("_")), name)
    if name == "__class__":
        return type(base)
    return held(base, name, defines=False)[2]


def _element(base: Any, key: Any) -> Any:
    if base is MISSING or key is MISSING or type(base) not in {list, tuple, dict}:
        return MISSING
    if type(base) is dict:
        return base.get(key, MISSING) if type(key) in {int, str, bool, type(None)} else MISSING
    if type(key) is int and -len(base) <= key < len(base):
        return base[key]
    return MISSING


def held(base: Any, name: str, *, defines: bool) -> tuple[Any, str, Any]:
    """The holder of an attribute, the name of its class, and the value.

    A class holds its own variables, also where they are read through an instance. MISSING stands for the
    holder where it is none of their attributes: for a property, say, or a method.
    """
    if isinstance(base, type):
        return _of_class(base, name, defines=defines)
    kind = type(base)
    if issubclass(kind, ModuleType):
        return MISSING, "", MISSING  # what another module holds is not followed
    in_class = _in_class(kind, name)
    if in_class is not MISSING and type(in_class[1]) is MemberDescriptorType:
        return base, kind.__qualname__, MISSING if defines else _slot(in_class[1], base)
    if in_class is not MISSING and hasattr(type(in_class[1]), "__set__"):
        return MISSING, "", MISSING  # a property or another descriptor: its own code does it
    if defines:
        return base, kind.__qualname__, MISSING
    attributes = _dictionary(base)
    if name in attributes:
        return base, kind.__qualname__, attributes[name]
    if in_class is MISSING:
        return MISSING, "", MISSING
    return in_class[0], kind.__qualname__, in_class[1]


def _of_class(base: type, name: str, *, defines: bool) -> tuple[Any, str, Any]:
    if defines:
        return base, base.__qualname__, MISSING
    found = _in_class(base, name)
    if found is MISSING:
        return MISSING, "", MISSING
    return found[0], base.__qualname__, found[1]


def _in_class(kind: type, name: str) -> Any:
    for base in type.__getattribute__(kind, "__mro__"):
        attributes = type.__getattribute__(base, "__dict__")
        if name in attributes:
            return base, attributes[name]
    return MISSING


def _slot(member: Any, base: Any) -> Any:
    try:
        return member.__get__(base)
    except AttributeError:
        return MISSING


def _dictionary(base: Any) -> dict[str, Any]:
    return own_attributes(base) or {}
