"""Length-prefixed `marshal` messages over file descriptors."""

from __future__ import annotations

import marshal
import struct
from typing import Any

from tracetwin.process import bounded
from tracetwin.support.stdlib_copies import os, select, time

HEADER = struct.Struct("<Q")

# Version 2 writes neither back references nor interning marks: equal plain data gives equal bytes.
PLAIN = 2

MOST_BYTES = 1 << 28


class Closed(Exception):
    """The other side went away, or sent something that is no message."""


class TooLate(Exception):
    """Nothing complete arrived before the deadline."""


def pack(message: Any) -> bytes:
    """The bytes of a message with its length before them."""
    body = marshal.dumps(message, PLAIN)
    return HEADER.pack(len(body)) + body


def write_all(fd: int, data: bytes) -> None:
    """Write everything, however small the pipe."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def read_exactly(fd: int, count: int, deadline: float | None = None) -> bytes:
    """Read `count` bytes.

    Args:
        fd: where to read.
        count: how many bytes.
        deadline: a `time.monotonic()` after which to give up; None waits for ever.
    """
    parts = bytearray()
    poller = None
    if deadline is not None:
        poller = select.poll()
        poller.register(fd, select.POLLIN)
    while len(parts) < count:
        if poller is not None and deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0 or not poller.poll(left * 1000 + 1):
                raise TooLate
        piece = os.read(fd, min(count - len(parts), 1 << 20))
        if not piece:
            raise Closed
        parts += piece
    return bytes(parts)


def read_body(fd: int, deadline: float | None = None) -> bytes:
    """One message, still packed."""
    (length,) = HEADER.unpack(read_exactly(fd, HEADER.size, deadline))
    if length > MOST_BYTES:
        raise Closed
    return read_exactly(fd, length, deadline)


def unpack(body: bytes) -> Any:
    """The message of a body that came from behind the walls; `Closed` when it is damaged."""
    try:
        return bounded.loads(body)
    except (EOFError, ValueError, TypeError, MemoryError) as error:
        raise Closed from error


def read(fd: int, deadline: float | None = None) -> Any:
    """One message: where there is a deadline from behind the walls, otherwise from our own side."""
    body = read_body(fd, deadline)
    return marshal.loads(body) if deadline is None else unpack(body)
