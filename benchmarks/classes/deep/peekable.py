"""An iterator that can look ahead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Peekable:
    """Wraps ints; `peek` looks at the next one without taking it."""

    def __init__(self, items: Iterable[int]) -> None:
        self._items = iter(items)
        self._ahead: list[int] = []
        self._taken = 0

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        self._taken += 1
        if self._ahead:
            return self._ahead.pop(0)  # goal
        return next(self._items)

    def peek(self) -> int:
        """Return the next item, which stays."""
        if not self._ahead:
            self._ahead.append(next(self._items))
        return self._ahead[0]  # goal

    def push_back(self, item: int) -> None:
        """Put an item before the next one; only what was taken can be put back."""
        if self._taken == 0:
            raise ValueError("nothing was taken")
        self._taken -= 1
        self._ahead.insert(0, item)  # goal

    def skip(self, wanted: int) -> bool:
        """Take the next item if it is the wanted one."""
        if self.peek() != wanted:
            return False
        next(self)
        return True  # goal
