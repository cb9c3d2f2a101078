"""The option `--python`: the environment that a project's modules are run in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from tracetwin.cli.tools import say
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


def use_environment(found: Resolution, python: str | None, *, quiet: bool) -> None:
    """Let the targets be run in their project's environment.

    Args:
        found: the targets.
        python: what the user named, "none" for no environment, None to look for it.
        quiet: whether to say nothing of one that was found.

    Raises:
        click.UsageError: what the user named can't be used.
    """
    from tracetwin.target.environments import environment_of, project_environment, within

    wanted = project_environment(found.modules) if python is None else python
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
