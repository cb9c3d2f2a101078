"""The last line of defence of the command: whatever happens in it ends in one sentence and an exit status.

Streams that may go away while we write: a closed pipe, a terminal that hung up, a full disk behind `>`.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO

import click

from tracetwin.cli.tools import advise, noted, say
from tracetwin.support.failures import TROUBLE, failure_of
from tracetwin.support.room import deep

INTERRUPTED: Final = 130


class Guarded(click.Group):
    """A group whose commands never show a traceback, and end well where their output has no reader."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; the exit status is its own, unless it fails or its output can't be written."""
        _open_descriptors()
        with _steady() as (out, _errors), deep():
            status = self._status(ctx)
            worst = advise()
            status = worst if worst and status < INTERRUPTED else status
            out.flush()
            if out.failed is not None and out.failed.errno != errno.EPIPE:
                say(f"standard output can't be written to: {out.failed.strerror}", error=True)
                status = max(status, TROUBLE)
        ctx.exit(status)

    def _status(self, ctx: click.Context) -> int:
        try:
            super().invoke(ctx)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        except KeyboardInterrupt:
            say("interrupted", error=True)
            return INTERRUPTED
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # noqa: BLE001 - an error of ours: told in a sentence
            noted(failure_of(error, f"running {ctx.invoked_subcommand or 'the command'}"))
        return 0


@contextmanager
def _steady() -> Iterator[tuple[Steady, Steady]]:
    """Standard output and error that outlive their readers."""
    before = sys.stdout, sys.stderr
    streams = Steady(before[0]), Steady(before[1])
    sys.stdout, sys.stderr = streams
    try:
        yield streams
    finally:
        sys.stdout, sys.stderr = before


def _open_descriptors() -> None:
    """Open the null device for each closed standard descriptor, lest a file opened later be taken for it."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


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
