"""Traced lists."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from runtime.containers.sized import ZERO, Sized, contains, pin_length, pinning, shift, steps
from runtime.expr import Node, Sort, apply, const
from runtime.lookup import at_index, decide, decided_bounds, decided_slice
from runtime.private_builtins import keep_builtins
from runtime.scalars.text import check_bounds
from runtime.values import TRACED, SBool, SInt, kind_of, plain, settle, wrap

keep_builtins(globals())


class SList(Sized, list):  # type: ignore[type-arg]
    """A traced list."""

    n: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return list

    def __iter__(self) -> Iterator[Any]:
        return steps(self, list.__iter__(self))

    def __reversed__(self) -> Iterator[Any]:
        pin_length(self)
        return list.__reversed__(self)

    def __getitem__(self, key: Any) -> Any:
        if type(key) is slice:
            return self._slice(key)
        return self._element(key)

    def _element(self, key: Any) -> Any:
        size = list.__len__(self)
        if kind_of(key) in TRACED:
            check_bounds(key, wrap(size, self.n), size)
            pin_length(self)  # which elements there are to choose from depends on the length
            return at_index(self, key, size) if type(key) is SInt else list.__getitem__(self, settle(key))
        place = operator.index(key)
        check_bounds(place, wrap(size, self.n), size)
        if place < 0:
            pin_length(self)  # counted from the end
        return list.__getitem__(self, place)

    def _slice(self, key: slice) -> Any:
        count = slice_length(self.n, key)
        if count is None or _from_end(key):
            return list.__getitem__(self, self._settled(key))
        return traced_list(list.__getitem__(self, key), count)

    def _settled(self, key: slice) -> slice:
        """Return the slice with its bounds decided, as far as they matter for this length."""
        return decided_slice(key, pin_length(self))

    def __setitem__(self, key: Any, value: Any) -> None:
        if type(key) is slice:
            list.__setitem__(self, self._settled(key), value)
            self.n = const(list.__len__(self))
            return
        size = list.__len__(self)
        check_bounds(key, wrap(size, self.n), size)
        if settle(key) < 0:
            pin_length(self)  # counted from the end
        list.__setitem__(self, plain(key), value)

    def __delitem__(self, key: Any) -> None:
        if type(key) is slice:
            list.__delitem__(self, self._settled(key))
            self.n = const(list.__len__(self))
            return
        self.pop(key)

    def append(self, value: Any) -> None:
        pin_length(self)
        list.append(self, value)
        self.n = shift(self.n, 1)

    def insert(self, index: Any, value: Any) -> None:
        settle(index)
        if plain(index) != 0:
            pin_length(self)
        list.insert(self, plain(index), value)
        self.n = shift(self.n, 1)

    def pop(self, index: Any = -1) -> Any:
        size = list.__len__(self)
        check_bounds(index, wrap(size, self.n), size)
        if settle(index) != 0:
            pin_length(self)
        result = list.pop(self, plain(index))
        self.n = shift(self.n, -1)
        return result

    def extend(self, values: Any) -> None:
        pin_length(self)  # what follows the old elements stands at a place that depends on the length
        before = list.__len__(self)
        if type(values) is SList:
            grown = values.n
            list.extend(self, list(list.__iter__(values)))  # a copy: it may be the list itself
        else:
            list.extend(self, values)
            grown = const(list.__len__(self) - before)
        self.n = apply("add", Sort.INT, self.n, grown)

    def __iadd__(self, values: Any) -> Any:
        self.extend(values)
        return self

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        result = traced_list(list(list.__iter__(self)), self.n)
        result.extend(other)
        return result

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        return traced_list([*other, *list.__iter__(self)], shift(self.n, len(other)))

    def __mul__(self, count: Any) -> Any:
        pin_length(self)
        return list.__mul__(self, settle(count))

    __rmul__ = __mul__

    def __imul__(self, count: Any) -> Any:
        pin_length(self)
        result = list.__imul__(self, settle(count))
        self.n = const(list.__len__(self))
        return result

    def remove(self, value: Any) -> None:
        pin_length(self)
        list.remove(self, value)
        self.n = const(list.__len__(self))

    def clear(self) -> None:
        list.clear(self)
        self.n = ZERO

    def copy(self) -> Any:
        return traced_list(list(list.__iter__(self)), self.n)

    def _deepen(self, new: Any, memo: dict[int, Any]) -> None:
        for place, value in enumerate(list.__iter__(self)):
            list.__setitem__(new, place, deepcopy(value, memo))

    def index(self, value: Any, *bounds: Any) -> int:
        return list.index(self, value, *decided_bounds(bounds, pin_length(self)))

    def count(self, value: Any) -> int:
        pin_length(self)
        return list.count(self, value)

    def reverse(self) -> None:
        pin_length(self)
        list.reverse(self)

    def sort(self, *, key: Any = None, reverse: Any = False) -> None:
        pin_length(self)
        list.sort(self, key=key, reverse=bool(reverse) if type(reverse) is SBool else settle(reverse))

    def __contains__(self, value: Any) -> bool:
        answer = contains(self, value)
        return bool(answer)

    def __eq__(self, other: object) -> Any:
        return equal_lists(self, other)

    def __ne__(self, other: object) -> Any:
        answer = equal_lists(self, other)
        return answer if answer is NotImplemented else not answer

    __hash__ = None

    def __repr__(self) -> str:
        pin_length(self)
        return list.__repr__(self)


def equal_lists(left: Any, right: Any) -> Any:
    """Return `left == right` of lists: first their lengths, then element by element."""
    if not isinstance(right, list):
        return NotImplemented
    mine, others = list.__len__(left), list.__len__(right)
    size = right.n if type(right) is SList else const(others)
    if not decide(wrap(mine == others, apply("eq", Sort.BOOL, left.n, size))):
        return False
    pin_length(left)
    pairs = zip(list.__iter__(left), list.__iter__(right), strict=True)
    return all(a is b or a == b for a, b in pairs)


def _from_end(key: slice) -> bool:
    """Return whether the length decides which elements a slice takes."""
    return key.step == -1 or any(type(b) is int and b < 0 for b in (key.start, key.stop))


def slice_length(size: Node, key: slice) -> Node | None:
    """Return the length of `x[key]` when x has length `size`; None where it can't be said simply."""
    if key.step not in (None, 1, -1) or (key.step == -1 and (key.start, key.stop) != (None, None)):
        return None
    if key.step == -1:
        return size
    bounds = []
    for bound, default in ((key.start, ZERO), (key.stop, size)):
        if bound is None:
            bounds.append(default)
        elif type(bound) is int:
            bounds.append(_clamped(bound, size))
        else:
            return None
    difference = apply("sub", Sort.INT, bounds[1], bounds[0])
    positive = apply("gt", Sort.BOOL, difference, ZERO)
    return apply("ite", Sort.INT, positive, difference, ZERO)


def _clamped(bound: int, size: Node) -> Node:
    """Return a slice bound as Python adjusts it to a sequence of length `size`."""
    if bound >= 0:
        return apply("ite", Sort.INT, apply("lt", Sort.BOOL, size, const(bound)), size, const(bound))
    moved = shift(size, bound)
    return apply("ite", Sort.INT, apply("lt", Sort.BOOL, moved, ZERO), ZERO, moved)


def traced_list(values: list[Any], size: Node) -> Any:
    """Return the list of `values` whose length is `size`; a plain list when that is a constant."""
    if size.op == "const":
        return values
    new = SList(values)
    new.n = size
    return new


for _name in ("__lt__", "__le__", "__gt__", "__ge__"):
    setattr(SList, _name, pinning(_name, list))
