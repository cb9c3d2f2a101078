"""The option `--python`: the environment that a project's modules are run in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tracetwin.cli.tools import say, told
from tracetwin.support.errors import TargetError
from tracetwin.target.environment import FIRST, LAST

if TYPE_CHECKING:
    from tracetwin.target.environment import PythonEnvironment
    from tracetwin.target.module import Resolution


PYTHON: Final = click.option(
    "--python", metavar="PATH",
    help="Interpreter, or folder, of the environment that runs the targets: CPython 3.10 to 3.14, with its "
         "packages; nothing is written there. none: tracetwin's own.  "
         "[default: the active one, or that of the project]",
)  # fmt: skip


def find_targets(
    texts: Sequence[str], root: Path | None, python: str | None, find_links: Sequence[Path] = (),
    *, quiet: bool,
) -> Resolution:
    """Return the modules of all targets, to be run in their project's environment.

    Args:
        texts: what the user wrote; names of modules are looked up in that environment first.
        root: import root; None: derived from each path.
        python: the environment that the user named, "none" for no other than ours, None to look for it.
        find_links: folders that hold wheels.
        quiet: whether to say nothing of an environment that was found.

    Raises:
        click.UsageError: what the user named can't be used.
    """
    from tracetwin.target.selection import resolve_runnable

    places = packages_for(texts, root, python)
    found = told(resolve_runnable(texts, root, find_links, places), quiet=quiet)
    if found.modules:
        _use_environment(found, python, quiet=quiet)
    return found


def packages_for(texts: Sequence[str], root: Path | None, python: str | None) -> Sequence[str]:
    """Return the folders in which an environment has packages; none for ours, or where no text is a name."""
    from tracetwin.target.environments import environment_above, environment_of

    if not any(map(_is_name, texts)):
        return ()
    wanted = environment_above([root or Path.cwd()]) if python is None else python
    if not wanted or python == "none":
        return ()
    try:
        environment = environment_of(wanted)
    except TargetError:
        return ()  # told where it is to be used
    return () if environment.is_ours else environment.places


def _is_name(text: str) -> bool:
    return text.partition(":")[0].replace(".", "").isidentifier()


def _use_environment(found: Resolution, python: str | None, *, quiet: bool) -> None:
    from tracetwin.target.environments import environment_above, environment_of, within

    wanted = environment_above(Path(module.root) for module in found.modules) if python is None else python
    if not wanted or python == "none":
        return
    try:
        environment = environment_of(wanted)
    except TargetError as error:
        if python is not None:
            raise click.UsageError(f"--python: {error}") from None
        return
    if environment.is_ours:
        return
    if not environment.fits:
        if python is not None:
            raise click.UsageError(f"--python: {_unfit(environment)}")
        if not quiet:
            why = _unfit(environment)
            say(f"warning: the project's environment is not used: {why}", stderr=True)
        return
    found.modules = within(found.modules, environment)
    if not quiet and python is None:
        version = ".".join(map(str, environment.version))
        say(f"note: modules are run by Python {version} of {wanted} (--python none: by our own)", stderr=True)


def _unfit(environment: PythonEnvironment) -> str:
    theirs = ".".join(map(str, environment.version))
    first, last = (".".join(map(str, version)) for version in (FIRST, LAST))
    there = f"{environment.python} is {environment.implementation} {theirs}"
    return f"{there}; the targets can be run by CPython {first} to {last}"
