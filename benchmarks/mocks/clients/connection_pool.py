"""A pool of connections that a factory makes."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class ConnectionLost(Exception):
    pass


class PoolExhausted(Exception):
    pass


class Connection(abc.ABC):
    @abc.abstractmethod
    def is_alive(self) -> bool:
        """Whether it can be used."""

    @abc.abstractmethod
    def query(self, text: str) -> list[int]:
        """Ask, and get numbers."""

    @abc.abstractmethod
    def close(self) -> None:
        """Give it up."""

    @property
    @abc.abstractmethod
    def age(self) -> int:
        """Seconds since it was made."""


class Pool:
    def __init__(self, connect: Callable[[], Connection], size: int = 2, max_age: int = 60) -> None:
        if size <= 0:
            raise ValueError("size")
        self._connect = connect
        self._idle: list[Connection] = []
        self._size = size
        self._max_age = max_age
        self.in_use = 0

    def acquire(self) -> Connection:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_alive():
                self.in_use += 1
                return connection
            connection.close()
        if self.in_use >= self._size:
            raise PoolExhausted
        try:
            connection = self._connect()
        except ConnectionLost:
            connection = self._connect()
        self.in_use += 1
        return connection

    def release(self, connection: Connection) -> bool:
        """Take a connection back; whether it stays in the pool."""
        if self.in_use == 0:
            raise RuntimeError("nothing is in use")
        self.in_use -= 1
        if connection.age > self._max_age or not connection.is_alive():
            connection.close()
            return False
        self._idle.append(connection)
        return True

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        connection = self.acquire()
        try:
            yield connection
        finally:
            self.release(connection)

    def ask(self, text: str) -> int:
        """The only number of an answer; lost connections are replaced once."""
        for attempt in (1, 2):  # always: the second attempt returns or raises
            with self.connection() as connection:
                try:
                    rows = connection.query(text)
                except ConnectionLost:
                    if attempt == 2:
                        raise
                    continue
                if len(rows) != 1:
                    raise LookupError(len(rows))
                return rows[0]
        raise AssertionError("never here")
