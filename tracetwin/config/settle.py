"""The options of one run: what the caller gives wins over the configuration, and that over the defaults.

Settings that count only in a configuration that the user named.

One that was found may belong to the code that is tested, which nobody has read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tracetwin.config import read
from tracetwin.config.rules import with_rules
from tracetwin.config.schema import Config
from tracetwin.model.options import NET_SECONDS, Options, available_cores
from tracetwin.process.walls.permissions import Permissions
from tracetwin.support.errors import ConfigError
from tracetwin.target.module import TargetModule


def configuration(file: Path | None, modules: Iterable[TargetModule], *, wanted: bool = True) -> Config:
    """The configuration for some targets.

    Raises:
        ConfigError: it is wrong.
    """
    if not wanted:
        return Config()
    if file is not None:
        return read.named(file)
    return restrained(read.found(module.root for module in modules))


def warnings(config: Config, given: Iterable[str]) -> list[str]:
    """Return one sentence for each wish of a found configuration that is not granted."""
    names = {"permissions": "allow"}
    known = set(given)
    return [said for name, said in config.unheeded.items() if names.get(name, name) not in known]


def settled(config: Config, given: Mapping[str, Any]) -> Options:
    """The options of a run; None stands for what was not given.

    Raises:
        ConfigError: nobody says where the tests go.
    """
    chosen = {name: value for name, value in config.options.items() if name not in ("output", "permissions")}
    if "output" in config.options and config.file is not None:
        chosen["output"] = config.file.parent / config.options["output"]
    if "permissions" in config.options and config.file is not None:
        chosen["allow"] = Permissions.parse(config.options["permissions"], str(config.file.parent)).words
    chosen |= {name: value for name, value in given.items() if value is not None}
    if "output" not in chosen:
        raise ConfigError("", "output", "there is no folder for the tests; give one, or set the key")
    if "max_runs" in chosen:
        chosen.setdefault("time_limit", NET_SECONDS)
    elif "budget" in chosen:
        chosen.setdefault("time_limit", chosen["budget"])
    return Options(**chosen)


def guided(modules: Sequence[TargetModule], config: Config, options: Options) -> list[TargetModule]:
    """The modules with the user's rules for them.

    Raises:
        ConfigError: a rule speaks of something that is not there, or something can't be allowed.
    """
    try:
        permissions = Permissions.parse(options.allow)
    except ValueError as error:
        raise ConfigError("", "allow", str(error)) from None
    for place in (*permissions.read, *permissions.write):
        if not os.path.lexists(place):
            raise ConfigError("", "allow", f"there is no {place}: make it first, or name another")
    patches = {"patch": options.patch, "no_patch": options.no_patch}
    return with_rules(
        modules, config, private=options.private, max_length=options.max_length, patches=patches,
        permissions=permissions,
    )  # fmt: skip


def restrained(config: Config) -> Config:
    """A configuration that was found, without what could harm: opened walls, commands, places elsewhere."""
    if config.file is None:
        return config
    told = {name: tell(config.options[name], config.file) for name, tell in _HARMFUL.items()
            if name in config.options}  # fmt: skip
    refused = {name: why for name, why in told.items() if why}
    kept = {name: value for name, value in config.options.items() if name not in refused}
    sentences = {name: f"{config.file}: {why}" for name, why in refused.items()}
    return replace(config, options=kept, unheeded=sentences)


def _permissions(words: tuple[str, ...], _file: Path) -> str:
    options = " ".join(f"--allow {word}" for word in words)
    why = "permissions are not granted by a file that was found"
    return f"{why}; say {options}, or name the file with --config"


def _command(command: str, _file: Path) -> str:
    why = "learn-from is not run for a file that was found"
    return f"{why}; say --learn-from {command!r}, or name the file with --config"


def _output(folder: str, file: Path) -> str:
    home = file.parent.resolve()
    if (home / folder).resolve().is_relative_to(home):
        return ""
    return f"output leads out of its folder, to {folder}; say -o, or name the file with --config"


def _jobs(count: int, _file: Path) -> str:
    cores = available_cores()
    return f"jobs: {count} are not started, there are {cores} cores" if count > cores else ""


_HARMFUL: Final[dict[str, Callable[[Any, Path], str]]] = {
    "permissions": _permissions,
    "learn_from": _command,
    "output": _output,
    "jobs": _jobs,
}
"""Options by name, and what is said of a value that is not heeded, "" for one that is."""
