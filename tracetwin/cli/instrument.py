"""The command `tracetwin instrument`: writes twins, for reading, running, or filling the cache."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tracetwin.cli.tools import (
    LOG,
    NOTHING,
    ROOT,
    TARGETS,
    make_folder,
    noted,
    say,
    tell_problem,
    told,
    verbosity_of,
)

if TYPE_CHECKING:
    from tracetwin.run.instrument import FileMessage


@click.command(epilog=f"""{TARGETS}
\b
Examples:
  tracetwin instrument shop/ && tracetwin generate shop/ -o tests/
  tracetwin instrument shop/ -o /tmp/twins              (then read /tmp/twins/shop/cart.py)
  cd /tmp/twins && python -m shop                       (or run it, where tracetwin is installed)

\b
Exit status: 0 all that was asked for is there, or without -o at least one twin; 1 something is
missing; 2 wrong usage.
""")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("-o", "--output", metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for a copy of the targets in which every module is its twin; files that are there "
                   "already are replaced.  [default: the cache that generate reads]")
@ROOT
@LOG
@click.option("-v", "--verbose", count=True, help="Show every file.")
@click.option("-q", "--quiet", is_flag=True, help="Show errors and warnings only.")
def instrument(
    targets: tuple[str, ...], output: Path | None, root: Path | None, verbose: int, *, quiet: bool
) -> None:
    """Write the traced twin of each TARGET.

    The twin is the module with every operation turned into a call that can note what happens to its inputs.
    You never need it before "generate": it is for reading or running a twin, and for filling the cache
    beforehand.
    """
    verbosity = verbosity_of(verbose, quiet=quiet)
    if output is not None:
        sys.exit(_write_tree(targets, root, output, verbosity))
    from tracetwin.run.instrument import CacheFiller
    from tracetwin.target.selection import resolve_all

    filler = CacheFiller(told(resolve_all(targets, root), quiet=quiet).modules)
    if not filler.wanted:
        sys.exit(NOTHING)
    _show_lines(filler.run(), verbosity)
    if verbosity >= 0:
        say(filler.summary())
    sys.exit(0 if filler.twins else NOTHING)


def _write_tree(targets: Sequence[str], root: Path | None, output: Path, verbosity: int) -> int:
    """Write the twins of some targets to a folder; the exit status."""
    from tempfile import TemporaryDirectory

    from tracetwin.run.instrument import TreeWriter
    from tracetwin.target.selection import resolve_tree
    from tracetwin.target.trees import refusal

    with TemporaryDirectory(prefix="tracetwin-wheels-") as scratch:
        tree = resolve_tree(targets, root, Path(scratch))
        for problem in tree.problems:
            tell_problem(problem)
        if verbosity >= 0:
            for note in tree.notes:
                say(f"note: {note}", stderr=True)
        if not tree.files:
            return NOTHING
        if refused := refusal(tree, output):
            raise click.UsageError(refused)
        make_folder(output)
        writer = TreeWriter(tree, output)
        is_whole = _show_lines(writer.run(), verbosity)
        if verbosity >= 0:
            say(writer.summary())
    return 0 if is_whole and not tree.problems else NOTHING


def _show_lines(lines: Iterable[FileMessage], verbosity: int) -> bool:
    """Tell about files while they are worked on; whether nothing went wrong."""
    from tracetwin.support.text import clean_excerpt

    is_whole = True
    for line in lines:
        is_whole = is_whole and not line.error
        if line.error or line.warning or verbosity > 0 or (verbosity == 0 and not line.minor):
            say(line.text, error=line.error, stderr=line.warning)
        for shown in line.excerpt:
            click.echo(clean_excerpt(shown), err=True)
        if line.failure:
            noted(line.failure, say_it=False)
    return is_whole
