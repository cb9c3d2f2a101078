"""The command `tracetwin explore`: reads what the user wants, and turns the result into an exit status."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tracetwin.cli.options import check_config, modules_of, shared_options, written
from tracetwin.cli.tools import NOTHING, check_json, interruptible, say
from tracetwin.support.errors import TracetwinError

if TYPE_CHECKING:
    from tracetwin.run.studies.explore import ClassExplored, WantedClasses
    from tracetwin.target.module import TargetModule


@click.command(epilog="""\b
A TARGET is a class: shop/cart.py:Cart, shop.cart:Cart, or shop-1.2-py3-none-any.whl:shop.cart:Cart.
In a module with a single class, it need not be named.

\b
Examples:
  tracetwin explore shop/cart.py:Cart                  (all public methods, 5 calls deep)
  tracetwin explore shop.tree:Tree --methods insert,remove --depth 8
  tracetwin explore shop.tree:Tree --depth 4 --concrete
                                            (how many more states there are without symbols)
  tracetwin explore shop.cart:Cart --depth 6 --json states.json

\b
The table has one line per depth: states that were new there, states in all, states found that a
known one subsumes, runs (+: not all paths were run), sides of conditions that were asked for, how
many of them took the solver, time, and the branches covered until then. Branches are those of
the methods called, of the constructor, and of what these can come to in the module.

\b
Exit status: 0 states were explored; 1 there is no such class, or it can't be imported or made;
2 wrong usage; 130 interrupted (what was found until then is shown).
""")
@click.argument("target", metavar="TARGET")
@click.option("--depth", type=click.IntRange(min=0), default=5, show_default=True, metavar="N",
              help="Calls after the constructor.")
@click.option("--methods", metavar="A,B,...",
              help="What is called on every state; x= stores the attribute x.  [default: all public methods]")
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True,
              metavar="SECONDS", help="Wall-clock time in all.")
@click.option("--max-states", type=click.IntRange(min=1), metavar="N",
              help="End when so many states are known.")
@click.option("--no-subsumption", is_flag=True,
              help="Drop a state only if the same one is known, not if a more general one is.")
@click.option("--concrete", is_flag=True, help="Tell states apart by the values of the runs, as Rostra does.")
@click.option("--default-constructor", is_flag=True,
              help="Begin with the one state that the constructor's default arguments give, not with all "
                   "that its paths lead to.")
@shared_options
def explore(
    target: str, root: Path | None, find_links: tuple[Path, ...], config_file: Path | None,
    json_file: str | None, methods: str | None, allow: tuple[str, ...], python: str | None, *,
    no_config: bool, no_subsumption: bool, quiet: bool, **limits: Any,
) -> None:
    """Explore the states of a class, breadth first, with symbolic arguments.

    A state is what hangs on the object after some calls, and the condition on all arguments so far. It is
    new unless a known one stands for it as well, whatever its arguments. So the table shows how many states
    there are after how many calls, and how deep one must go to cover the class's branches.
    """
    from tracetwin.run.studies.explore import WantedClasses

    check_config(config_file, no_config=no_config)
    check_json(json_file)
    names = None if methods is None else tuple(name.strip() for name in methods.split(",") if name.strip())
    if names == ():
        raise click.UsageError("--methods names no method")
    wanted = WantedClasses(methods=names, subsumption=not no_subsumption, **limits)
    module = _module(
        target, root, find_links, config_file, no_config=no_config, quiet=quiet, allow=allow,
        python=python,
    )
    with interruptible() as interruption:
        found = _explored(module, wanted, quiet=quiet)
    if not quiet:
        for sentence in found.unguarded:
            say(f"warning: {sentence}", stderr=True)
    _show(found, json_file)
    status = 0 if found.rows and found.rows[-1].states else NOTHING
    sys.exit(128 + interruption[0] if interruption else status)


def _module(target: str, *source: Any, **choices: Any) -> TargetModule:
    """The module that the class is in."""
    modules = modules_of((target,), *source, **choices)
    if len(modules) > 1:
        some = f"{modules[0].name}:Class"
        raise click.UsageError(f"{target} is {len(modules)} modules; name one class, as in {some}")
    return modules[0]


def _explored(module: TargetModule, wanted: WantedClasses, *, quiet: bool) -> ClassExplored:
    from tracetwin.cli.report.states import open_progress
    from tracetwin.run.studies.explore import explore as explore_class

    try:
        with open_progress(quiet=quiet) as tell:
            return explore_class(module, wanted, tell)
    except KeyboardInterrupt:
        say("interrupted before anything was found", error=True)
        sys.exit(130)
    except TracetwinError as error:
        say(str(error), error=True)
        sys.exit(NOTHING)


def _show(found: ClassExplored, json_file: str | None) -> None:
    from tracetwin.cli.report.states import render

    if not written(found.to_json(), json_file):
        click.echo("\n".join(render(found)))
