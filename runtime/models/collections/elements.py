"""Builtins that call a function for each element, or compare elements: `map`, `sorted`, `min`, ..."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, MethodDescriptorType
from typing import Any, Final

from runtime import trace
from runtime.containers import SSet
from runtime.containers.decisions import raw_keys
from runtime.expr import apply, sort_of
from runtime.lookup import has_traced
from runtime.models.calls.callee import callee_of
from runtime.models.registry import models
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import compare
from runtime.values import NUMBERS, SBool, SBytes, SInt, SStr, kind_of, node_of, plain, settle, wrap

keep_builtins(globals())


_EXTREMES = (
    "int int; float float; number number number; list[int]; list[float] default=float; tuple[str]; str str;"
    "list[str] key=@builtins.len; set[int]; dict[str,int]; list[number]; str; int"
)


def _extreme(op: str, native: Callable[..., Any]) -> Callable[..., Any]:
    """Model `min` or `max`: a chain of choices for a few numbers, else comparison by branches."""

    def model(*args: Any, **kwargs: Any) -> Any:
        if kwargs or not args:
            if "key" in kwargs:
                kwargs["key"] = callee_for(kwargs["key"])
            elif len(args) == 1:
                args = (_unordered(args[0]),)
            return native(*args, **kwargs)
        values, others = _numbers(_unordered(args[0]) if len(args) == 1 else args)
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
    """Return the numbers that `source` begins with, and an iterator over what may follow.

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


models(min, takes=_EXTREMES)(_extreme("lt", min))
models(max, takes=_EXTREMES)(_extreme("gt", max))


def callee_for(function: Any) -> Any:
    """Return what to call for a function handed to a higher-order builtin."""
    if function is None or not callable(function):
        return function
    kind = type(function)  # neither the object nor its class is asked what it is
    if kind is BuiltinFunctionType or kind is MethodDescriptorType or issubclass(kind, type):
        return callee_of(function)
    return function


def handed_on(native: Callable[..., Any], place: int = 0, keyword: str = "", takes: str = "") -> None:
    """Model `map`, `filter` and the like: the function is called as the program itself would call it."""

    @models(native, takes=takes)
    def model(*args: Any, **kwargs: Any) -> Any:
        if len(args) > place:
            args = (*args[:place], callee_for(args[place]), *args[place + 1 :])
        if keyword in kwargs:
            kwargs[keyword] = callee_for(kwargs[keyword])
        return native(*args, **kwargs)


def direction(reverse: Any) -> Any:
    """Return the decided value of `reverse=` of a sort."""
    return bool(reverse) if type(reverse) is SBool else settle(reverse)


_HANDED: dict[Any, str] = {
    map: "@builtins.abs list[int]; @builtins.str tuple[float]; @builtins.int list[digits];"
    "@operator.add list[int] list[int]",
    filter: "None list[int]; @str.isdigit list[str]; @builtins.bool set[int]; @builtins.abs tuple[float]",
    functools.reduce: "@operator.add list[int] int?; @builtins.max tuple[float]; @operator.mul list[small] 1",
}

for _native in (map, filter, functools.reduce):
    handed_on(_native, takes=_HANDED[_native])


@models(
    sorted,
    takes="list[int]; list[str]; list[float] reverse=bool; list[str] key=@builtins.len; set[int];"
    "dict[str,int]; tuple[int] key=@builtins.abs reverse=bool?; str; list[scalar]",
)
def traced_sorted(*args: Any, **kwargs: Any) -> Any:
    """`sorted`: comparisons are branches."""
    if "key" in kwargs:
        kwargs["key"] = callee_for(kwargs["key"])
    if "reverse" in kwargs:
        kwargs["reverse"] = direction(kwargs["reverse"])
    if args and "key" not in kwargs:
        args = (_unordered(args[0]), *args[1:])
    return sorted(*args, **kwargs)


_TOTALLY_ORDERED: Final = frozenset((SInt, SStr, SBytes, int, str, bytes))


def _unordered(source: Any) -> Any:
    """Return the elements of a traced set where their order does not matter."""
    if type(source) is SSet and all(kind_of(key) in _TOTALLY_ORDERED for key in raw_keys(source)):
        return source.in_any_order()
    return source
