"""The commands `tracetwin report` and `tracetwin show`: what a run has written, to be looked at."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tracetwin.cli.tools import say

if TYPE_CHECKING:
    from tracetwin.report.result import Module, Result


class ReportPlace(click.Path):
    """Where a report goes: a folder, or a file whose ending says which format it has."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        place = Path(os.fsdecode(super().convert(value, param, ctx)))
        known = place.suffix in ("", ".html", ".htm", ".xml") or place.name.startswith(".coverage")
        if not known and place.suffix[1:].isalpha() and not place.is_dir():
            self.fail(
                f"{place}: no report ends in {place.suffix}; say a file in .html or .xml, .coverage, or a"
                " folder (one of that name has to be there already)", param, ctx,
            )  # fmt: skip
        return place


def write_pages(plain: object, places: Iterable[Path], *, absolute_paths: bool = False) -> None:
    """Write the report of a run whose result was just made, and tell where it is.

    Raises:
        OSError: it can't be written.
    """
    from tracetwin.report.result import result_of

    _write(result_of(plain), places, absolute_paths=absolute_paths)


def _write(result: Result, places: Iterable[Path], *, absolute_paths: bool) -> None:
    from tracetwin.report.formats import write

    for place in places:
        say(f"wrote {write(result, place, absolute_paths=absolute_paths)}", stderr=True)


def _read(file: Path) -> Result:
    from tracetwin.report.result import ResultError, read_result

    try:
        return read_result(file)
    except ResultError as error:
        raise click.UsageError(str(error)) from None


@click.command(epilog="""\b
Examples:
  tracetwin generate shop/ -o tests/ --json result.json
  tracetwin report result.json -o report/         a folder of pages, report/index.html first
  tracetwin report result.json -o report.html     the same in one file
  tracetwin report result.json -o coverage.xml    Cobertura's XML, for CI servers
  tracetwin report result.json -o junit.xml       JUnit's XML: the tests, as they were run
  tracetwin report result.json -o .coverage       then "coverage html --show-contexts" names the tests
""")
@click.argument("result", metavar="RESULT.json", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", required=True, metavar="PLACE", multiple=True,
              type=ReportPlace(),
              help="A folder, a file that ends in .html or .xml, or .coverage; may be repeated.")  # fmt: skip
@click.option("--absolute-paths", is_flag=True, help="Show names of files as they are on this machine.")
def report(result: Path, output: tuple[Path, ...], *, absolute_paths: bool) -> None:
    """Show what a run has found as pages that open in any browser, without a server and without network.

    RESULT.json is what `tracetwin generate --json` wrote. Sources and tests are read from where they were
    then; if they have changed since, the page says so.
    """
    found = _read(result)
    try:
        _write(found, output, absolute_paths=absolute_paths)
    except OSError as error:
        say(f"{error.filename or 'a report'} can't be written: {error.strerror}", error=True)
        sys.exit(4)


@click.command(epilog="""\b
Examples:
  tracetwin show result.json 42              where the run had one module
  tracetwin show result.json shop.cart:42
""")
@click.argument("result", metavar="RESULT.json", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("line", metavar="LINE")
def show(result: Path, line: str) -> None:
    """Tell which tests run a LINE, which of its sides none takes, why, and what may help."""
    from tracetwin.report.gaps import told_of_line

    module, number = _place(_read(result), line)
    for sentence in told_of_line(module, number):
        click.echo(sentence)


def _place(result: Result, text: str) -> tuple[Module, int]:
    """The module and the line that a user names."""
    name, _, digits = text.rpartition(":")
    if not digits.isdecimal():
        raise click.UsageError(f"{text!r} is no line; say 42, or shop.cart:42")
    known = ", ".join(module.name for module in result.modules[:8]) or "none"
    fitting = [module for module in result.modules if name in ("", module.name, module.file)]
    if len(fitting) != 1:
        why = f"{name} is not in this result" if name else "this result has not one module"
        raise click.UsageError(f"{why}; say MODULE:{digits} with one of: {known}")
    lines = len(fitting[0].source.splitlines())
    if lines and not 0 < int(digits) <= lines:
        raise click.UsageError(f"{fitting[0].name} has {lines} lines, and none is {digits}")
    return fitting[0], int(digits)


