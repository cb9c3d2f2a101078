"""The options that `tracetwin explore` and `tracetwin summary` share, and what they stand for."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tracetwin.cli.environment import PYTHON, find_targets
from tracetwin.cli.tools import ALLOW, FIND_LINKS, JSON, LOG, NO_CONFIG, NOTHING, ROOT, SEED, say, write_file
from tracetwin.support.errors import ConfigError

if TYPE_CHECKING:
    from tracetwin.target.module import TargetModule

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS: Final = (
    SEED,
    ROOT,
    FIND_LINKS,
    click.option("--config", "config_file", metavar="FILE",
                 type=click.Path(exists=True, dir_okay=False, path_type=Path),
                 help="File with the table [tool.tracetwin], whose rules hold here too.  "
                      "[default: pyproject.toml above the target or the current folder]"),
    NO_CONFIG,
    ALLOW,
    PYTHON,
    LOG,
    JSON,
    click.option("-q", "--quiet", is_flag=True, help="Show tables and errors only."),
)  # fmt: skip


def shared_options(command: _Command) -> _Command:
    """Decorate a command with what both understand."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def modules_of(
    targets: tuple[str, ...],
    root: Path | None,
    find_links: tuple[Path, ...],
    config: Path | None,
    *,
    no_config: bool,
    quiet: bool,
    allow: tuple[str, ...] = (),
    python: str | None = None,
) -> list[TargetModule]:
    """The modules of the targets, with the rules that the configuration has for them; ends without one.

    Raises:
        click.UsageError: the configuration is wrong.
    """
    from tracetwin.run.studies.explore import guided

    found = find_targets(targets, root, python, find_links, quiet=quiet)
    if not found.modules:
        sys.exit(NOTHING)
    try:
        warn = partial(say, stderr=True) if not quiet else lambda sentence: None
        return guided(found.modules, config, wanted=not no_config, allow=allow, warn=warn)
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def check_config(file: Path | None, *, no_config: bool) -> None:
    """Refuse a configuration that is named and declined."""
    if file and no_config:
        raise click.UsageError("--config and --no-config exclude each other")


def written(result: dict[str, Any], file: str | None) -> bool:
    """Write the result; return True if it went to standard output, where nothing else may go then."""
    if file is None:
        return False
    text = json.dumps(result, indent=2) + "\n"
    if file == "-":
        click.echo(text, nl=False)
        return True
    write_file(file, text)
    return False
