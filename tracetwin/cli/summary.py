"""The command `tracetwin summary`: reads what the user wants, and turns the result into an exit status."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tracetwin.cli.options import check_config, modules_of, shared_options, written
from tracetwin.cli.tools import NOTHING, check_json, interruptible, noted, say
from tracetwin.support.errors import TracetwinError

if TYPE_CHECKING:
    from tracetwin.run.studies.summary import Summarised
    from tracetwin.target.selection import TargetModule


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
@shared_options
def summary(
    targets: tuple[str, ...], root: Path | None, find_links: tuple[Path, ...], config_file: Path | None,
    json_file: str | None, allow: tuple[str, ...], python: str | None, *,
    no_config: bool, quiet: bool, **limits: Any,
) -> None:
    """Show what the methods of a class do to its objects, and its definition-use pairs.

    Each method is run on an object whose attributes can have any value, and each of its paths is summarised.
    From these summaries sequences of calls are deduced, backwards from the use of an attribute to its
    definition and to a constructor.
    """
    check_config(config_file, no_config=no_config)
    check_json(json_file)
    modules = modules_of(
        targets, root, find_links, config_file, no_config=no_config, quiet=quiet, allow=allow,
        python=python,
    )
    with interruptible() as interruption:
        found = _summarised(modules, limits)
    for error in found.errors:
        say(error, error=True)
    for failure in found.failures:
        noted(failure)
    if not quiet:
        for sentence in found.unguarded:
            say(f"warning: {sentence}", stderr=True)
        for note in found.notes:
            say(f"note: {note}", stderr=True)
    _show(found, json_file)
    status = 0 if any(module["classes"] for module in found.modules) else NOTHING
    sys.exit(128 + interruption[0] if interruption else status)


def _summarised(modules: list[TargetModule], limits: dict[str, Any]) -> Summarised:
    from tracetwin.run.studies.summary import summarise

    try:
        return summarise(modules, **limits)
    except TracetwinError as error:
        say(str(error), error=True)
        sys.exit(NOTHING)


def _show(found: Summarised, json_file: str | None) -> None:
    from tracetwin.cli.report.summaries import show

    if not written(found.to_json(), json_file):
        show(found.modules)
