"""A stack of ints in an array that grows."""

from __future__ import annotations


class IntStack:
    """Last in, first out; the array doubles when it is full."""

    INITIAL_CAPACITY = 10

    def __init__(self) -> None:
        self._store = [0] * self.INITIAL_CAPACITY
        self._size = 0

    def push(self, value: int) -> None:
        """Put a value on top."""
        if self._size == len(self._store):
            self._store = self._store + [0] * len(self._store)
        self._store[self._size] = value
        self._size += 1

    def pop(self) -> int:
        """Take the value from the top."""
        if self._size == 0:
            raise IndexError("pop from an empty stack")
        self._size -= 1
        return self._store[self._size]

    def is_empty(self) -> bool:
        """Whether there is nothing to pop."""
        return self._size == 0

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IntStack):
            return NotImplemented
        return self._store[: self._size] == other._store[: other._size]

    __hash__ = None  # type: ignore[assignment]
