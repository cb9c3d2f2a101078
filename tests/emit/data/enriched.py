"""Classes whose shortest tests would hide a fault."""


class Queue:
    def __init__(self):
        self._items = []

    def put(self, item):
        self._items.append(item)

    def take(self):
        if not self._items:
            raise IndexError("empty")
        return self._items.pop(0)

    def at(self, index):
        if index < 0 or index >= len(self._items):
            raise IndexError(index)
        return self._items[index]

    def size(self):
        return len(self._items)


class Alarm:
    def __init__(self):
        self._level = 0

    def measure(self, level):
        self._level = level

    def warns(self):
        return self._level > 80


class Till:
    def __init__(self):
        self.total = 0
        self._coins = 0

    def insert(self):
        self._coins += 1

    def book(self):
        self.total += self._coins
        self._coins = 0


class Ages:
    def __init__(self):
        self._held = {}

    def put(self, key, value):
        self._held[key] = value

    def get(self, key):
        return self._held.get(key)

    def remove(self, key):
        return self._held.pop(key, None)

    def __iter__(self):
        return iter(sorted(self._held))
