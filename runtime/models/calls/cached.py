"""Calls of functions under `functools.lru_cache`: what is remembered is decided as for keys of a dict.

A call with traced arguments is answered from what calls with such arguments left in this run; the cache
itself, which hashes, never sees them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import Any, Final

from runtime import trace
from runtime.containers.decisions import decide_place
from runtime.models.calls.losses import name_of
from runtime.models.registry import models_method
from runtime.private_builtins import keep_builtins
from runtime.values import TRACED, kind_of, lose_all, plain, without_pinning

keep_builtins(globals())

CACHED: Final = type(functools.lru_cache(lambda: None))
"""The type of what `functools.lru_cache` makes."""

_MOST: Final = 64
"""Calls of one function that are kept apart in a run."""

_Shape = tuple[int, tuple[str, ...], tuple[type, ...]]


class _Memory:
    """The calls with traced arguments of one function in the run under way."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.hits = self.misses = 0
        self.results: dict[_Shape, dict[Any, Any]] = {}


_memories: Final[dict[int, _Memory]] = {}
_run = trace.current


def _memory_of(function: Any) -> _Memory | None:
    global _run  # noqa: PLW0603 - one run at a time
    if _run is not trace.current:
        _run = trace.current
        _memories.clear()
    return _memories.get(id(function))


def is_cached(function: Any) -> bool:
    """Return whether `functools.lru_cache` made a function, or the one that a method is of."""
    return type(function.__func__ if type(function) is MethodType else function) is CACHED


def cached_call(choose: Callable[[Any], Any], function: Any, args: Any, kwargs: Any) -> Any:
    """Call what `functools.lru_cache` made; `choose` chooses what to call for the function under it."""
    memory = _memory_of(function)
    values = (*args, *kwargs.values())
    if memory is None:
        if not any(kind_of(value) in TRACED for value in values):
            return function(*args, **kwargs)
        memory = _memories[id(function)] = _Memory(function)
    limits = function.cache_parameters()
    types = tuple(type(plain(value)) for value in values) if limits["typed"] else ()
    known = memory.results.setdefault((len(args), tuple(kwargs), types), {})
    if len(known) >= _MOST or not _is_hashable(values):
        lose_all(name_of(function), *values)
        return function(*args, **kwargs)
    if decide_place(list(known), values) >= 0:
        memory.hits += 1
        return without_pinning(known.__getitem__, values)
    if not any(kind_of(value) in TRACED for value in values):
        return function(*args, **kwargs)
    memory.misses += 1
    result = choose(function.__wrapped__)(*args, **kwargs)
    if limits["maxsize"] != 0:
        without_pinning(known.__setitem__, values, result)
    return result


def _is_hashable(values: tuple[Any, ...]) -> bool:
    try:
        without_pinning(hash, values)
    except TypeError:
        return False
    return True


@models_method(CACHED, "cache_clear")
def cache_cleared(function: Any) -> None:
    """`f.cache_clear()`."""
    if _memory_of(function) is not None:
        del _memories[id(function)]
    function.cache_clear()


@models_method(CACHED, "cache_info")
def cache_info(function: Any) -> Any:
    """`f.cache_info()`, with the calls that the cache itself has not seen."""
    found, memory = function.cache_info(), _memory_of(function)
    if memory is None:
        return found
    size = found.currsize + sum(map(len, memory.results.values()))
    most = size if found.maxsize is None else found.maxsize
    return found._replace(
        hits=found.hits + memory.hits, misses=found.misses + memory.misses, currsize=min(size, most)
    )
