"""Calls of C code that takes traced values for plain ones: the values are lost, and the loss is noted.

When something comes back, the values are pinned on the path, so that what follows is true for them.
"""

from __future__ import annotations

from typing import Any, Final

from runtime import trace
from runtime.names import keep_builtins
from runtime.values import TRACED, kind_of, node_of, pin, plain

keep_builtins(globals())

NESTING: Final = frozenset((list, tuple, dict, set, frozenset))
"""Types of native containers within which traced values are looked for."""

_DEPTH: Final = 2
_LARGEST: Final = 100


def lossy(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function written in C of which nothing is known."""
    lost = list(_traced_within((*args, *kwargs.values()), _DEPTH))
    if not lost:
        return function(*args, **kwargs)
    names = frozenset().union(*(node_of(v).names for v in lost))
    trace.current.lose(name_of(function), names)
    result = function(*[plain(a) for a in args], **{k: plain(v) for k, v in kwargs.items()})
    if result is not None:
        for value in lost:
            pin(value)
    return result


def _traced_within(values: Any, depth: int) -> Any:
    """The traced scalars among `values` and, `depth` levels down, in native containers of them."""
    for value in values:
        kind = kind_of(value)
        if kind in TRACED:
            yield value
        elif depth and kind in NESTING and len(value) <= _LARGEST:
            yield from _traced_within(value, depth - 1)
            if kind is dict:
                yield from _traced_within(value.values(), depth - 1)


def name_of(function: Any) -> str:
    """`math.sin`, `str.translate`, `Decimal`: how a person names the callable."""
    qualname = str(getattr(function, "__qualname__", type(function).__name__))
    module = str(getattr(function, "__module__", None) or "")
    return qualname if module in ("", "builtins") else f"{module.lstrip('_')}.{qualname}"
