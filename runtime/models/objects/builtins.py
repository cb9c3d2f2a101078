"""`len`, `type`, `list(x)`, and the truth of containers."""

from __future__ import annotations

from typing import Any, Final

from runtime import trace
from runtime.containers import CONTAINERS, SDict, SList, SSet, traced_list
from runtime.containers import length as container_length
from runtime.containers.bytearrays import SBytearray, whole
from runtime.expr import Sort, apply, const
from runtime.frames import call_for
from runtime.models.calls.entries import SHADOWED
from runtime.models.collections.ranges import TracedRange
from runtime.models.registry import SHALLOW, STANDS_FOR, models
from runtime.private_builtins import keep_builtins
from runtime.scalars.text import length
from runtime.values import SBool, SBytes, SFloat, SInt, SStr, kind_of

keep_builtins(globals())

UNSIZED: Final[frozenset[type]] = frozenset((TracedRange, SList, SDict, SSet, SStr, SBytes))
"""Iterables whose iteration records branches itself."""

_PLAIN_CLASS: Final[dict[type, type]] = {
    SInt: int, SFloat: float, SBool: bool, SStr: str, SBytes: bytes, SList: list, SDict: dict, SSet: set,
}  # fmt: skip


def container_truth(container: Any, site: int) -> bool:
    """Return the truth of a traced container, recorded at an explicit site."""
    size = container_length(container)
    if type(size) is not SInt:
        return bool(size)
    result = size.v > 0
    trace.current.record(apply("gt", Sort.BOOL, size.e, const(0)), result, site)
    return result


MEASURED: Final[set[int]] = set()
"""Classes whose `__len__` gives a traced int, which `len` itself would make a plain one."""


def measured(cls: type) -> None:
    """Have `len` of the instances of a class return the traced int that its `__len__` returns."""
    MEASURED.add(id(cls))
    SHADOWED.add(id(cls))


def forget_measured() -> None:
    """Forget these classes: they are gone, and others may get their numbers."""
    SHADOWED.difference_update(MEASURED)
    MEASURED.clear()


@models(len, takes="str; bytes; list[int]; tuple[int]; dict[str,int]; set[int]; int")
def traced_len(value: Any, /) -> Any:
    """`len(value)`."""
    if kind_of(value) in (SStr, SBytes):
        return length(value)
    if type(value) is TracedRange:
        return value.size()
    if type(value) is SBytearray:
        return len(value) if value.octets is None else traced_len(whole(value))
    if id(type(value)) in MEASURED:
        return type(value).__len__(value)
    return container_length(value) if kind_of(value) in CONTAINERS else len(value)


@models(type, takes="scalar; list[int]; dict[str,int]; set[int]")
def traced_type(*args: Any, **kwargs: Any) -> Any:
    """`type(value)`: a traced value has the class that it stands for."""
    if len(args) == 1 and not kwargs:
        kind = type(args[0])
        return _PLAIN_CLASS.get(kind, STANDS_FOR.get(kind, kind)) if type(kind) is type else kind
    # A new class takes its module from the globals of whoever makes it.
    return call_for(trace.target_frame(), type, args, kwargs)


@models(list, takes="list[int]?; str; bytes; dict[str,int]; set[int]; tuple[float]; int")
def traced_list_of(*args: Any) -> Any:
    """`list(x)`; a copy of a traced list keeps its length."""
    if len(args) == 1:
        if type(args[0]) is SList:
            return args[0].copy()
        if kind_of(args[0]) in (SDict, SSet):
            kind = dict if type(args[0]) is SDict else set
            return traced_list(list(kind.__iter__(args[0])), args[0].n)
        if kind_of(args[0]) in (SStr, SBytes):
            return list(iter(args[0]))
    return list(*args)


SHALLOW.update((len, list))
STANDS_FOR[SBytearray] = bytearray
