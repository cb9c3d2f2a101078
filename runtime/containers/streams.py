"""`io.StringIO` and `io.BytesIO` over traced contents: what is written to them, and read again, stays traced.

`io.StringIO` and `io.BytesIO` copy what they get into C buffers. These keep their content, and what of it was
not read yet, as traced values beside the buffer, from the first traced value that comes into them.
"""

from __future__ import annotations

import io
from typing import Any, Final

from runtime.private_builtins import keep_builtins
from runtime.scalars import text
from runtime.values import TRACED, kind_of, plain

keep_builtins(globals())

MOST_FOLLOWED: Final = 4096
"""Characters or octets beyond which a stream is a plain one."""


class _Followed:
    """The methods of both kinds of stream; mixed in before the class of the library.

    Attributes:
        _content: all that it holds; None while nothing in it is traced.
        _rest: what follows the position.
    """

    _ending: Any
    _content: Any
    _rest: Any

    def __init__(self, content: Any) -> None:
        super().__init__(plain(content))  # type: ignore[call-arg]
        self._follow(content, content)

    def _follow(self, content: Any, rest: Any) -> None:
        is_traced = kind_of(content) in TRACED and len(plain(content)) <= MOST_FOLLOWED
        self._content, self._rest = (content, rest) if is_traced else (None, None)

    def read(self, size: Any = -1, /) -> Any:
        if self._content is None:
            return super().read(plain(size))  # type: ignore[misc]
        if size is None or size < 0:
            found, self._rest = self._rest, self._rest[len(plain(self._rest)) :]
        else:
            found, self._rest = self._rest[:size], self._rest[size:]
        super().read(len(plain(found)))  # type: ignore[misc]
        return found

    def readline(self, size: Any = -1, /) -> Any:
        if self._content is None or (size is not None and size >= 0):
            return self._cut(super().readline(plain(size)))  # type: ignore[misc]
        line, end, self._rest = self._rest.partition(self._ending)
        super().readline()  # type: ignore[misc]
        return line + end

    def _cut(self, found: Any) -> Any:
        """Return a part of a line: as many characters as the library read."""
        if self._content is None:
            return found
        found, self._rest = self._rest[: len(found)], self._rest[len(found) :]
        return found

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def readlines(self, hint: Any = -1, /) -> Any:
        if self._content is None or (hint is not None and hint > 0):
            self._content = None
            return super().readlines(plain(hint))  # type: ignore[misc]
        return list(self)

    def getvalue(self) -> Any:
        is_plain = self._content is None or self.closed  # type: ignore[attr-defined]
        return super().getvalue() if is_plain else self._content  # type: ignore[misc]

    def seek(self, *args: Any) -> int:
        place: int = super().seek(*map(plain, args))  # type: ignore[misc]
        if self._content is not None:
            self._rest = self._content[place:]
        return place

    def write(self, data: Any, /) -> int:
        data = text.raw_text(data)
        if self._content is None and kind_of(data) not in TRACED:
            return super().write(data)  # type: ignore[no-any-return, misc]
        place: int = super().tell()  # type: ignore[misc]
        before: Any = super().getvalue() if self._content is None else self._content  # type: ignore[misc]
        written: int = super().write(plain(data))  # type: ignore[misc]
        size = len(plain(before))
        if kind_of(data) not in (*TRACED, type(self._ending)) or place > size:
            self._content = None  # what else has octets, or is written beyond the end
            return written
        rest = before[place + len(plain(data)) :]
        start = before if place == size else before[:place]
        self._follow(start + data + rest if plain(rest) else start + data, rest)
        return written

    def writelines(self, lines: Any, /) -> None:
        for line in lines:
            self.write(line)

    def truncate(self, *args: Any) -> int:
        size: int = super().truncate(*map(plain, args))  # type: ignore[misc]
        if self._content is not None:
            self._content = self._content[:size]
            self._rest = self._content[super().tell() :]  # type: ignore[misc]
        return size


def stream_over(contents: Any) -> Any:
    """Return a stream in memory that holds a text or bytes."""
    is_traced = kind_of(contents) in TRACED
    if isinstance(contents, bytes):
        return SBytesIO(contents) if is_traced else io.BytesIO(contents)
    return SStringIO(contents) if is_traced else io.StringIO(contents)


class SStringIO(_Followed, io.StringIO):
    """A stream over a traced text."""

    _ending = "\n"


class SBytesIO(_Followed, io.BytesIO):
    """A stream over traced bytes."""

    _ending = b"\n"

    def read1(self, size: Any = -1, /) -> Any:
        return self.read(size)

    def readinto(self, buffer: Any, /) -> int:
        self._content = None
        return super().readinto(buffer)

    def getbuffer(self) -> memoryview:
        self._content = None  # what is written through it is not seen
        return super().getbuffer()
