"""Methods of native lists, tuples and deques that take a place, which is decided, and `slice.indices`."""

from __future__ import annotations

import sys
from collections import deque
from typing import Any, Final

from runtime.lookup import at_index, decide, decided_bounds
from runtime.models.collections.elements import callee_for, direction
from runtime.models.registry import SHALLOW, models, models_method
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary, compare
from runtime.values import TRACED, SBool, SInt, check, kind_of, plain, settle

keep_builtins(globals())

_WHOLE: Final = frozenset((int, bool, SInt, SBool))


@models_method(list, "pop", takes="int?")
def list_pop(self: list[Any], *place: Any) -> Any:
    """`xs.pop(i)`: whether there is such an element is a check."""
    if len(place) == 1 and kind_of(place[0]) in TRACED and self:
        at_index(self, place[0], len(self))
    return self.pop(*map(settle, place))


@models_method(list, "sort", takes="")
def list_sort(self: list[Any], *, key: Any = None, reverse: Any = False) -> None:
    """`xs.sort(key=..., reverse=...)`."""
    self.sort(key=callee_for(key), reverse=direction(reverse))


def _inserting(kind: Any) -> None:
    @models_method(kind, "insert", takes="int int")
    def model(self: Any, place: Any, value: Any, /) -> None:
        """`xs.insert(i, x)`: beyond the ends no place differs from another."""
        if kind_of(place) in TRACED:
            check(compare("le", place, sys.maxsize))
            check(compare("ge", place, -sys.maxsize - 1))
        self.insert(*decided_bounds((place,), len(self)), value)


def _searching(kind: Any) -> None:
    @models_method(kind, "index", takes="int int? int?")
    def model(self: Any, value: Any, /, *bounds: Any) -> int:
        """`xs.index(x, start, stop)`."""
        result: int = self.index(value, *decided_bounds(bounds, len(self)))
        return result


_inserting(list)
_inserting(deque)
for _kind in (list, tuple, deque):
    _searching(_kind)


@models_method(deque, "rotate", takes="int?")
def rotated(self: deque[Any], *steps: Any) -> None:
    """`d.rotate(n)`."""
    self.rotate(*map(settle, steps))


@models(deque)
def traced_deque(*args: Any, **kwargs: Any) -> Any:
    """`deque(x, maxlen)`."""
    if "maxlen" in kwargs:
        kwargs["maxlen"] = settle(kwargs["maxlen"])
    return deque(*args[:1], *map(settle, args[1:]), **kwargs)


SHALLOW.add(deque)


@models_method(slice, "indices")
def indices(self: slice, *size: Any) -> tuple[Any, Any, Any]:
    """`slice(start, stop, step).indices(size)`: the bounds stay traced, the step is decided."""
    parts = [part for part in (self.start, self.stop, self.step, *size) if part is not None]
    usual = len(size) == 1 and all(kind_of(part) in _WHOLE for part in parts)
    if not usual or plain(size[0]) < 0 or not any(kind_of(part) in TRACED for part in parts):
        plainly = slice(plain(self.start), plain(self.stop), plain(self.step))
        return plainly.indices(*[plain(part) for part in size])
    step = 1 if self.step is None else self.step
    if not check(_compare("ne", step, 0)):
        raise ValueError("slice step cannot be zero")
    step = settle(step)
    lowest, highest = (0, size[0]) if step > 0 else (-1, _sum(size[0], -1))
    first, last = (lowest, highest) if step > 0 else (highest, lowest)
    start = first if self.start is None else _within(self.start, size[0], lowest, highest)
    stop = last if self.stop is None else _within(self.stop, size[0], lowest, highest)
    return start, stop, step


def _within(bound: Any, size: Any, lowest: Any, highest: Any) -> Any:
    """Return a bound counted from the right end, and cut to what there is."""
    if decide(_compare("lt", bound, 0)):
        bound = _sum(bound, size)
        return lowest if decide(_compare("lt", bound, lowest)) else bound
    return highest if decide(_compare("gt", bound, highest)) else bound


def _sum(left: Any, right: Any) -> Any:
    return left + right if not _traced(left, right) else binary("add", left, right)


def _compare(op: str, left: Any, right: Any) -> Any:
    if _traced(left, right):
        return compare(op, left, right)
    return {"lt": left < right, "gt": left > right, "ne": left != right}[op]


def _traced(left: Any, right: Any) -> bool:
    return kind_of(left) in TRACED or kind_of(right) in TRACED
