"""Traced sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.containers.sized import ZERO, Sized, contains, pin_length, pinning, shift, steps
from runtime.expr import Node, const
from runtime.names import keep_builtins
from runtime.values import quietly

keep_builtins(globals())


class SSet(Sized, set):  # type: ignore[type-arg]
    """A traced set: distinct traced elements, a symbolic number of them."""

    n: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return set

    def __iter__(self) -> Iterator[Any]:
        return steps(self, set.__iter__(self))

    def __contains__(self, value: Any) -> bool:
        return bool(contains(self, value))

    def add(self, value: Any) -> None:
        if not bool(contains(self, value)):
            quietly(set.add, self, value)
            self.n = shift(self.n, 1)

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
        return traced_set(list(set.__iter__(self)), self.n)

    def clear(self) -> None:
        set.clear(self)
        self.n = ZERO

    def __eq__(self, other: object) -> Any:
        pin_length(self)
        return set.__eq__(self, other)

    __hash__ = None

    def __repr__(self) -> str:
        pin_length(self)
        return set.__repr__(self)


def traced_set(values: list[Any], size: Node) -> Any:
    """The set of distinct `values` whose length is `size`."""
    if size.op == "const":
        return quietly(set, values)
    new = quietly(SSet, values)
    new.n = size
    return new


for _name in (
    "update", "intersection_update", "difference_update", "symmetric_difference_update", "pop",
    "__ior__", "__iand__", "__isub__", "__ixor__", "__or__", "__and__", "__sub__", "__xor__", "__ror__",
    "__rand__", "__rsub__", "__rxor__", "__le__", "__lt__", "__ge__", "__gt__", "__ne__", "union",
    "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint",
):  # fmt: skip
    setattr(SSet, _name, pinning(_name, set))
