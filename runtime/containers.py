"""Traced containers: a list, dict or set whose *length* is an input as well as its elements.

The elements are ordinary (usually traced) objects in the native container; `n` is the expression of
its length, kept true through every method. A method whose effect on the length can't be said pins
the length first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from runtime import trace
from runtime.expr import Node, Sort, apply, apply2, const, const_int
from runtime.lookup import at_index, decide, find_key, membership, settle_key, value_of_key
from runtime.names import keep_builtins
from runtime.text import check_bounds
from runtime.values import TRACED, SInt, hold_length, plain, quietly, settle, wrap

keep_builtins(globals())

_ZERO: Final = const(0)


def _shift(node: Node, by: int) -> Node:
    return apply("add", Sort.INT, node, const(by))


def pin_length(container: Any) -> int:
    """Hold the length at what it is, as a decision that may be taken differently in another run."""
    size: int = _native_length(container)
    hold_length(container.n, size, trace.Kind.INPUT)
    container.n = const(size)
    return size


_LENGTHS: Final[tuple[tuple[type, Callable[[Any], int]], ...]] = (
    (list, list.__len__),
    (dict, dict.__len__),
    (set, set.__len__),
    (tuple, tuple.__len__),
)


def _native_length(container: Any) -> int:
    for kind, native in _LENGTHS:
        if isinstance(container, kind):
            return native(container)
    raise TypeError(type(container).__name__)


def length(container: Any) -> Any:
    """`len` of a traced container as a traced int."""
    return wrap(_native_length(container), container.n)


def _steps(container: Any, native: Iterator[Any]) -> Iterator[Any]:
    """Go through a container as its own iterator does: one more element, or the end, is a branch."""
    place = 0
    for value in native:  # raises what the native iterator raises when the container changes meanwhile
        trace.current.record(apply2("gt", Sort.BOOL, container.n, const_int(place)), True)
        yield value
        place += 1
    trace.current.record(apply2("gt", Sort.BOOL, container.n, const_int(place)), False)


class _Sized:
    """What the traced containers share: length, truth and iteration are conditions on `n`."""

    n: Node

    def __bool__(self) -> bool:
        return decide(wrap(_native_length(self) > 0, apply("gt", Sort.BOOL, self.n, _ZERO)))

    def __len__(self) -> int:
        return pin_length(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        pin_length(self)
        kind = self.__class__
        return (kind, (kind(self),))  # type: ignore[call-arg]

    def __copy__(self) -> Any:
        return copied(self)


class SList(_Sized, list):  # type: ignore[type-arg]
    """A traced list."""

    n: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return list

    def __iter__(self) -> Iterator[Any]:
        return _steps(self, list.__iter__(self))

    def __reversed__(self) -> Iterator[Any]:
        pin_length(self)
        return list.__reversed__(self)

    def __getitem__(self, key: Any) -> Any:
        if type(key) is slice:
            return self._slice(key)
        return self._element(key)

    def _element(self, key: Any) -> Any:
        size = list.__len__(self)
        if type(key) in TRACED:
            check_bounds(key, wrap(size, self.n), size)
            pin_length(self)  # which elements there are to choose from depends on the length
            return at_index(self, key, size) if type(key) is SInt else list.__getitem__(self, settle(key))
        place = key.__index__()
        check_bounds(place, wrap(size, self.n), size)
        if place < 0:
            pin_length(self)  # counted from the end
        return list.__getitem__(self, place)

    def _slice(self, key: slice) -> Any:
        count = slice_length(self.n, key)
        native = list.__getitem__(self, slice(plain(key.start), plain(key.stop), plain(key.step)))
        if count is None or _from_end(key):
            pin_length(self)
            _settle_slice(key)
            return native
        return traced_list(native, count)

    def __setitem__(self, key: Any, value: Any) -> None:
        if type(key) is slice:
            pin_length(self)
            list.__setitem__(self, _settle_slice(key), value)
            self.n = const(list.__len__(self))
            return
        size = list.__len__(self)
        check_bounds(key, wrap(size, self.n), size)
        settle(key)
        list.__setitem__(self, plain(key), value)

    def __delitem__(self, key: Any) -> None:
        if type(key) is slice:
            pin_length(self)
            list.__delitem__(self, _settle_slice(key))
            self.n = const(list.__len__(self))
            return
        self.pop(key)

    def append(self, value: Any) -> None:
        pin_length(self)
        list.append(self, value)
        self.n = _shift(self.n, 1)

    def insert(self, index: Any, value: Any) -> None:
        settle(index)
        if plain(index) != 0:
            pin_length(self)
        list.insert(self, plain(index), value)
        self.n = _shift(self.n, 1)

    def pop(self, index: Any = -1) -> Any:
        size = list.__len__(self)
        check_bounds(index, wrap(size, self.n), size)
        if settle(index) != 0:
            pin_length(self)
        result = list.pop(self, plain(index))
        self.n = _shift(self.n, -1)
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
        return traced_list([*other, *list.__iter__(self)], _shift(self.n, len(other)))

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
        self.n = _ZERO

    def copy(self) -> Any:
        return copied(self)

    def index(self, value: Any, *bounds: Any) -> int:
        pin_length(self)
        return list.index(self, value, *map(settle, bounds))

    def count(self, value: Any) -> int:
        pin_length(self)
        return list.count(self, value)

    def reverse(self) -> None:
        pin_length(self)
        list.reverse(self)

    def sort(self, *, key: Any = None, reverse: Any = False) -> None:
        pin_length(self)
        list.sort(self, key=key, reverse=bool(reverse))

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


def contains(container: Any, value: Any) -> Any:
    """`value in container` of a traced list, tuple or set; traced where all are scalars."""
    native = list(_raw(container))
    pin_length(container)  # the answer is about these elements
    answer = membership(value, native)
    if answer is not NotImplemented:
        return answer
    return any(value is e or value == e for e in native)


_ITERATORS: Final[tuple[tuple[type, Callable[[Any], Iterator[Any]]], ...]] = (
    (list, list.__iter__),
    (dict, dict.__iter__),
    (set, set.__iter__),
    (tuple, tuple.__iter__),
)


def _raw(container: Any) -> Iterator[Any]:
    for kind, native in _ITERATORS:
        if isinstance(container, kind):
            return native(container)
    raise TypeError(type(container).__name__)


def equal_lists(left: Any, right: Any) -> Any:
    """`left == right` of lists: first their lengths, then element by element."""
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
    """Whether which elements it takes depends on the length."""
    return key.step == -1 or any(type(b) is int and b < 0 for b in (key.start, key.stop))


def _settle_slice(key: slice) -> slice:
    """The slice with its bounds settled."""
    return slice(settle(key.start), settle(key.stop), settle(key.step))


def slice_length(size: Node, key: slice) -> Node | None:
    """The length of `x[key]` when x has length `size`; None where it can't be said simply."""
    if key.step not in (None, 1, -1) or (key.step == -1 and (key.start, key.stop) != (None, None)):
        return None
    if key.step == -1:
        return size
    bounds = []
    for bound, default in ((key.start, _ZERO), (key.stop, size)):
        if bound is None:
            bounds.append(default)
        elif type(bound) is int:
            bounds.append(_clamped(bound, size))
        else:
            return None
    difference = apply("sub", Sort.INT, bounds[1], bounds[0])
    positive = apply("gt", Sort.BOOL, difference, _ZERO)
    return apply("ite", Sort.INT, positive, difference, _ZERO)


def _clamped(bound: int, size: Node) -> Node:
    """Python's adjustment of a slice bound to a sequence of length `size`."""
    if bound >= 0:
        return apply("ite", Sort.INT, apply("lt", Sort.BOOL, size, const(bound)), size, const(bound))
    moved = _shift(size, bound)
    return apply("ite", Sort.INT, apply("lt", Sort.BOOL, moved, _ZERO), _ZERO, moved)


def copied(container: Any) -> Any:
    """A shallow copy with the same length expression."""
    size: Node = container.n
    if isinstance(container, list):
        return traced_list(list(list.__iter__(container)), size)
    if isinstance(container, dict):
        return traced_dict(list(dict.items(container)), size)
    return traced_set(list(set.__iter__(container)), size)


def traced_list(values: list[Any], size: Node) -> Any:
    """The list of `values` whose length is `size`; a plain list when that is a constant."""
    if size.op == "const":
        return values
    new = SList(values)
    new.n = size
    return new


class SDict(_Sized, dict):  # type: ignore[type-arg]
    """A traced dict: distinct traced keys, a symbolic number of entries."""

    n: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return dict

    def __iter__(self) -> Iterator[Any]:
        return _steps(self, dict.__iter__(self))

    def keys(self) -> Any:
        pin_length(self)  # a view is live, and C code goes through it: the length can't stay open
        return dict.keys(self)

    def values(self) -> Any:
        pin_length(self)
        return dict.values(self)

    def items(self) -> Any:
        pin_length(self)
        return dict.items(self)

    def _find(self, key: Any) -> tuple[list[Any], int]:
        keys = list(dict.keys(self))
        pin_length(self)  # the answer is about these keys
        return keys, find_key(keys, key)

    def __contains__(self, key: Any) -> bool:
        return self._find(key)[1] >= 0

    def __getitem__(self, key: Any) -> Any:
        keys, position = self._find(key)
        if position < 0:
            return dict.__getitem__(self, plain(key))
        return value_of_key(keys, list(dict.values(self)), key, position)

    def get(self, key: Any, default: Any = None) -> Any:
        keys, position = self._find(key)
        if position < 0:
            return default
        return value_of_key(keys, list(dict.values(self)), key, position)

    def __setitem__(self, key: Any, value: Any) -> None:
        keys, position = self._find(key)
        if position >= 0:
            settle_key(keys, key, position)
            quietly(dict.__setitem__, self, keys[position], value)
            return
        pin_length(self)
        quietly(dict.__setitem__, self, key, value)
        self.n = const(dict.__len__(self))

    def setdefault(self, key: Any, default: Any = None) -> Any:
        keys, position = self._find(key)
        if position >= 0:
            return value_of_key(keys, list(dict.values(self)), key, position)
        self[key] = default
        return default

    def _drop(self, keys: list[Any], position: int, key: Any) -> Any:
        settle_key(keys, key, position)
        value = quietly(dict.pop, self, keys[position])
        self.n = _shift(self.n, -1)
        return value

    def pop(self, key: Any, *default: Any) -> Any:
        keys, position = self._find(key)
        if position < 0:
            return dict.pop(self, plain(key), *default)
        pin_length(self)
        return self._drop(keys, position, key)

    def __delitem__(self, key: Any) -> None:
        self.pop(key)

    def clear(self) -> None:
        dict.clear(self)
        self.n = _ZERO

    def copy(self) -> Any:
        return copied(self)

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def popitem(self) -> Any:
        decide(wrap(dict.__len__(self) > 0, apply("gt", Sort.BOOL, self.n, _ZERO)))
        pin_length(self)
        entry = dict.popitem(self)
        self.n = const(dict.__len__(self))
        return entry

    def __eq__(self, other: object) -> Any:
        pin_length(self)
        return dict.__eq__(self, other)

    def __ne__(self, other: object) -> Any:
        pin_length(self)
        return dict.__ne__(self, other)

    __hash__ = None

    def __repr__(self) -> str:
        pin_length(self)
        return dict.__repr__(self)


def traced_dict(pairs: list[tuple[Any, Any]], size: Node) -> Any:
    """The dict of `pairs` (keys distinct) whose length is `size`."""
    if size.op == "const":
        return quietly(dict, pairs)
    new = quietly(SDict, pairs)
    new.n = size
    return new


class SSet(_Sized, set):  # type: ignore[type-arg]
    """A traced set: distinct traced elements, a symbolic number of them."""

    n: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return set

    def __iter__(self) -> Iterator[Any]:
        return _steps(self, set.__iter__(self))

    def __contains__(self, value: Any) -> bool:
        return bool(contains(self, value))

    def add(self, value: Any) -> None:
        if not bool(contains(self, value)):
            quietly(set.add, self, value)
            self.n = _shift(self.n, 1)

    def discard(self, value: Any) -> None:
        if bool(contains(self, value)):
            pin_length(self)
            quietly(set.discard, self, value)
            self.n = const(set.__len__(self))

    def remove(self, value: Any) -> None:
        if not bool(contains(self, value)):
            raise KeyError(value)
        self.discard(value)

    def copy(self) -> Any:
        return copied(self)

    def clear(self) -> None:
        set.clear(self)
        self.n = _ZERO

    def __eq__(self, other: object) -> Any:
        pin_length(self)
        return set.__eq__(self, other)

    __hash__ = None

    def __repr__(self) -> str:
        pin_length(self)
        return set.__repr__(self)


def _pinning(name: str, kind: type) -> Callable[..., Any]:
    """A set method after which the number of elements is a new fact: pin it before and after."""
    native = getattr(kind, name)

    def method(self: Any, *args: Any) -> Any:
        pin_length(self)
        for other in args:
            if type(other) in CONTAINERS:
                pin_length(other)
        result = native(self, *args)
        self.n = const(kind.__len__(self))  # type: ignore[attr-defined]
        return self if result is self else result

    method.__name__ = name
    return method


for _name in (
    "update", "intersection_update", "difference_update", "symmetric_difference_update", "pop",
    "__ior__", "__iand__", "__isub__", "__ixor__", "__or__", "__and__", "__sub__", "__xor__", "__ror__",
    "__rand__", "__rsub__", "__rxor__", "__le__", "__lt__", "__ge__", "__gt__", "__ne__", "union",
    "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint",
):  # fmt: skip
    setattr(SSet, _name, _pinning(_name, set))
for _name in ("__lt__", "__le__", "__gt__", "__ge__"):
    setattr(SList, _name, _pinning(_name, list))
for _name in ("__or__", "__ror__", "__ior__"):
    setattr(SDict, _name, _pinning(_name, dict))


def traced_set(values: list[Any], size: Node) -> Any:
    """The set of distinct `values` whose length is `size`."""
    if size.op == "const":
        return quietly(set, values)
    new = quietly(SSet, values)
    new.n = size
    return new


CONTAINERS: Final[frozenset[type]] = frozenset((SList, SDict, SSet))
"""The exact types of traced containers."""
