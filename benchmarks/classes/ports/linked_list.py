"""A doubly linked list around a sentinel."""

from __future__ import annotations

from collections.abc import Iterator


class Entry:
    """A link of the chain."""

    def __init__(self, element: int, following: Entry | None, previous: Entry | None) -> None:
        self.element = element
        self.next = self if following is None else following
        self.previous = self if previous is None else previous


class LinkedList:
    """A list of ints; the header is before its first and after its last entry."""

    def __init__(self) -> None:
        self._header = Entry(0, None, None)
        self._size = 0

    def add(self, element: int) -> bool:
        """Put an element at the end; the list always changes."""
        self._add_before(element, self._header)
        return True

    def add_first(self, element: int) -> None:
        """Put an element at the beginning."""
        self._add_before(element, self._header.next)

    def insert(self, index: int, element: int) -> None:
        """Put an element before the one at `index`, or at the end."""
        entry = self._header if index == self._size else self._entry(index)
        self._add_before(element, entry)

    def remove(self, element: int) -> bool:
        """Take out the first entry that equals `element`; returns whether there was one."""
        entry = self._header.next
        while entry is not self._header:
            if entry.element == element:
                self._unlink(entry)
                return True
            entry = entry.next
        return False

    def remove_first(self) -> int:
        """Take out and return the first element."""
        return self._unlink(self._header.next)

    def remove_last(self) -> int:
        """Take out and return the last element."""
        return self._unlink(self._header.previous)

    def get(self, index: int) -> int:
        """Return the element at a place."""
        return self._entry(index).element

    def set(self, index: int, element: int) -> int:
        """Replace the element at a place and return what was there."""
        entry = self._entry(index)
        old = entry.element
        entry.element = element
        return old

    def index_of(self, element: int) -> int:
        """Return the first place of an element, -1 if there is none."""
        for index, other in enumerate(self):
            if other == element:
                return index
        return -1

    def last_index_of(self, element: int) -> int:
        """Return the last place of an element, -1 if there is none."""
        index = self._size
        entry = self._header.previous
        while entry is not self._header:
            index -= 1
            if entry.element == element:
                return index
            entry = entry.previous
        return -1

    def clear(self) -> None:
        """Take out everything."""
        self._header.next = self._header.previous = self._header
        self._size = 0

    def size(self) -> int:
        """Return the number of elements."""
        return self._size

    def __iter__(self) -> Iterator[int]:
        entry = self._header.next
        while entry is not self._header:
            yield entry.element
            entry = entry.next

    def _entry(self, index: int) -> Entry:
        if index < 0 or index >= self._size:
            raise IndexError(f"index {index}, size {self._size}")
        entry = self._header
        if index < self._size // 2:
            for _ in range(index + 1):
                entry = entry.next
        else:
            for _ in range(self._size - index):
                entry = entry.previous
        return entry

    def _add_before(self, element: int, entry: Entry) -> Entry:
        new = Entry(element, entry, entry.previous)
        new.previous.next = new
        new.next.previous = new
        self._size += 1
        return new

    def _unlink(self, entry: Entry) -> int:
        if entry is self._header:
            raise LookupError("the list is empty")
        entry.previous.next = entry.next
        entry.next.previous = entry.previous
        self._size -= 1
        return entry.element
