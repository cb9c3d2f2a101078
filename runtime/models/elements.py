"""Builtins that call a function for each element, or compare elements: `map`, `sorted`, `min`, ..."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType
from typing import Any, Final

from runtime import trace
from runtime.expr import apply, sort_of
from runtime.lookup import has_traced
from runtime.models.boundary import callee_of
from runtime.models.registry import models
from runtime.names import keep_builtins
from runtime.numbers import compare
from runtime.values import NUMBERS, TRACED, kind_of, node_of, plain, wrap

keep_builtins(globals())


def _extreme(op: str, native: Callable[..., Any]) -> Callable[..., Any]:
    """`min`/`max`: a chain of choices for a few numbers, else comparison by branches."""

    def model(*args: Any, **kwargs: Any) -> Any:
        if kwargs or not args:
            if "key" in kwargs:
                kwargs["key"] = _callee(kwargs["key"])
            return native(*args, **kwargs)
        values, others = _numbers(args[0] if len(args) == 1 else args)
        if others is not None:
            return native(itertools.chain(values, others))
        if not has_traced(values) or not _of_one_sort(values):
            return native(values)
        best = values[0]
        for value in values[1:]:
            better = compare(op, value, best)
            trace.current.record(node_of(better), plain(better), kind=trace.Kind.HINT)
            taken = plain(value) if plain(better) else plain(best)
            node = apply("ite", sort_of(taken), node_of(better), node_of(value), node_of(best))
            best = wrap(taken, node)
        return best

    return model


_CHAIN: Final = 8


def _numbers(source: Iterable[Any]) -> tuple[list[Any], Iterator[Any] | None]:
    """The numbers that `source` begins with, and an iterator over what follows if there may be something.

    Of anything else nothing is taken too early: comparing may run code, which can tell.
    """
    values: list[Any] = []
    iterator = iter(source)
    for value in iterator:
        values.append(value)
        if len(values) > _CHAIN or kind_of(value) not in NUMBERS:
            return values, iterator
    return values, None


def _of_one_sort(values: list[Any]) -> bool:
    return len({kind_of(plain(v)) for v in values}) == 1


models(min)(_extreme("lt", min))
models(max)(_extreme("gt", max))


def _callee(function: Any) -> Any:
    """What to call for a function handed to a higher-order builtin."""
    if function is None or not callable(function):
        return function
    kind = type(function)  # neither the object nor its class is asked what it is
    if kind is BuiltinFunctionType or issubclass(kind, type):
        return callee_of(function)
    return function


def _handing_on(native: Callable[..., Any]) -> Callable[..., Any]:
    """`map`, `filter`, `reduce`: the function is called as the program itself would call it."""

    def model(*args: Any, **kwargs: Any) -> Any:
        if args:
            args = (_callee(args[0]), *args[1:])
        return native(*args, **kwargs)

    return model


for _native in (map, filter, functools.reduce):
    models(_native)(_handing_on(_native))


@models(sorted)
def traced_sorted(*args: Any, **kwargs: Any) -> Any:
    """`sorted`: comparisons are branches."""
    if "key" in kwargs:
        kwargs["key"] = _callee(kwargs["key"])
    if type(kwargs.get("reverse")) in TRACED:
        kwargs["reverse"] = bool(kwargs["reverse"])
    return sorted(*args, **kwargs)
