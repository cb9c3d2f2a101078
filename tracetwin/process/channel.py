"""Length-prefixed `marshal` messages over a pair of connected descriptors.

Both ends exchange plain data only (None, bool, int, float, complex, str, bytes, tuple, list, dict):
nothing that arrives from a worker is ever unpickled, and a code object in a message is never run.
"""

from __future__ import annotations

import _socket
import errno
import marshal
import struct
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final

from tracetwin.support.stdlib_copies import os, time

MAX_BYTES: Final = 64 << 20
# Commands to a fork server, and the exit status of a runner whose connection the target has closed.
FORK: Final = b"F"
FORESEE: Final = b"P"
IMPORT: Final = b"I"
KILL: Final = b"K"
END: Final = b"E"
# Why a fork server killed a runner.
KILLED: Final = "killed"
OVERFULL: Final = "overfull"
EXIT_CHANNEL: Final = 85
EXIT_MEMORY: Final = 87

TICK_SECONDS: Final = 0.05
_MAGIC: Final = b"tWk1"  # a stray write of the target to our descriptor is recognised as such
_HEADER: Final = struct.Struct("<4sI")
_VERSION: Final = 4  # all interpreters since 3.4 know it, and one end may be another one than the other
_CHUNK: Final = 1 << 16
_DEEPEST: Final = 100  # parts of a message that an error message goes into
_LOAD_OPTIONS: Final[dict[str, Any]] = {"allow_code": False} if sys.version_info >= (3, 13) else {}


class ProtocolError(RuntimeError):
    """Raised where no message arrived, or one to be sent is no plain data or too large."""


class NotPlain(ProtocolError):
    """A message can't be sent; nothing of it was."""


class Closed(EOFError):
    """The other end has gone."""


class TooSlow(TimeoutError):
    """The other end did not answer, or did not read, in time."""


def encode(message: Any) -> bytes:
    """The bytes of one message.

    Raises:
        NotPlain: where `message` holds something that is not plain data, or is too large.
    """
    try:
        payload = marshal.dumps(message, _VERSION)
    except ValueError as error:
        raise NotPlain(f"not plain data: {error}{_culprit(message, 0)}") from None
    if len(payload) > MAX_BYTES:
        raise NotPlain(f"a message of {len(payload)} bytes is larger than {MAX_BYTES}")
    return _HEADER.pack(_MAGIC, len(payload)) + payload


def _culprit(thing: Any, depth: int) -> str:
    """The place and the type of the first thing in a message that can't be sent."""
    inside: Iterable[tuple[Any, Any]] = ()
    if type(thing) in (tuple, list):
        inside = enumerate(thing)
    elif type(thing) is dict:
        inside = thing.items()
    if depth < _DEEPEST:
        for place, part in inside:
            try:
                marshal.dumps((place, part), _VERSION)
            except ValueError:
                return f" [{place!r:.60}]" + _culprit(part, depth + 1)
    return f" ({type(thing).__name__})"


def tick(connection: _socket.socket) -> None:
    """Let blocking reads and writes of a socket return after `TICK_SECONDS` without success."""
    interval = struct.pack("ll", 0, int(TICK_SECONDS * 1e6))
    connection.setsockopt(_socket.SOL_SOCKET, _socket.SO_RCVTIMEO, interval)
    connection.setsockopt(_socket.SOL_SOCKET, _socket.SO_SNDTIMEO, interval)


class Channel:
    """One end of a connection, used by one thread at a time.

    The descriptor is a blocking socket. A deadline is kept only where the socket gives up by itself
    from time to time (see `tick`): that is one system call per message, where polling takes two.
    """

    __slots__ = ("_loads", "_rest", "fd")

    def __init__(self, fd: int, loads: Callable[..., Any] = marshal.loads) -> None:
        self.fd = fd
        self._loads = loads
        self._rest = b""

    @property
    def holds_more(self) -> bool:
        """True when a read brought one more whole message, of which the descriptor does not tell any more."""
        if len(self._rest) < _HEADER.size:
            return False
        return len(self._rest) >= _HEADER.size + int(_HEADER.unpack_from(self._rest)[1])

    def send(self, message: object, deadline: float | None = None) -> None:
        """Write one message whole, until a time of `time.monotonic`.

        Raises:
            Closed: where the other end has gone.
            Slow: where the other end does not read before the deadline.
            NotPlain: see `encode`.
        """
        self.send_encoded(encode(message), deadline)

    def send_encoded(self, data: bytes, deadline: float | None = None) -> None:
        """Write what `encode` made of a message."""
        written = self._write(data, deadline)
        if written < len(data):
            view = memoryview(data)
            while written < len(view):
                written += self._write(view[written:], deadline)

    def _write(self, data: bytes | memoryview, deadline: float | None) -> int:
        try:
            return os.write(self.fd, data)
        except BlockingIOError:
            if deadline is not None and time.monotonic() >= deadline:
                raise TooSlow("not read in time") from None
            return 0
        except OSError as error:
            if error.errno in (errno.EPIPE, errno.ECONNRESET, errno.EBADF, errno.ENOTCONN):
                raise Closed(str(error)) from None
            raise

    def receive(self, deadline: float | None = None) -> Any:
        """Read one message whole, until a time of `time.monotonic`.

        Raises:
            Closed: where the other end has gone, even in the middle of a message.
            Slow: where no whole message came before the deadline.
            ProtocolError: where what came is no message of ours.
        """
        data = self._rest or self._read(_CHUNK, deadline)
        while len(data) < _HEADER.size:
            data += self._read(_CHUNK, deadline)
        magic, length = _HEADER.unpack_from(data)
        if magic != _MAGIC or length > MAX_BYTES:
            raise ProtocolError("something else than a message arrived")
        end = _HEADER.size + length
        if len(data) < end:
            data = self._read_up_to(data, end, deadline)
        self._rest = data[end:]
        try:
            return self._loads(data[_HEADER.size : end], **_LOAD_OPTIONS)
        except (ValueError, TypeError, EOFError, MemoryError) as error:
            raise ProtocolError(f"a message can't be read: {error}") from None

    def _read_up_to(self, start: bytes, end: int, deadline: float | None) -> bytes:
        whole = bytearray(start)
        while len(whole) < end:
            whole += self._read(max(_CHUNK, min(end - len(whole), 1 << 20)), deadline)
        return bytes(whole)

    def _read(self, count: int, deadline: float | None) -> bytes:
        while True:
            try:
                data = os.read(self.fd, count)
            except BlockingIOError:
                if deadline is not None and time.monotonic() >= deadline:
                    raise TooSlow("no answer in time") from None
                continue
            except OSError as error:
                if error.errno in (errno.ECONNRESET, errno.EBADF, errno.ENOTCONN):
                    raise Closed(str(error)) from None
                raise
            if not data:
                raise Closed("end of file")
            return data
