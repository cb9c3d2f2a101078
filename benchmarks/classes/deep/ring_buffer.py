"""A bounded buffer that wraps around."""

from __future__ import annotations


class RingBuffer:
    """First in, first out, in an array of four places."""

    SIZE = 4

    def __init__(self) -> None:
        self._items: list[int | None] = [None] * self.SIZE
        self._head = 0
        self._tail = 0
        self._count = 0
        self._dropped = 0

    def put(self, item: int) -> bool:
        """Add an item; returns whether there was room."""
        if self._count == self.SIZE:
            self._dropped += 1  # goal
            return False
        self._items[self._tail] = item
        self._tail += 1
        if self._tail == self.SIZE:
            self._tail = 0  # goal
        self._count += 1
        return True

    def get(self) -> int:
        """Take the oldest item out."""
        if self._count == 0:
            raise LookupError("empty")
        item = self._items[self._head]
        self._items[self._head] = None
        self._head += 1
        if self._head == self.SIZE:
            self._head = 0  # goal
        self._count -= 1
        return item

    def wrapped(self) -> bool:
        """Whether the items reach over the end of the array."""
        if self._count > 0 and self._tail <= self._head and self._head != 0:
            return True  # goal
        return False
