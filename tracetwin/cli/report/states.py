"""The figures of `tracetwin explore`: a table per iteration, and the branch sides that are left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TextIO

from tracetwin.cli.report.table import percent
from tracetwin.run.results.refusals import refusal_lines
from tracetwin.support.text import call_at, clean, columns, count, duration

if TYPE_CHECKING:
    from tracetwin.explore.states.breadth import Breadth, IterationRow
    from tracetwin.run.studies.coverage import Missed
    from tracetwin.run.studies.explore import ClassExplored

_REFRESH_SECONDS: Final = 0.12

_HEADS: Final = ("depth", "new", "states", "subsumed", "runs", "queries", "solver", "time", "branches")

_SIDES: Final = {
    ("for", True): "the loop was never entered",
    ("while", True): "the loop was never entered",
    ("while", False): "the loop never ended by its condition",
    ("assert", False): "the assertion never failed",
}


def render(found: ClassExplored) -> Iterator[str]:
    """The lines of the report."""
    yield f"{clean(found.target)}  {', '.join(map(clean, found.methods))}"
    yield from columns([_HEADS, *(_cells(row, found.branches) for row in found.rows)])
    if found.missed:
        yield "  not covered:"
        yield from (f"    {_missed(each)}" for each in found.missed)
    others = [(how, times) for how, times in sorted(found.endings.items()) if how != "returned"]
    if others:
        told = "; ".join(f"{_ending(how)} ({times:,})" for how, times in others)
        yield f"  paths that ended otherwise than by returning: {told}"
    for sentence in _open_ends(found):
        yield f"  {sentence}"
    yield _total(found)


def _cells(row: IterationRow, branches: int) -> list[str]:
    runs = f"{row.runs:,}{'' if row.complete else '+'}"
    counts = (row.new, row.states, row.subsumed)
    covered = percent(row.covered, branches) if branches else "-"
    asked = (f"{row.queries:,}", f"{row.solved:,}")
    return [str(row.depth), *(f"{each:,}" for each in counts), runs, *asked, duration(row.seconds), covered]


def _missed(missed: Missed) -> str:
    default = f"the condition was never {'true' if missed.side else 'false'}"
    said = _SIDES.get((missed.kind, missed.side), default)
    return f"{clean(missed.scope)}, line {missed.line}: {said}"


def _ending(how: str) -> str:
    return clean(how.removeprefix("setup "), 80)


def _open_ends(found: ClassExplored) -> Iterator[str]:
    if found.stopped:
        yield f"ended early: {clean(found.stopped)}"
    if any(not row.complete for row in found.rows) and not found.stopped:
        yield "+ not all paths of all calls were run: there are too many, or no end of them"
    if found.lost:
        here = found.target.partition(":")[0]
        names = ", ".join(call_at(*lost, here) for lost in found.lost)
        yield f"values were lost in calls that can't be followed, so paths may be missing: {names}"
    yield from refusal_lines(found.refusals)
    if found.unknown:
        yield f"the solver had no answer for {count(found.unknown, 'side')}"


def _total(found: ClassExplored) -> str:
    last = found.rows[-1] if found.rows else None
    states = count(last.states if last else 0, "state")
    covered = found.branches - len(found.missed)
    words = [f"{states} up to depth {last.depth if last else 0}"]
    if found.branches:
        words.append(f"branches {covered}/{found.branches} ({percent(covered, found.branches)})")
    return "; ".join([*words, duration(found.seconds)])


@contextmanager
def open_progress(
    stream: TextIO | None = None, *, quiet: bool = False
) -> Iterator[Callable[[Breadth, ClassExplored], None]]:
    """Return a display for a stream: a line redrawn in place on a terminal, else a line per iteration."""
    stream = stream or sys.stderr
    if quiet:
        yield lambda breadth, found: None
    elif stream.isatty():
        from rich.console import Console
        from rich.live import Live

        console = Console(file=stream, highlight=False, markup=False, emoji=False)
        with Live(
            console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
        ) as live:
            yield _Redrawn(live)
    else:
        yield _Lines(stream)


class _Redrawn:
    """One line; it has no thread, being told of something redraws it."""

    def __init__(self, live: Any) -> None:
        self._live = live
        self._drawn = 0.0

    def __call__(self, breadth: Breadth, found: ClassExplored) -> None:
        now = time.monotonic()
        if now - self._drawn >= _REFRESH_SECONDS:
            self._drawn = now
            self._live.update(progress_line(breadth), refresh=True)


class _Lines:
    """A line per iteration."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._told = 0

    def __call__(self, breadth: Breadth, found: ClassExplored) -> None:
        for row in found.rows[self._told :]:
            done = f"{count(row.new, 'new state')}, {count(row.runs, 'run')}, {duration(row.seconds)}"
            print(f"depth {row.depth}: {done}", file=self._stream, flush=True)
        self._told = len(found.rows)


def progress_line(breadth: Breadth) -> str:
    """`depth 6: 97 states to go, 1,204 states known, 5,020 runs`."""
    runs = count(breadth.expander.spent.runs, "run")
    known = f"{count(breadth.states, 'state')} known"
    return f"depth {breadth.depth}: {count(breadth.waiting, 'state')} to go, {known}, {runs}"
