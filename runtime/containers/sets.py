"""Traced sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from runtime import trace
from runtime.containers.decisions import combined, decide_same, raw_keys
from runtime.containers.relations import related
from runtime.containers.sized import ZERO, Sized, contains, pin_length, pinning, shift, steps
from runtime.expr import Node, const
from runtime.private_builtins import keep_builtins
from runtime.values import lose_all, without_pinning

keep_builtins(globals())


class SSet(Sized, set):  # type: ignore[type-arg]
    """A traced set: distinct traced elements, a symbolic number of them."""

    n: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return set

    def __iter__(self) -> Iterator[Any]:
        _hold_order(self)
        return steps(self, set.__iter__(self))

    def in_any_order(self) -> Iterator[Any]:
        """Return the elements for an operation whose result does not depend on their order."""
        return steps(self, iter(raw_keys(self)))

    def __contains__(self, value: Any) -> bool:
        return bool(contains(self, value))

    def add(self, value: Any) -> None:
        if not bool(contains(self, value)):
            without_pinning(set.add, self, value)
            self.n = shift(self.n, 1)

    def discard(self, value: Any) -> None:
        if bool(contains(self, value)):
            pin_length(self)
            without_pinning(set.discard, self, value)
            self.n = const(set.__len__(self))

    def remove(self, value: Any) -> None:
        if not bool(contains(self, value)):
            raise KeyError(value)
        self.discard(value)

    def copy(self) -> Any:
        return traced_set(list(set.__iter__(self)), self.n)

    def clear(self) -> None:
        set.clear(self)
        self.n = ZERO

    def __eq__(self, other: object) -> Any:
        return _compared("__eq__", self, other)

    def __ne__(self, other: object) -> Any:
        return _compared("__ne__", self, other)

    __hash__ = None

    def __repr__(self) -> str:
        pin_length(self)
        if not set.__len__(self):
            return "set()"
        return set.__repr__(self).removeprefix(f"{type(self).__name__}(").removesuffix(")")


def traced_set(values: list[Any], size: Node) -> Any:
    """Return the set of distinct `values` whose length is `size`."""
    if size.op == "const":
        return without_pinning(set, values)
    trace.traced_keys = True  # even an empty one is to be seen by what asks for keys
    new = without_pinning(SSet, values)
    new.n = size
    return new


def _hold_order(values: Any) -> None:
    """Note that the order of the elements follows from their hashes: other elements may come in another one.

    So does one element more: how many there are is held, too.
    """
    pin_length(values)
    if set.__len__(values) > 1:
        parts = [part for key in set.__iter__(values) for part in (key if type(key) is tuple else (key,))]
        lose_all("set.__iter__", *parts)


def _compared(name: str, left: Any, right: Any) -> Any:
    """Return a comparison or operator of two sets, after deciding which elements they share."""
    native = getattr(set, name)
    if not isinstance(right, (set, frozenset)):
        return native(left, right)
    pin_length(left)
    if type(right) is SSet:
        pin_length(right)
    relation = related(name, raw_keys(left), raw_keys(right))
    if relation is not NotImplemented:
        return relation
    decide_same(raw_keys(left), raw_keys(right))
    result = without_pinning(native, left, right)
    left.n = const(set.__len__(left))
    return result


def _operator(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return _compared(name, self, other)

    method.__name__ = name
    return method


def _method(name: str) -> Callable[..., Any]:
    native = getattr(set, name)

    def method(self: Any, *args: Any) -> Any:
        pin_length(self)
        for other in args:
            if issubclass(type(other), Sized):
                pin_length(other)
        result = combined(name, native, self, args)
        self.n = const(set.__len__(self))
        return result

    method.__name__ = name
    return method


for _name in (
    "__ior__", "__iand__", "__isub__", "__ixor__", "__or__", "__and__", "__sub__", "__xor__", "__ror__",
    "__rand__", "__rsub__", "__rxor__", "__le__", "__lt__", "__ge__", "__gt__",
):  # fmt: skip
    setattr(SSet, _name, _operator(_name))
for _name in (
    "update", "intersection_update", "difference_update", "symmetric_difference_update", "union",
    "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint",
):  # fmt: skip
    setattr(SSet, _name, _method(_name))
SSet.pop = pinning("pop", set)  # type: ignore[method-assign]
