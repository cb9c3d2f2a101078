"""Streams that may go away while we write: a closed pipe, a terminal that hung up, a full disk behind `>`."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TextIO


class Steady:
    """A text stream whose reader may leave: what can't be written is dropped, as the work must go on.

    Characters that its encoding does not have become escapes.

    Attributes:
        failed: why something could not be written, None as long as all could.
    """

    def __init__(self, stream: TextIO | None) -> None:
        """Take over a stream; None, as Python has for a closed descriptor, takes everything in silence."""
        self._stream = stream
        self.failed: OSError | None = None

    @property
    def encoding(self) -> str:
        """Its encoding."""
        return getattr(self._stream, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        """Return True if it is a terminal."""
        try:
            return self._stream is not None and self._stream.isatty()
        except ValueError:  # it is closed
            return False

    def fileno(self) -> int:
        """Its descriptor.

        Raises:
            OSError: it has none.
        """
        if self._stream is None:
            raise OSError("the stream is closed")
        return self._stream.fileno()

    def write(self, text: str) -> int:
        """Write what can be written."""
        if self._stream is None or self.failed is not None:
            return len(text)
        known = text.encode(self.encoding, "backslashreplace").decode(self.encoding)
        try:
            self._stream.write(known)
        except OSError as error:
            self._give_up(error)
        except ValueError:  # it is closed
            self._stream = None
        return len(text)

    def flush(self) -> None:
        """Hand on what is kept back."""
        if self._stream is None or self.failed is not None:
            return
        try:
            self._stream.flush()
        except OSError as error:
            self._give_up(error)
        except ValueError:  # it is closed
            self._stream = None

    def _give_up(self, error: OSError) -> None:
        """Send buffered output to the null device, so that it is no error when the interpreter ends."""
        self.failed = error
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
