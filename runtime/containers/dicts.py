"""Traced dicts."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from runtime import trace
from runtime.containers.decisions import decide_same, raw_keys
from runtime.containers.relations import related_dicts
from runtime.containers.sized import ZERO, Sized, pin_length, shift, steps
from runtime.expr import Node, Sort, apply, const
from runtime.lookup import decide, find_key, settle_key, value_of_key
from runtime.private_builtins import keep_builtins
from runtime.values import kind_of, plain, without_pinning, wrap

keep_builtins(globals())


class SDict(Sized, dict):  # type: ignore[type-arg]
    """A traced dict: distinct traced keys, a symbolic number of entries."""

    n: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return dict

    def __iter__(self) -> Iterator[Any]:
        return steps(self, dict.__iter__(self))

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
            without_pinning(dict.__setitem__, self, keys[position], value)
            return
        pin_length(self)
        without_pinning(dict.__setitem__, self, key, value)
        self.n = const(dict.__len__(self))

    def setdefault(self, key: Any, default: Any = None) -> Any:
        keys, position = self._find(key)
        if position >= 0:
            return value_of_key(keys, list(dict.values(self)), key, position)
        self[key] = default
        return default

    def _drop(self, keys: list[Any], position: int, key: Any) -> Any:
        settle_key(keys, key, position)
        value = without_pinning(dict.pop, self, keys[position])
        self.n = shift(self.n, -1)
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
        self.n = ZERO

    def copy(self) -> Any:
        return traced_dict(list(dict.items(self)), self.n)

    def _deepen(self, new: Any, memo: dict[int, Any]) -> None:
        for key, value in list(dict.items(self)):
            without_pinning(dict.__setitem__, new, key, deepcopy(value, memo))

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in pairs_of(args, kwargs):
            self[key] = value

    @classmethod
    def fromkeys(cls, keys: Any, value: Any = None) -> Any:
        return dict.fromkeys(keys, value)

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        for key, value in pairs_of((other,), {}):
            self[key] = value
        return self

    def __reversed__(self) -> Iterator[Any]:
        pin_length(self)
        return dict.__reversed__(self)

    def popitem(self) -> Any:
        decide(wrap(dict.__len__(self) > 0, apply("gt", Sort.BOOL, self.n, ZERO)))
        pin_length(self)
        entry = dict.popitem(self)
        self.n = const(dict.__len__(self))
        return entry

    def __eq__(self, other: object) -> Any:
        return _combined("__eq__", self, other)

    def __ne__(self, other: object) -> Any:
        return _combined("__ne__", self, other)

    __hash__ = None

    def __repr__(self) -> str:
        pin_length(self)
        return dict.__repr__(self)


def pairs_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Return the entries that `dict.update(*args, **kwargs)` stores, one after the other.

    Raises:
        What `update` raises, where it does.
    """
    if len(args) > 1:
        raise TypeError(f"update expected at most 1 argument, got {len(args)}")
    for source in args:
        if type(source) is SDict:
            pin_length(source)
        if type(source) is SDict or (isinstance(source, dict) and type(source).__iter__ is dict.__iter__):
            yield from list(dict.items(source))
        elif hasattr(source, "keys"):
            for key in source.keys():  # noqa: SIM118 - as `update` does, which iterates nothing else
                yield key, source[key]
        else:
            for place, entry in enumerate(source):
                yield _pair(place, entry)
    yield from kwargs.items()


def _pair(place: int, entry: Any) -> tuple[Any, Any]:
    try:
        parts = list(entry)
    except TypeError:
        message = f"cannot convert dictionary update sequence element #{place} to a sequence"
        raise TypeError(message) from None
    if len(parts) != 2:
        message = f"dictionary update sequence element #{place} has length {len(parts)}; 2 is required"
        raise ValueError(message)
    return parts[0], parts[1]


def traced_dict(pairs: list[tuple[Any, Any]], size: Node) -> Any:
    """Return the dict of `pairs` (keys distinct) whose length is `size`."""
    if size.op == "const":
        return without_pinning(dict, pairs)
    trace.traced_keys = True  # even an empty one is to be seen by what asks for keys
    new = without_pinning(SDict, pairs)
    new.n = size
    return new


_COMPARED_ALIKE: Final = frozenset((dict, collections.defaultdict, SDict))


def _combined(name: str, left: Any, right: Any) -> Any:
    """Return a comparison or union of two dicts, after deciding which keys they share."""
    native = getattr(dict, name)
    if not isinstance(right, dict):
        return native(left, right)
    pin_length(left)
    if type(right) is SDict:
        pin_length(right)
    if kind_of(right) in _COMPARED_ALIKE:
        relation = related_dicts(name, left, right)
        if relation is not NotImplemented:
            return relation
    decide_same(raw_keys(left), raw_keys(right))
    return without_pinning(native, left, right)


def _union(name: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        return _combined(name, self, other)

    method.__name__ = name
    return method


for _name in ("__or__", "__ror__"):
    setattr(SDict, _name, _union(_name))
