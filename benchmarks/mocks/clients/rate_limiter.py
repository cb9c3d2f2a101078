"""Limits how often somebody may ask: a bucket of tokens, and windows kept in a store."""

import time


class Store:
    """Keeps counters; meant to be replaced by one on a server."""

    def increment(self, key, ttl):
        # type: (str, int) -> int
        raise NotImplementedError

    def ttl(self, key):
        # type: (str) -> int | None
        raise NotImplementedError

    def clear(self, key):
        # type: (str) -> None
        raise NotImplementedError


class TooManyRequests(Exception):
    def __init__(self, retry_after):
        super().__init__("retry after %d s" % retry_after)
        self.retry_after = retry_after


class WindowLimiter:
    def __init__(self, store: Store, limit: int = 5, window: int = 60):
        self.store = store
        self.limit = limit
        self.window = window

    def check(self, client: str, cost: int = 1) -> int:
        if cost <= 0:
            return self.limit
        used = 0
        for _ in range(cost):
            used = self.store.increment("rate:" + client, self.window)
            if used > self.limit:
                break
        if used > self.limit:
            wait = self.store.ttl("rate:" + client)
            if wait is None:
                self.store.clear("rate:" + client)
                return 0
            raise TooManyRequests(min(wait, self.window))
        return self.limit - used


class TokenBucket:
    def __init__(self, rate, capacity, clock=time.monotonic):
        if rate <= 0 or capacity <= 0:
            raise ValueError("must be positive")
        self.rate = rate
        self.capacity = capacity
        self.clock = clock
        self.tokens = capacity
        self.updated = clock()

    def take(self, count=1):
        now = self.clock()
        if now > self.updated:
            self.tokens = self.tokens + (now - self.updated) * self.rate
            if self.tokens > self.capacity:
                self.tokens = self.capacity
            self.updated = now
        if count > self.tokens:
            return False
        self.tokens -= count
        return True
