"""A unique bounded stack of ints: no value is in it twice, and there is room for a few only."""

from __future__ import annotations


class UBStack:
    """A stack in which pushing a value that is there moves it to the top."""

    def __init__(self, capacity: int = 4) -> None:
        if capacity < 1:
            raise ValueError("a stack needs room for one value at least")
        self._elements = [0] * min(capacity, 64)
        self._count = 0

    def push(self, value: int) -> bool:
        """Put a value on top; returns whether it is there now."""
        index = self._index_of(value)
        if index < self._count:
            while index < self._count - 1:
                self._elements[index] = self._elements[index + 1]
                index += 1
            self._elements[index] = value
            return True
        if self._count == len(self._elements):
            return False
        self._elements[self._count] = value
        self._count += 1
        return True

    def pop(self) -> None:
        """Drop the value on top, if there is one."""
        if self._count > 0:
            self._count -= 1

    def top(self) -> int:
        """Return the value on top, -1 when there is none."""
        if self._count < 1:
            return -1
        return self._elements[self._count - 1]

    def is_member(self, value: int) -> bool:
        """Whether the value is in the stack."""
        return self._index_of(value) < self._count

    def is_empty(self) -> bool:
        """Whether nothing is in the stack."""
        return self._count == 0

    def size(self) -> int:
        """Return how many values there are."""
        return self._count

    def max_size(self) -> int:
        """Return how many values there is room for."""
        return len(self._elements)

    def equals(self, other: UBStack) -> bool:
        """Whether both hold the same values in the same order."""
        if self._count != other._count:
            return False
        for index in range(self._count):
            if self._elements[index] != other._elements[index]:
                return False
        return True

    def _index_of(self, value: int) -> int:
        index = 0
        while index < self._count and self._elements[index] != value:
            index += 1
        return index
