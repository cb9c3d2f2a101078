"""The last line of defence of the command: whatever happens in it ends in one sentence and an exit status."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import click

from tracetwin.cli.report.stream import Steady
from tracetwin.cli.tools import advise, noted, say
from tracetwin.support.failures import TROUBLE, failure_of
from tracetwin.support.recursion_room import deep

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
