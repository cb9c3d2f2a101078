"""Finding the configuration that belongs to some targets, and reading it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from tracetwin.config.schema import Config, checked
from tracetwin.support.errors import ConfigError
from tracetwin.target.roots import absolute

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the library has it from 3.11 on
    import tomli as tomllib

FILE: Final = "pyproject.toml"


def named(file: Path) -> Config:
    """The configuration in a file that the user named.

    Raises:
        ConfigError: it can't be read, or has no `[tool.tracetwin]`.
    """
    file = absolute(file)
    config = _read(file, _parsed(file))
    if config is None:
        raise ConfigError(file, "tool.tracetwin", "is not in it; name another file, or add this table")
    return config


def found(roots: Iterable[str | Path]) -> Config:
    """The configuration nearest to the import roots of some targets, else to the current folder.

    For each it is the first `pyproject.toml` from there upwards that has a `[tool.tracetwin]`.

    Raises:
        ConfigError: it is wrong, or the targets have different ones.
    """
    configs: dict[Path | None, Config] = {}
    for root in roots:
        if Path(root).is_dir():
            config = _upwards(absolute(root))
            if config is not None:
                configs.setdefault(config.file, config)
    if len(configs) > 1:
        first, second = sorted(str(file) for file in configs)[:2]
        advice = "run twice, or name one with --config"
        raise ConfigError(first, "tool.tracetwin", f"some targets belong to {second} instead; {advice}")
    return next(iter(configs.values()), None) or _upwards(Path.cwd()) or Config()


def _upwards(folder: Path) -> Config | None:
    for file in _candidates(folder):
        try:
            table = _parsed(file)
        except ConfigError:
            if "tracetwin" in _text(file):
                raise
            continue  # somebody else's problem
        config = _read(file, table)
        if config is not None:
            return config
    return None


def _candidates(folder: Path) -> Iterator[Path]:
    for place in (folder, *folder.parents):
        file = place / FILE
        if file.is_file():
            yield file


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _parsed(file: Path) -> dict[str, Any]:
    try:
        data: dict[str, Any] = tomllib.loads(file.read_bytes().decode("utf-8"))
    except OSError as error:
        raise ConfigError(file, "", f"can't be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(file, "", "is not UTF-8, as TOML must be") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(file, "", f"is not TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(file, "", "is nested too deeply to be read") from error
    except ValueError as error:  # such as a number of too many digits
        raise ConfigError(file, "", f"can't be read: {error}") from error
    return data


def _read(file: Path, data: dict[str, Any]) -> Config | None:
    tools = data.get("tool")
    if not isinstance(tools, dict) or "tracetwin" not in tools:
        return None
    return checked(tools["tracetwin"], file)
