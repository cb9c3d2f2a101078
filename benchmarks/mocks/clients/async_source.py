"""Reads from asynchronous sources, which can fail, end, or have to be opened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol


class SourceError(Exception):
    def __init__(self, message: str = "", *, fatal: bool = False) -> None:
        super().__init__(message)
        self.fatal = fatal


class Source(Protocol):
    async def fetch(self, offset: int) -> list[int]: ...

    async def size(self) -> int: ...


class Channel(Protocol):
    def __aiter__(self) -> AsyncIterator[str]: ...

    async def send(self, text: str) -> bool: ...


class Opener(Protocol):
    def open(self, name: str) -> AbstractAsyncContextManager[Channel]: ...


async def read_all(source: Source, limit: int = 3) -> list[int]:
    """Read block by block until the source has no more."""
    items: list[int] = []
    total = await source.size()
    if total <= 0:
        return items
    for _ in range(limit):
        try:
            block = await source.fetch(len(items))
        except SourceError as error:
            if error.fatal:
                raise
            continue
        if not block:
            break
        items.extend(block)
        if len(items) >= total:
            return items[:total]
    if len(items) < total:  # always: as many as there are were returned in the loop
        raise EOFError(len(items))
    return items


async def answer(channel: Channel) -> int:
    """Answer each line until the other side says bye; returns how many answers were taken."""
    taken = 0
    async for line in channel:
        if line == "bye":
            break
        if not line:
            continue
        if await channel.send(line.upper()):
            taken += 1
    else:
        return -1
    return taken


async def greet(opener: Opener, name: str) -> str:
    """Open a channel and greet."""
    try:
        async with opener.open(name) as channel:
            if await channel.send("hello " + name):
                return "sent"
            return "refused"
    except ConnectionError:
        return "closed"


async def first_true(checks: list[Callable[[], Awaitable[bool]]]) -> int:
    """Index of the first check that holds, else -1."""
    for index, check in enumerate(checks):
        if await check():
            return index
    return -1


def run(source: Source) -> int:
    """The sum of a source, for callers that are not asynchronous."""
    try:
        return sum(asyncio.run(read_all(source)))
    except EOFError:
        return -1
