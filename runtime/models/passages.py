"""Callables written in C that only store, hand on or dispatch on what they are given."""

from __future__ import annotations

import builtins
import collections
import functools
import operator
from typing import Final

from runtime.models.registry import transparent

transparent(
    isinstance,
    any, all, iter, next, zip, reversed, callable, id, getattr, hasattr, setattr, delattr,
    issubclass, property, staticmethod, classmethod, object, slice, type(iter([])), tuple, aiter, anext,
    collections.defaultdict, collections.OrderedDict, operator.attrgetter, functools.partial, Exception,
    BaseException, object.__setattr__, object.__getattribute__, object.__delattr__, object.__init__,
)  # fmt: skip
_CLASSES: Final = [value for value in vars(builtins).values() if isinstance(value, type)]
_EXCEPTIONS: Final = [cls for cls in _CLASSES if issubclass(cls, BaseException)]
transparent(*_EXCEPTIONS, *(vars(cls)["__init__"] for cls in _EXCEPTIONS if "__init__" in vars(cls)))
