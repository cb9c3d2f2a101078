"""Choice of a display: live on a terminal, plain lines elsewhere.

All of them write to standard error; standard output is for the final report.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from tracetwin.cli.report.plain import NORMAL, QUIET, VERBOSE, PlainDisplay
from tracetwin.run.listener import Listener

__all__ = ["NORMAL", "QUIET", "VERBOSE", "open_display"]


@contextmanager
def open_display(
    stream: TextIO, *, modules: int, time_limit: float, verbosity: int = NORMAL
) -> Iterator[Listener]:
    """The listener that suits a stream."""
    if verbosity <= QUIET or not stream.isatty():
        yield PlainDisplay(stream, verbosity)
        return
    from tracetwin.cli.report.live import LiveDisplay

    display = LiveDisplay(stream, modules=modules, time_limit=time_limit, verbosity=verbosity)
    with display.running():
        yield display
