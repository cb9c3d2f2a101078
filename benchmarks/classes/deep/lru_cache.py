"""A cache that forgets what was not used for longest."""

from __future__ import annotations

from collections import OrderedDict


class LRUCache:
    """At most `capacity` keys."""

    def __init__(self, capacity: int) -> None:
        if capacity < 2:
            raise ValueError("too small")
        self._capacity = capacity
        self._data: OrderedDict[str, int] = OrderedDict()
        self.hits = 0
        self.evicted: str | None = None

    def get(self, key: str) -> int | None:
        """Return the value of a key, which is the youngest then."""
        if key not in self._data:
            return None
        self._data.move_to_end(key)
        self.hits += 1
        return self._data[key]  # goal

    def put(self, key: str, value: int) -> None:
        """Set the value of a key."""
        if key in self._data:
            self._data.move_to_end(key)  # goal
        elif len(self._data) == self._capacity:
            self.evicted, _ = self._data.popitem(last=False)  # goal
        self._data[key] = value

    def was_evicted(self, key: str) -> bool:
        """Whether the key was the last one forgotten."""
        if self.evicted is not None and key == self.evicted:
            return True  # goal
        return False
