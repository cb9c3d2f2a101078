"""A priority queue of ints: the largest comes first."""

from __future__ import annotations


class HeapArray:
    """A binary heap in an array of fixed length: no parent is below its children."""

    def __init__(self, capacity: int = 16) -> None:
        if capacity < 1 or capacity > 1024:
            raise ValueError("capacity must be from 1 to 1024")
        self._items = [0] * capacity
        self._size = 0

    def insert(self, value: int) -> bool:
        """Add a value; returns whether there was room."""
        if self._size == len(self._items):
            return False
        self._items[self._size] = value
        self._size += 1
        self._heapify_up(self._size - 1)
        return True

    def extract_max(self) -> int | None:
        """Take out and return the largest value."""
        if self._size == 0:
            return None
        largest = self._items[0]
        self._size -= 1
        self._items[0] = self._items[self._size]
        self._items[self._size] = 0
        self._heapify_down(0)
        return largest

    def peek(self) -> int | None:
        """Return the largest value."""
        return self._items[0] if self._size else None

    def size(self) -> int:
        """Return the number of values."""
        return self._size

    def _heapify_up(self, index: int) -> None:
        while index > 0:
            parent = (index - 1) // 2
            if self._items[parent] >= self._items[index]:
                return
            self._swap(parent, index)
            index = parent

    def _heapify_down(self, index: int) -> None:
        while True:
            left = 2 * index + 1
            right = left + 1
            largest = index
            if left < self._size and self._items[left] > self._items[largest]:
                largest = left
            if right < self._size and self._items[right] > self._items[largest]:
                largest = right
            if largest == index:
                return
            self._swap(index, largest)
            index = largest

    def _swap(self, first: int, second: int) -> None:
        self._items[first], self._items[second] = self._items[second], self._items[first]
