"""`heapq` and `bisect`: C code compares elements by their methods; lists and places are decided."""

from __future__ import annotations

import bisect
import heapq
from typing import Any

from runtime.containers import SList
from runtime.containers.sized import pin_length
from runtime.expr import const
from runtime.models.collections.elements import callee_for
from runtime.models.registry import SHALLOW, UNGUARDED, models
from runtime.private_builtins import keep_builtins
from runtime.values import settle

keep_builtins(globals())


def _on_a_heap(native: Any) -> None:
    @models(native)
    def model(heap: Any, /, *args: Any) -> Any:
        if type(heap) is not SList:
            return native(heap, *args)
        pin_length(heap)
        try:
            return native(heap, *args)
        finally:
            heap.n = const(list.__len__(heap))

    SHALLOW.add(native)


_HEAPS = ("heapify", "heappush", "heappop", "heappushpop", "heapreplace")
_MORE = ("_heappop_max", "_heapify_max", "_heapreplace_max", "heapify_max", "heappush_max", "heappop_max")
for _name in (*_HEAPS, *_MORE):
    if hasattr(heapq, _name):
        _on_a_heap(getattr(heapq, _name))


def _selecting(native: Any) -> None:
    @models(native)
    def model(n: Any, iterable: Any, key: Any = None) -> Any:
        return native(settle(n), iterable, callee_for(key))


for _function in (heapq.nlargest, heapq.nsmallest):
    _selecting(_function)


def _halving(native: Any) -> None:
    @models(native)
    def model(a: Any, x: Any, lo: Any = 0, hi: Any = None, **kwargs: Any) -> Any:
        if "key" in kwargs:
            kwargs["key"] = callee_for(kwargs["key"])
        return native(a, x, settle(lo), settle(hi), **kwargs)

    UNGUARDED.add(native)  # looking through the list would cost more than the search


for _native in (bisect.bisect_left, bisect.bisect_right, bisect.insort_left, bisect.insort_right):
    _halving(_native)
