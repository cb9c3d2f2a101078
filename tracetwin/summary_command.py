"""The command `tracetwin summary`: reads what the user wants, and turns the result into an exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tracetwin.command_tools import NOTHING, check_json, interruptible, say, told
from tracetwin.errors import ConfigError, TracetwinError

if TYPE_CHECKING:
    from tracetwin.summaries.command import Summarised
    from tracetwin.targets import TargetModule


@click.command(epilog="""\b
A TARGET is a class, shop/cart.py:Cart or shop.cart:Cart, or a module, for all its classes; a wheel or a
module of one as for generate.

\b
Examples:
  tracetwin summary shop/cart.py:Cart
  tracetwin summary shop.cart --time-limit 20
  tracetwin summary shop.cart:Cart --json -            (for machines, on standard output)
  tracetwin summary shop/cart.py --max-runs 2000 --seed 7    (the same each time)

\b
The first table has one line per path of each method: what must hold of the object's attributes and
of the arguments, what the attributes are afterwards (x' is the new value of x), and which of them
it defines. The second table has the definition-use pairs of the class: where an attribute is
defined and where it is used, with a sequence of calls that goes from the one to the other; "inf."
marks pairs for which it is proved that there is none, by the text or by search.

\b
Exit status: 0 a class was summarised; 1 there was none, or it can't be imported; 2 wrong usage;
130 interrupted (what was found until then is shown).
""")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True,
              metavar="SECONDS", help="Wall-clock time per module.")
@click.option("--max-runs", type=click.IntRange(min=1), metavar="N",
              help="Executions per module; unlike time, the same limit on every machine.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N",
              help="Where the pseudo-random choices start.")
@click.option("--root", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder from which the targets are imported.  [default: derived from their paths]")
@click.option("--find-links", metavar="DIR", multiple=True,
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder that holds wheels which a wheel needs; may be repeated.")
@click.option("--config", "config_file", metavar="FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="File with the table [tool.tracetwin], whose rules hold here too.  "
                   "[default: pyproject.toml above the targets or the current folder]")
@click.option("--no-config", is_flag=True, help="Use no configuration.")
@click.option("--json", "json_file", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True),
              help="Write the result for machines as well; - is standard output, instead of the tables.")
@click.option("-q", "--quiet", is_flag=True, help="Show the tables and errors only.")
def summary(
    targets: tuple[str, ...], root: Path | None, find_links: tuple[Path, ...], config_file: Path | None,
    json_file: str | None, *, no_config: bool, quiet: bool, **limits: Any,
) -> None:
    """Show what the methods of a class do to its objects, and its definition-use pairs.

    Each method is run on an object whose attributes can have any value, and each of its paths is summarised.
    From these summaries sequences of calls are deduced, backwards from the use of an attribute to its
    definition and to a constructor.
    """
    if config_file and no_config:
        raise click.UsageError("--config and --no-config exclude each other")
    check_json(json_file)
    modules = _modules(targets, root, find_links, config_file, wanted=not no_config, quiet=quiet)
    with interruptible() as interruption:
        found = _summarised(modules, limits)
    for error in found.errors:
        say(error, error=True)
    if not quiet:
        for note in found.notes:
            say(f"note: {note}", stderr=True)
    _show(found, json_file)
    status = 0 if any(module["classes"] for module in found.modules) else NOTHING
    sys.exit(128 + interruption[0] if interruption else status)


def _modules(
    targets: tuple[str, ...], root: Path | None, find_links: tuple[Path, ...], config: Path | None, *,
    wanted: bool, quiet: bool,
) -> list[TargetModule]:
    """The modules of the targets, with the rules that the configuration has for them."""
    from tracetwin.states.command import guided
    from tracetwin.targets import resolve_runnable

    found = told(resolve_runnable(targets, root, find_links), quiet=quiet)
    if not found.modules:
        sys.exit(NOTHING)
    try:
        return guided(found.modules, config, wanted=wanted)
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def _summarised(modules: list[TargetModule], limits: dict[str, Any]) -> Summarised:
    from tracetwin.summaries.command import summarise

    try:
        return summarise(modules, **limits)
    except TracetwinError as error:
        say(str(error), error=True)
        sys.exit(NOTHING)


def _show(found: Summarised, json_file: str | None) -> None:
    from tracetwin.report.summaries import show

    if json_file is not None:
        text = json.dumps(found.to_json(), indent=2) + "\n"
        if json_file == "-":
            click.echo(text, nl=False)
            return
        Path(json_file).write_text(text, encoding="utf-8")
    show(found.modules)
