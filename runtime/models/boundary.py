"""The way from a twin into C code: a model, a harmless passage, or a boundary where values are lost.

At a boundary traced arguments become plain, the loss is noted by the callable's name, and, when
something comes back, the values are pinned on the path, so that what follows is true for them.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, Final

from runtime import trace
from runtime.containers import CONTAINERS
from runtime.models.registry import BOUND_KINDS, CALLEES, FRAME_READERS, METHODS, TRANSPARENT
from runtime.values import TRACED, node_of, pin, plain

FRAME_READERS.update((super, locals, globals, vars, dir, eval, exec, sys.exc_info))
FRAME_READERS.update((__import__, __build_class__))
FRAME_READERS.update(vars(sys)[name] for name in ("_getframe", "_getframemodulename") if hasattr(sys, name))

_TRANSPARENT_OWNERS: Final[frozenset[type]] = frozenset((list, dict, set, tuple, frozenset, type, object))
_HEAP_TYPE: Final = 1 << 9
_boundaries: dict[Any, Any] = {}


def callee_of(function: Any) -> Any:
    """What to call for a builtin function, a method of a builtin, or a class."""
    model = _model_of(function)
    if model is not None:
        return model
    if isinstance(function, type):
        return function if function.__flags__ & _HEAP_TYPE or function in TRANSPARENT else _boundary(function)
    owner = getattr(function, "__self__", None)
    if owner is None or type(owner).__name__ == "module":
        if function in TRANSPARENT or function in FRAME_READERS:
            return function
        if getattr(function, "__module__", "") == "_warnings":
            return function
        return _boundary(function)
    if isinstance(owner, type):  # a class method written in C
        harmless = owner in (dict, object, type) or function.__name__.startswith("__")
        return function if harmless or type(function) not in BOUND_KINDS else _Boundary(function)
    if type(owner) in _TRANSPARENT_OWNERS or type(owner) in TRACED or type(owner) in CONTAINERS:
        return function
    if type(function) not in BOUND_KINDS:
        return function
    return _Boundary(function)


def _model_of(function: Any) -> Any:
    try:
        model = CALLEES.get(function)
    except TypeError:  # an unhashable receiver makes its bound method unhashable
        model = None
    if model is not None:
        return model
    owner = getattr(function, "__self__", None)
    if owner is None:
        return None
    method = METHODS.get((type(owner), getattr(function, "__name__", "")))
    return None if method is None else functools.partial(method, owner)


def _boundary(function: Any) -> Any:
    found = _boundaries.get(function)
    if found is None:
        found = _boundaries[function] = _Boundary(function)
    return found


class _Boundary:
    """A C callable whose traced arguments are lost."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = (*args, *kwargs.values())
        for value in values:
            if type(value) in TRACED or type(value) in _NESTING:
                return self._lossy(args, kwargs, values)
        return self.function(*args, **kwargs)

    def _lossy(self, args: tuple[Any, ...], kwargs: dict[str, Any], values: tuple[Any, ...]) -> Any:
        lost = list(_traced_within(values, 2))
        if not lost:
            return self.function(*args, **kwargs)
        names = frozenset().union(*(node_of(v).names for v in lost))
        trace.current.lose(name_of(self.function), names)
        result = self.function(*[plain(a) for a in args], **{k: plain(v) for k, v in kwargs.items()})
        if result is not None:
            for value in lost:
                pin(value)
        return result


_NESTING: Final = frozenset((list, tuple, dict, set, frozenset))


def _traced_within(values: Any, depth: int) -> Any:
    """The traced scalars among `values` and, `depth` levels down, in native containers of them."""
    for value in values:
        kind = type(value)
        if kind in TRACED:
            yield value
        elif depth and kind in _NESTING and len(value) <= 100:
            yield from _traced_within(value, depth - 1)
            if kind is dict:
                yield from _traced_within(value.values(), depth - 1)


def name_of(function: Any) -> str:
    """`math.sin`, `str.translate`, `Decimal`: how a person names the callable."""
    qualname = str(getattr(function, "__qualname__", type(function).__name__))
    module = str(getattr(function, "__module__", None) or "")
    return qualname if module in ("", "builtins") else f"{module.lstrip('_')}.{qualname}"
