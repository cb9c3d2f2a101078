"""Methods of native lists, tuples and deques that take a place: a traced one is decided."""

from __future__ import annotations

import sys
from collections import deque
from typing import Any

from runtime.lookup import at_index, decided_bounds
from runtime.models.elements import callee_for, direction
from runtime.models.registry import SHALLOW, models, models_method
from runtime.names import keep_builtins
from runtime.numbers import compare
from runtime.values import TRACED, check, kind_of, settle

keep_builtins(globals())


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
