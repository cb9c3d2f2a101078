"""Environments that uv, poetry and hatch keep for a project, found by their rules without running them."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MAC: Final = sys.platform == "darwin"
_ID_LENGTH: Final = 8


def managed(project: Path) -> Iterator[Path]:
    """The places where environments of a project may be, what is most likely first.

    Args:
        project: the folder of its ``pyproject.toml``.
    """
    if chosen := os.environ.get("UV_PROJECT_ENVIRONMENT", ""):
        yield project / chosen
    told = _pyproject(project)
    tools = _table(told, "tool")
    names = [_table(told, "project").get("name"), _table(tools, "poetry").get("name")]
    name = next((one for one in names if isinstance(one, str) and re.fullmatch(r"[\w .-]+", one)), "")
    if name:
        yield from _of_hatch(project, re.sub(r"[-_.]+", "-", name).lower())
        yield from _of_poetry(project, name)


def _of_hatch(project: Path, name: str) -> Iterator[Path]:
    """The default environment, in hatch's folder of data."""
    home = Path(os.environ.get("HATCH_DATA_DIR") or _folder("XDG_DATA_HOME", ".local/share", "hatch"))
    path = str(project)
    yield home / "env" / "virtual" / name / _identity(path.casefold() if _MAC else path) / name


def _of_poetry(project: Path, name: str) -> Iterator[Path]:
    """The environments of all versions of Python, that which was used last first."""
    usual = _folder("XDG_CACHE_HOME", ".cache", "pypoetry", mac="Caches")
    cache = os.environ.get("POETRY_CACHE_DIR") or usual
    home = Path(os.environ.get("POETRY_VIRTUALENVS_PATH") or Path(cache, "virtualenvs"))
    stem = re.sub(r'[ $`!*@"\\\r\n\t]', "_", name.lower())[:42]
    found = home.glob(f"{stem}-{_identity(os.path.realpath(project))}-py*")
    yield from sorted(found, key=lambda place: (-place.stat().st_mtime, place))


def _identity(path: str) -> str:
    """A project's folder as both tools shorten it."""
    return base64.urlsafe_b64encode(hashlib.sha256(path.encode()).digest()).decode()[:_ID_LENGTH]


def _folder(variable: str, usual: str, tool: str, mac: str = "Application Support") -> Path:
    """A tool's folder among the user's."""
    if _MAC:
        return Path.home() / "Library" / mac / tool
    return Path(os.environ.get(variable) or Path.home() / usual) / tool


def _pyproject(project: Path) -> dict[str, Any]:
    try:
        told: dict[str, Any] = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    except (OSError, ValueError):  # whoever reads the configuration says it
        return {}
    return told


def _table(told: dict[str, Any], name: str) -> dict[str, Any]:
    found = told.get(name)
    return found if isinstance(found, dict) else {}
