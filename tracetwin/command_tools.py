"""What the commands have in common: how they tell, refuse and end."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from tracetwin.locating.module import Resolution

NOTHING: Final = 1
"""Exit status when nothing could be generated; 0 is success, and 2 is click's for wrong usage."""


def verbosity_of(verbose: int, *, quiet: bool) -> int:
    """-1 for quiet, else how often `-v` was given."""
    if verbose and quiet:
        raise click.UsageError("-v and -q exclude each other")
    return -1 if quiet else verbose


def told(found: Resolution, *, quiet: bool) -> Resolution:
    """The modules of all targets, after telling on standard error what is wrong with the rest."""
    from tracetwin.report.text import clean_excerpt

    for problem in found.problems:
        say(str(problem), error=True)
        for line in problem.excerpt:
            click.echo(clean_excerpt(line), err=True)
    if not quiet:
        for note in found.notes:
            say(f"note: {note}", stderr=True)
    if not found.modules and not quiet:  # else the report names them
        from tracetwin.locating.kinds import AS_IT_IS
        from tracetwin.report.table import describe_boundaries

        told = {problem.target for problem in found.problems if problem.reason.endswith(AS_IT_IS)}
        for line in describe_boundaries(b for b in found.boundaries if b.target not in told):
            say(line, stderr=True)
    return found


def check_json(file: str | None) -> None:
    """Refuse a file in a folder that is not there."""
    if file not in (None, "-") and not Path(str(file)).absolute().parent.is_dir():
        raise click.UsageError(f"--json: {Path(str(file)).parent} is not a folder")


@contextmanager
def interruptible() -> Iterator[list[int]]:
    """Turn SIGINT and SIGTERM into one `KeyboardInterrupt`, and remember which it was.

    Whoever generates catches it, writes what was found and returns. Until that is done, a further signal of
    the same kind is let pass once more, for users who really want out.
    """
    received: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def say(text: str, *, error: bool = False, stderr: bool = False) -> None:
    """One line, without anything that could steer the terminal."""
    from tracetwin.report.text import clean

    click.echo(f"{'error: ' if error else ''}{clean(text, 1000)}", err=error or stderr)
