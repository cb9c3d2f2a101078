"""Settings that count only in a configuration that the user named.

One that was found may belong to the code that is tested, which nobody has read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tracetwin.config.schema import Config
from tracetwin.model.options import available_cores


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
