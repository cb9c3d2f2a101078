"""A loader behind a cache whose entries may be stale, negative or broken."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

ABSENT = b"\x00"
VERSION = 2


class CacheDown(Exception):
    """The cache does not answer."""


class Cache(ABC):
    @abstractmethod
    def get(self, key: str) -> bytes | None:
        """Return what was stored, or None."""

    @abstractmethod
    def set(self, key: str, value: bytes, ttl: int = 60) -> None:
        raise NotImplementedError

    @abstractmethod
    def delete(self, key: str) -> bool:
        raise NotImplementedError

    def get_many(self, keys: list[str]) -> dict[str, bytes]:
        found = {}
        for key in keys:
            value = self.get(key)
            if value is not None:
                found[key] = value
        return found


class CachedLoader:
    def __init__(self, cache: Cache, load: Callable[[str], str | None], namespace: str = "v") -> None:
        self.cache = cache
        self.load = load
        self.namespace = namespace
        self.hits = 0
        self.misses = 0

    def fetch(self, key: str) -> str | None:
        """Return the value of a key from the cache, else from the loader."""
        full = self.namespace + ":" + key
        try:
            data = self.cache.get(full)
        except CacheDown:
            return self.load(key)
        if data is not None:
            if data == ABSENT:
                self.hits += 1
                return None
            if data[:1] == bytes([VERSION]):
                self.hits += 1
                return data[1:].decode("latin-1")
            if not self.cache.delete(full):
                raise RuntimeError("stale and not deleted: " + full)
        self.misses += 1
        value = self.load(key)
        if value is None:
            self.cache.set(full, ABSENT, ttl=5)
        elif len(value) < 4:
            self.cache.set(full, bytes([VERSION]) + value.encode("latin-1", "replace"))
        return value

    def ratio(self) -> float:
        """Share of the look-ups that the cache answered."""
        total = self.hits + self.misses
        return self.hits / total if total else 0.0


def warm(cache: Cache, keys: list[str]) -> int:
    """Store what is not known yet, and return how much that was."""
    known = cache.get_many(keys)
    stored = 0
    for key in keys:
        if key in known:
            continue
        cache.set(key, key.encode())
        stored += 1
    return stored
