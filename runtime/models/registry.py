"""Registers models: a callable or a method of a builtin type, and the function that models it."""

from __future__ import annotations

import builtins
import collections
import functools
import operator
import re
from collections.abc import Callable
from types import BuiltinFunctionType, MethodDescriptorType, MethodWrapperType, WrapperDescriptorType
from typing import Any, Final, TypeVar

from runtime.library_model import DuplicateModelError

_F = TypeVar("_F", bound=Callable[..., Any])

CALLEES: Final[dict[Any, Callable[..., Any]]] = {}
"""Model of each modelled function or class, by the callable itself."""

METHODS: Final[dict[tuple[type, str], Callable[..., Any]]] = {}
"""Model of each modelled method by the receiver's exact type and name; takes the receiver first."""

TAKES: Final[dict[Any, str]] = {}
"""The arguments that a modelled callable takes, for tests: by the callable, or by class and name of a method.

The words stand for positional arguments: ``int float bool str bytes number scalar``, ``list[int]``,
``dict[str,int]``, ``set[int]``, a constant in quotes (``'utf-8'``), alternatives with ``|``; ``?`` behind one
says that it and what follows may be left out. Narrower are ``small`` (near 0: counts, widths), ``char``,
``digits`` (text that reads as a number), ``spec`` (of a format) and ``name`` (of a codec). ``@module.name``
is that object, ``word=...`` an argument by name, ``()`` a call without arguments. Several signatures are
separated by ``;``.
"""

STANDS_FOR: Final[dict[type, type]] = {}
"""The class of Python's for which a class of ours stands in."""

_CLASSES: Final = [value for value in vars(builtins).values() if isinstance(value, type)]
_EXCEPTIONS: Final = [cls for cls in _CLASSES if issubclass(cls, BaseException)]

TRANSPARENT: Final[set[Any]] = {
    isinstance,
    any, all, iter, next, zip, reversed, callable, id, setattr, delattr,
    issubclass, property, staticmethod, classmethod, object, slice, type(iter([])), tuple, aiter, anext,
    collections.defaultdict, collections.OrderedDict, operator.attrgetter, functools.partial,
    object.__setattr__, object.__getattribute__, object.__delattr__, object.__init__,
    *_EXCEPTIONS, *(vars(cls)["__init__"] for cls in _EXCEPTIONS if "__init__" in vars(cls)),
}  # fmt: skip
"""C callables that only store, hand on or dispatch on their arguments: no value is lost in them."""

SHALLOW: Final[set[Any]] = set()
"""Modelled callables that differ from their model only where an argument itself is traced."""

UNGUARDED: Final[set[Any]] = set()
"""Callables whose model is called whatever the arguments are: it asks itself, and for less."""

FRAME_READERS: Final[set[Any]] = set()
"""C callables that look at the caller's frame: never wrapped."""

BOUND_KINDS: Final = frozenset(
    (
        BuiltinFunctionType,
        MethodWrapperType,
        MethodDescriptorType,
        WrapperDescriptorType,
        type(re.compile("").match),  # methods that know their class have a type of their own, without a name
    )
)
"""The types of callables written in C, other than classes."""


def models(*functions: Any, takes: str = "") -> Callable[[_F], _F]:
    """Register the decorated function as the model of each of `functions`."""

    def register(model: _F) -> _F:
        for function in functions:
            if function in CALLEES:
                raise DuplicateModelError(f"{function!r} is modelled twice")
            CALLEES[function] = model
            if takes:
                TAKES[function] = takes
        return model

    return register


def models_method(owner: type, *names: str, takes: str = "") -> Callable[[_F], _F]:
    """Register the decorated function as the model of the methods `names` of `owner`."""

    def register(model: _F) -> _F:
        for name in names:
            if (owner, name) in METHODS:
                raise DuplicateModelError(f"{owner.__name__}.{name} is modelled twice")
            METHODS[owner, name] = model
            if takes:
                TAKES[owner, name] = takes
        return model

    return register


def transparent(*functions: Any) -> None:
    """Declare C callables that lose nothing."""
    TRANSPARENT.update(functions)
