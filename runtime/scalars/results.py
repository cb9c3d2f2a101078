"""Results that methods of the program, such as `__int__`, give C code that wants a plain value."""

from __future__ import annotations

import sys
from abc import ABCMeta
from types import CodeType, FunctionType
from typing import Any, Final

from runtime.private_builtins import keep_builtins
from runtime.values import TRACED, SBool, kind_of, settle

keep_builtins(globals())

NOTHING: Final = object()
"""Stands for a class that has no such method written in Python."""

_NO_PLAIN_RESULT: Final = 0x20 | 0x80 | 0x200  # generators and coroutines
_caller: Final = sys._getframe  # noqa: SLF001 - documented, and there is no other way
_bases: Final = type.__dict__["__mro__"].__get__
_namespace: Final = type.__dict__["__dict__"].__get__
_asked: Final[list[CodeType]] = []


def returned(value: Any) -> Any:
    """Return the result of such a method: it is decided here, unless a model asked for it."""
    if kind_of(value) not in TRACED or (_asked and _asked[-1] is _caller(1).f_code):
        return value
    return bool(value) if type(value) is SBool else settle(value)


def undecided_result(value: Any, name: str) -> Any:
    """Return the undecided result of an object's method; `NOTHING` where it is not the program's."""
    method = _method_of(type(value), name)
    if method is None:
        return NOTHING
    _asked.append(method.__code__)
    try:
        return method(value)
    finally:
        _asked.pop()


def _method_of(kind: type, name: str) -> FunctionType | None:
    """Return the function that Python would call, without running code of the program to find it."""
    if type(kind) is not type and type(kind) is not ABCMeta:
        return None
    for base in _bases(kind):
        found = _namespace(base).get(name)
        if found is not None:
            plain = type(found) is FunctionType and not found.__code__.co_flags & _NO_PLAIN_RESULT
            return found if plain else None
    return None


def stand_in(value: Any, result: Any) -> Any:
    """Return an object that gives C code a useless result, which it reports under the right class name."""
    methods = {"__int__": lambda self: result, "__float__": lambda self: result}
    return type(type(value).__name__, (), methods)()
