"""`io.StringIO` and `io.BytesIO` over traced contents: what is read from them stays traced.

`io.StringIO` and `io.BytesIO` copy what they get into C buffers. These keep, besides, what was not read yet
as a traced value; writing makes them plain ones.
"""

from __future__ import annotations

import io
from typing import Any

from runtime.values import TRACED, kind_of, plain


class _Followed:
    """The methods of both kinds of stream; mixed in before the class of the library."""

    _ending: Any

    def __init__(self, content: Any) -> None:
        super().__init__(plain(content))  # type: ignore[call-arg]
        self._content = self._rest = content
        self._is_followed = True

    def read(self, size: Any = -1, /) -> Any:
        if not self._is_followed:
            return super().read(size)  # type: ignore[misc]
        if size is None or size < 0:
            found, self._rest = self._rest, self._rest[len(plain(self._rest)) :]
        else:
            found, self._rest = self._rest[:size], self._rest[size:]
        super().read(len(plain(found)))  # type: ignore[misc]
        return found

    def readline(self, size: Any = -1, /) -> Any:
        if not self._is_followed or (size is not None and size >= 0):
            return self._cut(super().readline(size))  # type: ignore[misc]
        line, end, self._rest = self._rest.partition(self._ending)
        super().readline()  # type: ignore[misc]
        return line + end

    def _cut(self, found: Any) -> Any:
        """Return a part of a line: as many characters as the library read."""
        if not self._is_followed:
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
        if not self._is_followed or (hint is not None and hint > 0):
            self._is_followed = False
            return super().readlines(hint)  # type: ignore[misc]
        return list(self)

    def getvalue(self) -> Any:
        return self._content if self._is_followed else super().getvalue()  # type: ignore[misc]

    def seek(self, *args: Any) -> int:
        place: int = super().seek(*args)  # type: ignore[misc]
        self._rest = self._content[place:]
        return place

    def write(self, data: Any, /) -> int:
        self._is_followed = False
        return super().write(data)  # type: ignore[no-any-return, misc]

    def truncate(self, *args: Any) -> int:
        self._is_followed = False
        return super().truncate(*args)  # type: ignore[no-any-return, misc]


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
        self._is_followed = False
        return super().readinto(buffer)

    def writelines(self, lines: Any, /) -> None:
        self._is_followed = False
        super().writelines(lines)
