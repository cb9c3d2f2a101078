"""The command `tracetwin watch`: generates anew when a target is saved, and refreshes an open report."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tracetwin.cli.environment import PYTHON, packages_for
from tracetwin.cli.tools import NOTHING, ROOT, said, say, told

if TYPE_CHECKING:
    from tracetwin.report.live_server import LiveServer

PAUSE: Final = 0.3
"""Seconds between two looks at the files; a save is taken to be over when one of them brings nothing new."""

Stamps = dict[str, tuple[int, int]]


@click.command(epilog="""\b
Examples:
  tracetwin watch shop/cart.py -o tests/
  tracetwin watch shop/ -o tests/ --time-limit 5 --style pytest
""")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder for the test files.",
              type=click.Path(file_okay=False, path_type=Path))  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), default=15.0, show_default=True,
              metavar="SECONDS", help="Wall-clock time per module and save.")  # fmt: skip
@click.option("--style", metavar="STYLE", help="Flavour of the tests, as for generate.")
@ROOT
@PYTHON
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N",
              help="Where to listen on the loopback address.  [default: any port that is free]")  # fmt: skip
def watch(
    targets: tuple[str, ...], output: Path, time_limit: float, style: str | None, root: Path | None,
    python: str | None, port: int,
) -> None:
    """Generate tests for each TARGET now and whenever one of its files is saved, and show the report.

    The report is served to programs of this machine only that know its address, which is made anew each time;
    nothing can be changed by it. Ctrl-C ends it.
    """
    from tracetwin.report.live_server import LiveServer
    from tracetwin.target.selection import resolve_runnable

    def files() -> list[str]:
        found = resolve_runnable(targets, root, (), places)
        return [module.file for module in found.modules]

    places = packages_for(targets, root, python)
    if not told(resolve_runnable(targets, root, (), places), quiet=False).modules:
        sys.exit(NOTHING)
    options = ["-o", str(output), "--time-limit", str(time_limit), "-q"]
    options += ["--style", style] if style else []
    options += ["--root", str(root)] if root else []
    options += ["--python", python] if python else []
    try:
        server = LiveServer(port)
    except OSError as error:
        raise click.UsageError(f"--port {port}: {error.strerror}") from None
    with server, tempfile.TemporaryDirectory(prefix="tracetwin-watch-") as folder:
        say(f"watching; the report: {server.url}", stderr=True)
        try:
            keep_up(server, files, lambda: _generated([*targets, *options], Path(folder) / "result.json"))
        except KeyboardInterrupt:
            say("no longer watching", stderr=True)


def keep_up(
    server: LiveServer, files: Callable[[], Iterable[str]], generate: Callable[[], Path | None],
    rounds: float = float("inf"),
) -> None:
    """Generate now and after each change, and have a server show what came of it."""
    version, seen = 0, Stamps()
    _show(server, None, version)
    while version < rounds:
        now = stamps(files())
        if version and now == seen:
            time.sleep(PAUSE)
            continue
        seen = _settled(now, files)
        server.working(busy=True)
        began, version = time.monotonic(), version + 1
        result = generate()
        _show(server, result, version)
        server.working(busy=False)
        say(f"generated in {time.monotonic() - began:.1f} s, version {version} of the report", stderr=True)


def stamps(files: Iterable[str]) -> Stamps:
    """Return what changes when a file is saved, of those that are there."""
    found = Stamps()
    for file in files:
        try:
            state = Path(file).stat()
        except OSError:
            continue
        found[file] = (state.st_mtime_ns, state.st_size)
    return found


def _settled(now: Stamps, files: Callable[[], Iterable[str]]) -> Stamps:
    """The stamps once nothing changes any more: editors write in several steps."""
    while True:
        time.sleep(PAUSE)
        then = stamps(files())
        if then == now:
            return now
        now = then


def _generated(arguments: list[str], result: Path) -> Path | None:
    """Run `tracetwin generate` in a process of its own; the file of its result, None where there is none."""
    result.unlink(missing_ok=True)
    command = [sys.executable, "-m", "tracetwin", "generate", *arguments, "--json", str(result)]
    subprocess.run(command, check=False)
    return result if result.exists() else None


def _show(server: LiveServer, file: Path | None, version: int) -> None:
    from tracetwin.report.pages import pages_of
    from tracetwin.report.result import Result, ResultError, read_result

    try:
        result = Result(()) if file is None else read_result(file)
    except ResultError as error:
        result = Result((), (said(str(error)),))
    server.show(pages_of(result, live=version), version)
