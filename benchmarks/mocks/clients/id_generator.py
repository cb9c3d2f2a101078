"""Makes identifiers that nobody has yet."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import Generic, NewType, Protocol, TypeVar

Id = NewType("Id", int)
K = TypeVar("K", bound="Numbered")


class Numbered(Protocol):
    number: int


class Source(Protocol):
    """Random numbers below a bound."""

    def below(self, bound: int) -> int: ...


class Registry(abc.ABC):
    @abc.abstractmethod
    def exists(self, number: int) -> bool: ...

    @abc.abstractmethod
    def reserve(self, number: int) -> None: ...

    @staticmethod
    @abc.abstractmethod
    def checksum(number: int) -> int: ...


class Taken(Exception):
    pass


class Exhausted(Exception):
    pass


class Generator(Generic[K]):
    def __init__(self, source: Source, registry: Registry, attempts: int = 3) -> None:
        self.source = source
        self.registry = registry
        self.attempts = attempts

    def new(self, bound: int = 1000) -> Id:
        if bound < 10:
            raise ValueError("bound")
        for _ in range(self.attempts):
            number = self.source.below(bound)
            if not 0 <= number < bound:
                raise AssertionError("a broken source")
            if self.registry.exists(number):
                continue
            try:
                self.registry.reserve(number)
            except Taken:
                continue
            digit = self.registry.checksum(number)
            return Id(number * 10 + digit % 10)
        raise Exhausted(self.attempts)

    def number(self, things: list[K]) -> int:
        """Number what has none yet; returns how many that were."""
        count = 0
        for thing in things:
            if thing.number <= 0:
                thing.number = self.new()
                count += 1
        return count


def check(identifier: int, registry: Registry) -> str:
    """Whether an identifier is one."""
    if identifier < 0:
        return "negative"
    number, digit = divmod(identifier, 10)
    if registry.checksum(number) != digit:
        return "mistyped"
    return "known" if registry.exists(number) else "unknown"


def sequence(numbers: Iterator[int], count: int) -> list[int]:
    """The next numbers, each once."""
    result: list[int] = []
    while len(result) < count:
        number = next(numbers, -1)
        if number == -1:
            raise Exhausted(len(result))
        if number in result:
            continue
        result.append(number)
    return result
