"""Clients of interfaces: one function for each thing a mock may have to do."""

from __future__ import annotations

import abc
import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

T = TypeVar("T")


class QueueError(Exception):
    """The queue is not there."""


@dataclass
class Message:
    ident: str
    body: str


class Bus(abc.ABC):
    """What clients know of a message queue."""

    @abc.abstractmethod
    def poll(self, timeout: float = 1.0) -> str | None:
        """The next message."""

    @abc.abstractmethod
    def ack(self, ident: str) -> None:
        """Take it out."""

    @abc.abstractmethod
    def receive(self) -> Message:
        """The next message, waiting."""

    def describe(self) -> str:
        return "a bus"


@runtime_checkable
class Closeable(Protocol):
    def close(self) -> None: ...


class Clock(Protocol):
    def now(self) -> float: ...


class Settings(Protocol):
    retries: int
    name: str

    @property
    def verbose(self) -> bool: ...


class Table(Protocol):
    def lookup(self, key: int, /, *, strict: bool = False) -> int: ...


class Source(Protocol):
    def read_into(self, buffer: bytearray, limit: int = -1) -> int: ...


class Feed:
    """A plain class that others derive from."""

    def __init__(self, url: str) -> None:
        self.url = url

    def items(self) -> Iterator[str]:
        raise NotImplementedError

    async def fetch(self, page: int) -> list[str]:
        raise NotImplementedError

    async def stream(self) -> AsyncIterator[str]:
        raise NotImplementedError
        yield ""


class Store(Protocol[T]):
    def get(self, key: str) -> T: ...
    def __len__(self) -> int: ...
    def __setitem__(self, key: str, value: T) -> None: ...


class Session(Protocol):
    def run(self, text: str) -> int: ...


class Factory(Protocol):
    def create(self) -> Session: ...


class Builder(Protocol):
    def add(self, part: str) -> Builder: ...
    def build(self) -> str: ...


class Report(abc.ABC):
    """A template method calls the others."""

    @abc.abstractmethod
    def line(self, number: int) -> str: ...

    def text(self) -> str:
        return "\n".join(self.line(number) for number in range(2))


def next_message(bus: Bus) -> str:
    try:
        message = bus.poll(timeout=2.5)
    except TimeoutError:
        return "timeout"
    if message is None:
        return "idle"
    bus.ack(message)
    return f"got {message}"


def drain(bus: Bus) -> list[str]:
    found = []
    while (message := bus.poll()) is not None:
        found.append(message)
        bus.ack(message)
    return found


def persistent(bus: Bus) -> str | None:
    for _ in range(3):
        try:
            return bus.poll()
        except TimeoutError:
            continue
    raise QueueError("gave up")


def body_of_next(bus: Bus) -> str:
    return bus.receive().body


def finish(bus: Bus) -> bool:
    if bus.poll() is None and isinstance(bus, Closeable):
        bus.close()
        return True
    return False


def is_late(clock: Clock, deadline: float) -> bool:
    return clock.now() > deadline


def attempts(settings: Settings) -> int:
    if settings.verbose:
        return 0
    return settings.retries + len(settings.name)


def both(table: Table, p: int) -> bool:
    return table.lookup(p, strict=True) > 5 and table.lookup(p + 10, strict=True) < 5


def first_bytes(source: Source) -> bytes:
    buffer = bytearray(4)
    count = source.read_into(buffer)
    return bytes(buffer[:count])


def longest(feed: Feed) -> str:
    return max(feed.items(), key=len)


async def pages(feed: Feed) -> int:
    count = 0
    while await feed.fetch(count):
        count += 1
    return count


async def collected(feed: Feed) -> list[str]:
    return [item async for item in feed.stream()]


def remember(store: Store[int], key: str) -> int:
    store[key] = len(store)
    return store.get(key)


def run_all(factory: Factory, texts: list[str]) -> int:
    session = factory.create()
    return sum(session.run(text) for text in texts)


def assembled(builder: Builder) -> str:
    return builder.add("a").add("b").build()


def printed(report: Report) -> str:
    return report.text()


def apply(function: Callable[[int], int], value: int) -> int:
    try:
        return function(value) + function(value + 1)
    except KeyError:
        return -1


def notify(callback: Callable[[str], None], times: int) -> None:
    for number in range(times):
        callback(f"step {number}")


def send(channel, text):
    if channel.closed or not hasattr(channel, "write"):
        return None
    channel.write(text)
    return len(channel)


def same(bus: Bus) -> Bus:
    return bus


def rename(channel, name):
    channel.name = name
    return channel


class Worker:
    def __init__(self, bus: Bus, clock: Clock) -> None:
        self.bus = bus
        self.clock = clock

    def step(self) -> str:
        message = self.bus.poll()
        if message:
            self.bus.ack(message)
        return f"{message} at {self.clock.now()}"


def run(coroutine):
    return asyncio.run(coroutine)
