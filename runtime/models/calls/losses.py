"""Calls C code that takes traced values for plain ones: the values are lost, and the loss is noted.

When something comes back, the values are pinned on the path, so that what follows is true for them.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from types import ModuleType
from typing import Any, Final

from runtime import trace
from runtime.containers import SDict, SList, SSet
from runtime.containers.bytearrays import SBytearray
from runtime.private_builtins import keep_builtins
from runtime.scalars.complexes import SComplex
from runtime.scalars.text import content
from runtime.values import TRACED, kind_of, node_of, pin, plain

keep_builtins(globals())

_DICTS: Final = (dict, SDict, defaultdict, OrderedDict, Counter)
NESTING: Final = frozenset((list, tuple, set, frozenset, deque, SList, SSet, *_DICTS))
"""Types of containers within which traced values are looked for."""

_DEPTH: Final = 2
_DEEPEST: Final = 20
_LARGEST: Final = 100


def lossy(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function written in C of which nothing is known."""
    lost = _noted(function, args, kwargs, _DEPTH)
    if not lost:
        return function(*args, **kwargs)
    seen = True
    try:
        result = function(*[plain(a) for a in args], **{k: plain(v) for k, v in kwargs.items()})
        seen = result is not None or _may_keep(function)
        return result
    finally:
        for value in lost if seen else ():  # a failure shows something of them, too
            pin(value)


def note_lost(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Note and hold what is traced, at any depth, in a function's arguments; return whether anything was."""
    lost = _noted(function, args, kwargs, _DEEPEST)
    for value in lost:
        pin(value)
    return bool(lost)


def _noted(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], depth: int) -> list[Any]:
    lost = list(_traced_within((*args, *kwargs.values()), depth))
    if lost:
        names = frozenset().union(*(node_of(v).names for v in lost))
        trace.current.lose(name_of(function), names)
    return lost


def _may_keep(function: Any) -> bool:
    """Return whether a callable that returns nothing may have kept its arguments: a method of an object."""
    owner = getattr(function, "__self__", None)
    return owner is not None and type(owner) is not ModuleType


def _traced_within(values: Any, depth: int) -> Any:
    """Yield the traced scalars among `values` and, `depth` levels down, in native containers of them."""
    for value in values:
        kind = kind_of(value)
        if kind in TRACED:
            yield value
        elif kind is SComplex:
            yield from _traced_within(value.parts, 0)
        elif kind is SBytearray:
            yield from _traced_within((content(value),), 0)
        elif depth and kind in NESTING and len(value) <= _LARGEST:  # which holds a traced length
            yield from _traced_within(value, depth - 1)
            if kind in _DICTS:
                yield from _traced_within(value.values(), depth - 1)


def name_of(function: Any) -> str:
    """Return the name by which a person knows the callable: `math.sin`, `str.translate`, `Decimal`."""
    qualname = str(getattr(function, "__qualname__", type(function).__name__))
    module = str(getattr(function, "__module__", None) or "")
    return qualname if module in ("", "builtins") else f"{module.lstrip('_')}.{qualname}"
