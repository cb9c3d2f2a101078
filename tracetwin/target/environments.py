"""The environment of a project: found, and asked what it is.

tracetwin is often installed apart from it. Whatever runs a project's code is run by its environment's own
interpreter, with the packages that are there; nothing is installed or written in it.

Environments that uv, poetry and hatch keep for a project, found by their rules without running them.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tracetwin.support.errors import TargetError
from tracetwin.target.environment import PythonEnvironment
from tracetwin.target.module import TargetModule

NAMES: Final = (".venv", "venv")
"""Folders beside a project's files that hold its environment."""

_ASKING_SECONDS: Final = 20.0
_QUESTION: Final = """\
import importlib.util, json, os, sys, sysconfig
paths = sysconfig.get_paths()
library = [os.path.realpath(paths[name]) for name in ("stdlib", "platstdlib")]
def is_library(place):
    place = os.path.realpath(place)
    inner = any(place == one or place == os.path.join(one, "lib-dynload") for one in library)
    return inner or place.endswith(".zip")
places = [place for place in sys.path if place and os.path.isdir(place) and not is_library(place)]
library = os.path.dirname(os.path.realpath(os.__file__))
magic = importlib.util.MAGIC_NUMBER.hex()
version = list(sys.version_info[:2])
print(json.dumps([version, sys.prefix, places, library, magic, sys.implementation.name]))
"""


@functools.lru_cache(maxsize=8)
def environment_of(python: str) -> PythonEnvironment:
    """Return the environment of an interpreter, which is asked for it.

    Raises:
        TargetError: there is none, or it does not answer as Python does.
    """
    file = Path(python)
    if file.is_dir():
        file = _interpreter(file)
    try:
        done = subprocess.run(
            [str(file), "-I", "-B", "-c", _QUESTION],
            capture_output=True, text=True, check=True, timeout=_ASKING_SECONDS, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        version, prefix, places, library, magic, implementation = json.loads(done.stdout)
        return PythonEnvironment(
            os.path.abspath(file),  # noqa: PTH100 - a link to an interpreter is what makes an environment
            (int(version[0]), int(version[1])),
            prefix,
            tuple(places),
            library,
            bytes.fromhex(magic),
            implementation,
        )
    except OSError as error:
        raise TargetError(python, f"can't be run: {error.strerror}") from None
    except (subprocess.SubprocessError, ValueError, TypeError, LookupError):
        raise TargetError(python, "does not answer as an interpreter of Python does") from None


def environment_above(folders: Iterable[Path]) -> str:
    """Return the folder of the environment that is active, or is that of some folders' project; "" for none.

    Folders above them are looked at up to the first with a ``pyproject.toml`` or ``.git``.
    """
    if active := os.environ.get("VIRTUAL_ENV", "") or _conda():
        return active
    for lowest in folders:
        for folder in (lowest, *lowest.parents):
            is_top = any((folder / mark).exists() for mark in ("pyproject.toml", "setup.py", ".git"))
            places = [folder / name for name in NAMES] + (list(managed(folder)) if is_top else [])
            for place in places:
                if (place / "pyvenv.cfg").is_file():
                    return str(place)
            if is_top:
                break
    return ""


def _conda() -> str:
    """The active environment of conda, but for the one that is always active."""
    return "" if os.environ.get("CONDA_DEFAULT_ENV", "") == "base" else os.environ.get("CONDA_PREFIX", "")


def within(modules: Sequence[TargetModule], environment: PythonEnvironment) -> list[TargetModule]:
    """Return modules that run in an environment."""
    return [replace(module, python=environment) for module in modules]


def _interpreter(folder: Path) -> Path:
    places = (folder / "bin" / "python", folder / "Scripts" / "python.exe", folder / "python.exe")
    return next((place for place in places if place.exists()), places[0])


if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MAC: Final = sys.platform == "darwin"
_ID_LENGTH: Final = 8


def managed(project: Path) -> Iterator[Path]:
    """The places where environments of a project may be, what is most likely first."""
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
