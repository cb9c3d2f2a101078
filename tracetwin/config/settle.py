"""The options of one run: what the caller gives wins over the configuration, and that over the defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tracetwin.config import read
from tracetwin.config.rules import with_rules
from tracetwin.config.schema import Config
from tracetwin.errors import ConfigError
from tracetwin.locating.module import TargetModule
from tracetwin.options import Options


def configuration(file: Path | None, modules: Iterable[TargetModule], *, wanted: bool = True) -> Config:
    """The configuration for some targets.

    Args:
        file: one that the user named, or None to look for it.
        modules: the targets.
        wanted: whether to have one at all.

    Raises:
        ConfigError: it is wrong.
    """
    if not wanted:
        return Config()
    return read.found(module.root for module in modules) if file is None else read.named(file)


def settled(config: Config, given: Mapping[str, Any]) -> Options:
    """The options of a run.

    Args:
        config: the configuration.
        given: fields of `Options`; None stands for what was not given.

    Raises:
        ConfigError: nobody says where the tests go.
    """
    chosen = {name: value for name, value in config.options.items() if name != "output"}
    if "output" in config.options and config.file is not None:
        chosen["output"] = config.file.parent / config.options["output"]
    chosen |= {name: value for name, value in given.items() if value is not None}
    if "output" not in chosen:
        raise ConfigError("", "output", "there is no folder for the tests; give one, or set the key")
    return Options(**chosen)


def guided(modules: Sequence[TargetModule], config: Config, options: Options) -> list[TargetModule]:
    """The modules with the user's rules for them.

    Raises:
        ConfigError: a rule speaks of something that is not there.
    """
    patches = {"patch": options.patch, "no_patch": options.no_patch}
    return with_rules(
        modules, config, private=options.private, max_length=options.max_length, patches=patches
    )
