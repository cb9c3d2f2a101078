"""The option `--python`: the environment that a project's modules are imported in."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tracetwin.cli.tools import say
from tracetwin.support.errors import TargetError

if TYPE_CHECKING:
    from tracetwin.target.environments import Environment
    from tracetwin.target.module import Resolution


def use_environment(found: Resolution, python: str | None, *, quiet: bool) -> None:
    """Let the targets see the packages of their project's environment.

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
            say(f"warning: packages of the project's environment are not seen: {why}", stderr=True)
        return
    found.modules = within(found.modules, environment)
    if not quiet and python is None:
        say(f"note: modules see the packages of {wanted}; --python none leaves them out", stderr=True)


def _unfit(environment: Environment) -> str:
    theirs, ours = (".".join(map(str, version)) for version in (environment.version, sys.version_info[:2]))
    mine = f"{environment.python} is Python {theirs}, but tracetwin runs on {ours} here"
    return f"{mine}; install tracetwin for {theirs} as well, apart from the project"
